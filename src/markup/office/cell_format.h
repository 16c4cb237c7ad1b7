// Decides how numbers of sheets are shown: as dates, times or percentages, if their style says so.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fineprint::markup {

class Package;

// What a cell's number means.
enum class CellKind { number, date, time, date_and_time, percent };

// Returns the kind of a number format's code, for example "dd/mm/yyyy" or "0.0%".
CellKind kind_of_format(std::string_view code);

// Returns a value from the file as it is shown. Text that is not a number is returned unchanged.
// `since_1904`: days count from 1904 and not from 1900.
std::string shown_number(const std::string& value, CellKind kind, bool since_1904);

// Returns the kinds of the workbook's cell styles, indexed by the number of the style.
std::vector<CellKind> cell_kinds(const Package& package, const std::string& main);

}  // namespace fineprint::markup
