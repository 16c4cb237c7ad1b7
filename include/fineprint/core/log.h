// Messages for the person at the terminal: always on stderr, never on stdout.
#pragma once

#include <string>
#include <string_view>

#include "fineprint/core/format.h"

namespace fineprint::log {

// `quiet` shows errors only, `normal` adds warnings and notes, `verbose` (-v) adds time stamps and
// the steps, `debug` (-vv) everything.
enum class Level { quiet, normal, verbose, debug };

void set_level(Level level);
Level level();

// Whether labels are coloured; off at first. The program turns it on for a terminal without
// NO_COLOR.
void set_color(bool on);

// Safe from any thread; each call writes one whole line.
void write(Level at, std::string_view label, std::string_view message);

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
