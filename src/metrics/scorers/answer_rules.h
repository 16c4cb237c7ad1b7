// The rules that the evaluators of MMLongBench-Doc, LongDocURL and MoLoRAG share. Each of them
// cleans texts in its own way.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fineprint::metrics {

// Returns 1 - edit distance / length of the longer text; 1 for two empty texts. Lengths are those
// of the upper-case texts, which matters for letters such as the German sharp s.
double similarity(std::string_view a, std::string_view b);
// Returns the similarity; 0 if it is at most `threshold`.
double similarity_above(double threshold, std::string_view a, std::string_view b);

// Returns true if a clean reference must be met exactly: a web or mail address, the name of a code
// file, "page ...", one or two groups of digits, a time of day, or a date.
bool has_exact_shape(std::string_view reference);

// Returns true if the numbers agree within 1%, or after rounding to the decimals of the one with
// fewer (at least two). The reference may be as given, times 100, or divided by 100.
bool equal_floats(double reference, double prediction);

// Deletes each "(...)" and the blanks before it.
std::string without_brackets(std::string_view text);
// Deletes one quotation mark (' or ") at the start and one at the end.
std::string_view without_quotes(std::string_view text);

// Returns the text without the unit at its end; unchanged if the unit is part of a word. The text
// must end with the unit.
std::string_view without_unit(std::string_view text, std::string_view unit);

// Joins with "-", the form in which lists are compared if their first element is a number.
std::string joined_by_hyphens(const std::vector<std::string>& elements);

}  // namespace fineprint::metrics
