// Shows the values of sheets as their number formats say.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fineprint::markup {

class Package;

// Returns a number as the format code shows it, for example 1234.5 by `"$"#,##0.00` as "$1,234.50"
// and 1.75 by "[h]:mm" as "42:00". A value that is not a number is returned unchanged. Marks and
// names are English. Blanks around the result are removed. `since_1904`: days count
// from 1904 and not from 1900.
std::string shown_value(const std::string& value, std::string_view code, bool since_1904);

// Returns a text as the code's section for text shows it.
std::string shown_text(const std::string& text, std::string_view code);

// Returns the format codes of the workbook's cell styles, indexed by the number of the style. Dates
// whose form depends on the reader's country are "yyyy-mm-dd".
std::vector<std::string> cell_formats(const Package& package, const std::string& main);

// One section of a code, such as `0.00" kg"`, as a list of tokens.
struct FormatToken {
  enum class Kind {
    literal,   // `text` as it is
    digit,     // one of 0, # and ?
    point,     // of decimals
    comma,     // groups digits or divides by a thousand
    percent,   // multiplies by a hundred
    exponent,  // "E+" or "E-"
    slash,     // of a fraction, or a literal of a date
    text,      // "@"
    general,   // "General"
    date,      // a run of y, m, d, h or s, or "AM/PM"
    elapsed,   // such a run in brackets
  };
  Kind kind = Kind::literal;
  std::string text;
};

// Returns the number with at most 15 digits.
std::string fifteen_digits(double value);

// Returns a number that is not negative by a section of digits.
std::string written_number(double value, const std::vector<FormatToken>& section);

// Returns the date or time of a number of days by a section of dates, or nullopt if there is no
// such date.
std::optional<std::string> shown_date(double days, const std::vector<FormatToken>& section,
                                      bool since_1904);

}  // namespace fineprint::markup
