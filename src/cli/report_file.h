// The parts that `report` and `ask --html` share.
#pragma once

#include <string>

#include "fineprint/report/report.h"

namespace fineprint::cli {

// Throws Error(unreadable) if the folder of `file` does not exist. Called early, so that the error
// comes before the work.
void require_place_for(const std::string& file);

// Logs what was written, and warns of each page that could not be drawn. Returns whether all pages
// were drawn.
bool tell_report(const std::string& file, const report::Written& written);

}  // namespace fineprint::cli
