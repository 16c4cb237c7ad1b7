// How numbers of sheets are shown: as dates, times or shares, where their style says so.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fineprint::markup {

class Package;

enum class CellKind { number, date, time, date_and_time, percent };

// By the code of a number format ("dd/mm/yyyy", "0.0%", ...).
CellKind kind_of_format(std::string_view code);

// A value as it stands in the file, shown. What is no number comes back as it is.
std::string shown_number(const std::string& value, CellKind kind, bool since_1904);

// The kinds of a workbook's cell styles, by their number.
std::vector<CellKind> cell_kinds(const Package& package, const std::string& main);

}  // namespace fineprint::markup
