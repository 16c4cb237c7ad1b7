// Standard error, shared by messages and a progress bar so that they do not overwrite each other.
#pragma once

#include <string_view>

namespace fineprint::terminal {

// Returns true if stderr is a terminal.
bool is_terminal();
// Returns the number of columns of the terminal; 80 if unknown.
int columns();

// Writes complete lines, above the bar if one is shown. Thread-safe, like `show_bar`.
void write_lines(std::string_view text);
// Shows `text` in place of the last bar. An empty text removes the bar.
void show_bar(std::string_view text);

}  // namespace fineprint::terminal
