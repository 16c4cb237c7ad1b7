// The running program: its file, and how another process of it is started.
#pragma once

#include <string>
#include <vector>

namespace fineprint {

// Returns the absolute path of the running program. Throws Error(internal) if /proc is not mounted.
std::string program_path();

// Returns the command that starts the running program again, to be followed by its arguments. The
// first is the path to execute. It starts the same program even if an update has replaced the file
// since. Packages for systems with an older C library start the program by a loader of their own
// (scripts/packaging/README.md): then the command does so, too.
std::vector<std::string> program_command();

// Sets the process name to "fineprint". A process started by `program_command` would otherwise
// appear as "exe" in ps and top.
void take_program_name();

}  // namespace fineprint
