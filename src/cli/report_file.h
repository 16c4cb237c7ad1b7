// What `report` and `ask --html` have in common.
#pragma once

#include <string>

#include "fineprint/report/report.h"

namespace fineprint::cli {

// Throws Error(unreadable) where the folder that the file is to lie in is not there: to be said
// before there is anything to write.
void require_place_for(const std::string& file);

// Says what was written, and warns of each page that could not be drawn; whether there was none.
bool tell_report(const std::string& file, const report::Written& written);

}  // namespace fineprint::cli
