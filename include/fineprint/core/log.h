// Messages for the person at the terminal. They always go to stderr, never to stdout.
#pragma once

#include <string>
#include <string_view>

#include "fineprint/core/format.h"

namespace fineprint::log {

// How much is logged. `quiet` shows only errors, `normal` also warnings and notes, `verbose` (-v)
// also steps, with time stamps, and `debug` (-vv) everything.
enum class Level { quiet, normal, verbose, debug };

// Sets and returns the level of the process. Thread-safe.
void set_level(Level level);
Level level();

// Turns coloured labels on or off; off by default. The program turns them on if stderr is a
// terminal and NO_COLOR is not set.
void set_color(bool on);

// Writes one complete line. Thread-safe. Control characters become blanks and long messages are
// shortened, because messages quote names and texts from documents.
void write(Level at, std::string_view label, std::string_view message);

// The following functions format a message as core/format.h does and write it at their level.
template <class... Args>
void error(std::string_view pattern, const Args&... args) {
  write(Level::quiet, "error", fineprint::format(pattern, args...));
}
template <class... Args>
void warn(std::string_view pattern, const Args&... args) {
  write(Level::normal, "warning", fineprint::format(pattern, args...));
}
template <class... Args>
void note(std::string_view pattern, const Args&... args) {
  write(Level::normal, "", fineprint::format(pattern, args...));
}
template <class... Args>
void step(std::string_view pattern, const Args&... args) {
  write(Level::verbose, "", fineprint::format(pattern, args...));
}
template <class... Args>
void debug(std::string_view pattern, const Args&... args) {
  write(Level::debug, "debug", fineprint::format(pattern, args...));
}

}  // namespace fineprint::log
