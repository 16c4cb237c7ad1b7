// Writes to standard error under one lock, and keeps the progress bar below the messages.
#include "core/terminal.h"

#include <cerrno>
#include <mutex>
#include <string>

#include <sys/ioctl.h>
#include <unistd.h>

namespace fineprint::terminal {
namespace {

// Returns to the first column and erases the line.
constexpr std::string_view kClearLine = "\r\x1b[K";

struct Shared {
  std::mutex mutex;
  std::string bar;
};

Shared& shared() {
  // Never destroyed, because threads may log while the program ends.
  static auto* instance = new Shared;
  return *instance;
}

// Ignores errors of stderr, because there is no other place to report them.
void write_stderr(std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(STDERR_FILENO, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

}  // namespace

bool is_terminal() { return ::isatty(STDERR_FILENO) == 1; }

int columns() {
  winsize size{};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

void write_lines(std::string_view text) {
  Shared& state = shared();
  const std::lock_guard lock(state.mutex);
  // One write for all of it, so that lines of other processes do not come in between.
  std::string out;
  if (!state.bar.empty()) out += kClearLine;
  out.append(text).append(state.bar);
  write_stderr(out);
}

void show_bar(std::string_view text) {
  Shared& state = shared();
  const std::lock_guard lock(state.mutex);
  if (text.empty() && state.bar.empty()) return;
  write_stderr(std::string(kClearLine).append(text));
  state.bar = text;
}

}  // namespace fineprint::terminal
