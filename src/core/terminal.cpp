// Writes to standard error under one lock, keeping the progress bar below the messages.
#include "core/terminal.h"

#include <cerrno>
#include <mutex>
#include <string>

#include <sys/ioctl.h>
#include <unistd.h>

namespace fineprint::terminal {
namespace {

constexpr std::string_view kClearLine = "\r\x1b[K";

struct Shared {
  std::mutex mutex;
  std::string bar;
};

Shared& shared() {
  static auto* instance = new Shared;  // never destroyed: threads may log while the program ends
  return *instance;
}

// Nothing can be done about a failing stderr: it is where failures would be reported.
void put(std::string_view text) {
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
  std::string out;
  if (!state.bar.empty()) out += kClearLine;
  out.append(text).append(state.bar);
  put(out);
}

void show_bar(std::string_view text) {
  Shared& state = shared();
  const std::lock_guard lock(state.mutex);
  if (text.empty() && state.bar.empty()) return;
  put(std::string(kClearLine).append(text));
  state.bar = text;
}

}  // namespace fineprint::terminal
