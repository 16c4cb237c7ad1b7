// Standard error, shared by messages and a progress bar that must not run into each other.
#pragma once

#include <string_view>

namespace fineprint::terminal {

bool is_terminal();
// Columns of the terminal; 80 when unknown.
int columns();

// Writes whole lines, above the bar if one is shown.
void write_lines(std::string_view text);
// Shows `text` as the bar in place of the last one; an empty text removes it.
void show_bar(std::string_view text);

}  // namespace fineprint::terminal
