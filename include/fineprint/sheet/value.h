// Values of the types that columns have, read from what documents print.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "fineprint/sheet/column.h"

namespace fineprint::sheet {

// A value in the form that its type has in every document.
struct TypedValue {
  // number and money: plain digits with a point and the decimals that were printed ("-1234.50").
  // date: "2024-03-12". yes_no: "yes" or "no". one_of: the choice as the column spells it. text:
  // one line.
  std::string text;
  // Of money: the ISO 4217 code, or the sign if several currencies share it ("$"). Of numbers: the
  // unit as printed. Empty if none is printed.
  std::string unit = {};
  bool operator==(const TypedValue&) const = default;
};

// Returns the value that is printed, or nullopt if all of `printed` is not one value of the
// column's type: nothing is guessed. `language` (ISO 639; empty: unknown) decides what 1.234 is,
// where its form does not.
std::optional<TypedValue> typed_value(const Column& column, std::string_view printed,
                                      std::string_view language = {});

// How well a text has the form of its type.
enum class Form : std::uint8_t {
  none,   // it is no value of the type
  plain,  // it is, but so are many others: a bare number as an amount of money
  clear   // nothing else looks like it: "1,234.50", "EUR 12", "12.5 kg" for a column in kg
};
Form form_of(const Column& column, std::string_view printed, std::string_view language = {});

// A number, and the texts before and after it.
struct PrintedAmount {
  std::string digits;         // "-1234.50"
  std::string before, after;  // folded; without signs that belong to the number
  bool has_decimals = false;
};
// Returns the only number of a text, or nullopt if it has none, several, or one whose separators
// can mean two things. A number whose single separator comes before three digits is read as
// `language` does; if `is_money`, as thousands, because prices have two decimals.
std::optional<PrintedAmount> printed_amount(std::string_view text, std::string_view language,
                                            bool is_money);

// Returns a date as "2024-03-12" if the text is one, with or without its weekday. `day_first`
// decides the order of 03/04/2024. Nullopt for dates that do not exist, or if the order is unclear.
std::optional<std::string> printed_date(std::string_view text, std::optional<bool> day_first);

// Returns the ISO 4217 code of a currency as it is printed ("€", "Euro", "usd"), the sign itself if
// several currencies share it ("$"), or "" if it is none.
std::string currency_code(std::string_view printed);

}  // namespace fineprint::sheet
