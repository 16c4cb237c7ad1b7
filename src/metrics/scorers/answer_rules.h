// What the evaluators of MMLongBench-Doc, LongDocURL and MoLoRAG have in common. How each cleans a
// text is its own.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fineprint::metrics {

// 1 - edit distance / the longer one's length; 1 for two empty texts. Lengths are those of the
// texts in upper case, which matters for letters such as the German sharp s.
double similarity(std::string_view a, std::string_view b);
// The same, 0 where it is at most `threshold`.
double similarity_above(double threshold, std::string_view a, std::string_view b);

// Whether a clean reference is of a kind that must be met exactly: an address of a page or a mail
// box, a name of a file of code, "page ...", a number of digits alone or two of them, a time of
// day, a date.
bool has_exact_shape(std::string_view reference);

// Whether they agree within 1%, or when rounded to the decimals of the one that has fewer (two at
// least), the reference being as it is, a percentage of it, or a hundredth.
bool equal_floats(double reference, double prediction);

// Deletes each "(...)" with the blanks before it.
std::string without_brackets(std::string_view text);
// Deletes one quote (' or ") at the beginning and one at the end.
std::string_view without_quotes(std::string_view text);

// A text that ends with the unit, without it, where no letter stands before: else as it is.
std::string_view without_unit(std::string_view text, std::string_view unit);

// With "-" between them, as lists are compared whose first element is a number.
std::string joined_by_hyphens(const std::vector<std::string>& elements);

}  // namespace fineprint::metrics
