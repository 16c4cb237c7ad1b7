// Opens files in the programs of the desktop.
#pragma once

#include <string>

namespace fineprint::cli {

// Opens a file with xdg-open if standard input and output are a terminal and a desktop is there.
// Does nothing otherwise, and if xdg-open is not installed.
void open_for_person(const std::string& file);

}  // namespace fineprint::cli
