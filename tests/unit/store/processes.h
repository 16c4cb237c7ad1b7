// What the child processes of the store's tests do.
#pragma once

#include <string>

#include <sys/types.h>

namespace fineprint::store::testing {

// Starts this program in the role "put-loop", "read-loop" or "states-loop"; its standard output
// goes to `output` where that is a descriptor.
pid_t start(const char* role, const std::string& dir, int output = -1);

// Puts, replaces, removes and compacts without end; writes a dot to stdout after each put.
int put_loop(const std::string& dir);

// Reads everything until the store holds kLastRead documents; returns 0 when all of it was whole.
int read_loop(const std::string& dir);
inline constexpr int kLastRead = 60;

// Finds and puts states in a folder of its own limit for a second; returns 0 when all were whole.
int states_loop(const std::string& dir);

}  // namespace fineprint::store::testing
