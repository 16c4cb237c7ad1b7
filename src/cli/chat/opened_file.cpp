// Starts xdg-open.
#include "cli/chat/opened_file.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/wiring.h"

namespace fineprint::cli {
namespace {

bool has_desktop() {
  const bool is_terminal = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1;
  return is_terminal &&
         (!environment_value("DISPLAY").empty() || !environment_value("WAYLAND_DISPLAY").empty());
}

// Only calls that are safe between fork and exec.
[[noreturn]] void become_opener(const char* file) {
  // The first child ends at once, so that nobody has to wait for the viewer.
  if (fork() != 0) _exit(0);
  setsid();
  const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
  if (nowhere >= 0) {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, stream);
  }
  execlp("xdg-open", "xdg-open", file, static_cast<char*>(nullptr));
  _exit(127);
}

}  // namespace

void open_for_person(const std::string& file) {
  if (!has_desktop()) return;
  const pid_t child = fork();
  if (child == 0) become_opener(file.c_str());
  if (child > 0) waitpid(child, nullptr, 0);
}

}  // namespace fineprint::cli
