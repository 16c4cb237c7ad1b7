// Runs two processes between the program and an office file. The converter is this program again;
// it watches the clock and its parent. LibreOffice runs under it, limited and confined.
#include "documents/office_process.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fineprint/core/format.h"
#include "fineprint/core/log.h"
#include "fineprint/core/running_program.h"
#include "fineprint/core/threads.h"
#include "fineprint/documents/office.h"
#include "fineprint/documents/sandbox.h"

namespace fineprint::documents {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// Exit codes with which the converter reports the result.
enum Exit {
  kDone = 0,
  kTimedOut = 10,
  kOutOfTime = 11,
  kOutOfMemory = 12,
  kTooLarge = 13,
  kCrashed = 14,
  kNotStarted = 15
};

// Far above any PDF of a sensible document; stops one that fills the disk.
constexpr rlim_t kMostBytesAFile = rlim_t{1} << 30;
constexpr int kRestarts = 3;

// LibreOffice exits with these codes if it has just made a new profile and wants to be restarted.
bool wants_restart(int status) {
  return WIFEXITED(status) && (WEXITSTATUS(status) == 81 || WEXITSTATUS(status) == 79);
}

// Settings of LibreOffice: no macros, no active content, and nothing that a document links to is
// fetched.
constexpr std::string_view kSettings =
    R"(<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="MacroSecurityLevel" oor:op="fuse"><value>3</value></prop></item>
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="DisableMacrosExecution" oor:op="fuse"><value>true</value></prop></item>
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="DisableActiveContent" oor:op="fuse"><value>true</value></prop></item>
<item oor:path="/org.openoffice.Office.Common/Security/Scripting"><prop oor:name="BlockUntrustedRefererLinks" oor:op="fuse"><value>true</value></prop></item>
<item oor:path="/org.openoffice.Office.Writer/Content/Update"><prop oor:name="Link" oor:op="fuse"><value>0</value></prop></item>
<item oor:path="/org.openoffice.Office.Calc/Content/Update"><prop oor:name="Link" oor:op="fuse"><value>2</value></prop></item>
</oor:items>
)";

// The converter's command line.
struct Order {
  std::string office, folder, file;
  double wall_seconds = 0, cpu_seconds = 0;
  rlim_t memory_bytes = 0;
};

// At the soft limit of CPU time the kernel sends SIGXCPU, which identifies the cause; it kills only
// at the hard limit, 5 seconds later.
void set_limit(__rlimit_resource what, rlim_t most) {
  const rlimit limits{most, what == RLIMIT_CPU ? most + 5 : most};
  setrlimit(what, &limits);
}

// Percent-encodes a path, because some characters have a special meaning in URLs and in
// LibreOffice's settings.
std::string in_url(const std::string& path) {
  constexpr std::string_view kPlain = "/._-~";
  std::string out;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain =
        (byte < 0x80 && std::isalnum(byte) != 0) || kPlain.find(c) != std::string_view::npos;
    out += plain ? std::string(1, c) : format("%{:02X}", static_cast<int>(byte));
  }
  return out;
}

std::vector<std::string> office_arguments(const Order& order) {
  return {order.office,
          "-env:UserInstallation=file://" + in_url(order.folder) + "/profile",
          "--headless",
          "--nologo",
          "--norestore",
          "--nolockcheck",
          "--nodefault",
          "--convert-to",
          "pdf",
          "--outdir",
          order.folder + "/out",
          order.folder + "/" + order.file};
}

// Passes nothing of the user's environment on: no display, no message buses, no language settings,
// and a home that is removed afterwards. Results then do not depend on who runs the program.
std::vector<std::string> office_environment(const Order& order) {
  return {"PATH=/usr/local/bin:/usr/bin:/bin",
          "HOME=" + order.folder,
          "TMPDIR=" + order.folder,
          "LC_ALL=C.UTF-8",
          "SAL_USE_VCLPLUGIN=svp",
          "SAL_DISABLE_OPENCL=1"};
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  out.reserve(texts.size() + 1);
  for (std::string& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

// Runs in the forked child and never returns.
[[noreturn]] void become_office(const Order& order, char* const* arguments,
                                char* const* environment) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);  // in case the converter is killed
  set_limit(RLIMIT_CORE, 0);
  set_limit(RLIMIT_CPU, static_cast<rlim_t>(order.cpu_seconds));
  set_limit(RLIMIT_FSIZE, kMostBytesAFile);
  const bool there = chdir(order.folder.c_str()) == 0;
  confine_writing(order.folder);  // both as far as the kernel supports them
  enter_converter_sandbox();
  // last, because a program built with a sanitizer exceeds it already
  set_limit(RLIMIT_AS, order.memory_bytes);
  if (there) execve(order.office.c_str(), arguments, environment);
  _exit(kNotStarted);
}

// Returns whether the program that asked is gone or no longer wants the answer. Waits up to 20 ms,
// which sets the pace of the caller's loop.
bool is_unwanted() {
  pollfd asker{STDIN_FILENO, POLLIN, 0};
  return poll(&asker, 1, 20) > 0;
}

// Ends all processes of a conversion. Orphans become children of this process, because it set
// PR_SET_CHILD_SUBREAPER.
void end_group(pid_t group) {
  kill(-group, SIGKILL);
  while (waitpid(-1, nullptr, 0) > 0 || errno == EINTR) {
  }
}

// Runs LibreOffice once. Returns its wait status, or nullopt if its time was up or the program went
// away.
std::optional<int> run_once(const Order& order, Clock::time_point deadline) {
  std::vector<std::string> arguments = office_arguments(order);
  std::vector<std::string> environment = office_environment(order);
  const std::vector<char*> argument_pointers = pointers(arguments);
  const std::vector<char*> environment_pointers = pointers(environment);
  const pid_t child = fork();  // safe, because this process has one thread
  if (child == 0) become_office(order, argument_pointers.data(), environment_pointers.data());
  if (child < 0) return W_EXITCODE(kNotStarted, 0);
  setpgid(child, child);
  int status = 0;
  pid_t ended = 0;
  while ((ended = waitpid(child, &status, WNOHANG)) == 0) {
    if (is_unwanted() || Clock::now() >= deadline) break;
  }
  end_group(child);
  return ended == child ? std::optional<int>(status) : std::nullopt;
}

// Returns the exit code that describes how LibreOffice ended.
int verdict(int status, const Order& order) {
  rusage used{};
  getrusage(RUSAGE_CHILDREN, &used);
  const bool killed = WIFSIGNALED(status);
  // If a wrapper script ran LibreOffice, only the exit code shows the signal: 128 plus its number.
  const int signal = killed ? WTERMSIG(status) : WEXITSTATUS(status) - 128;
  if (!killed && WEXITSTATUS(status) == kNotStarted) return kNotStarted;
  if (signal == SIGXCPU) return kOutOfTime;
  if (signal == SIGXFSZ) return kTooLarge;
  // A failed allocation shows as a crash. Use of more than half of the memory limit is taken as its
  // cause.
  const bool was_big = static_cast<rlim_t>(used.ru_maxrss) * 1024 > order.memory_bytes / 2;
  if (killed || WEXITSTATUS(status) > 1) return was_big ? kOutOfMemory : kCrashed;
  return kDone;
}

Error no_pdf(int code, const WorkerLimits& limits) {
  switch (code) {
    case kTimedOut:
      return {ErrorCode::timed_out,
              format("LibreOffice made no PDF within {} seconds", limits.wall_seconds)};
    case kOutOfTime:
      return {ErrorCode::timed_out,
              format("LibreOffice needs more than {} seconds of CPU time", limits.cpu_seconds)};
    case kOutOfMemory:
      return {ErrorCode::out_of_memory,
              format("LibreOffice needs more than {} MiB of memory", limits.memory_bytes >> 20)};
    case kTooLarge:
      return {ErrorCode::too_large,
              format("LibreOffice would write more than {} MiB", kMostBytesAFile >> 20)};
    case kNotStarted:
      return {ErrorCode::unsupported, "LibreOffice cannot be started; see `fineprint doctor`"};
    case kDone:
      return {ErrorCode::damaged,
              "LibreOffice cannot convert it: it is damaged, locked by a password, or not of the "
              "format "
              "that its name says"};
    default:
      return {ErrorCode::crashed, "LibreOffice crashed"};
  }
}

// The converter as the program sees it. The converter ends when its standard input is closed.
class Converter {
 public:
  explicit Converter(const Conversion& conversion) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) {
      throw Error(ErrorCode::internal,
                  format("cannot make a pipe to the office converter: {}", strerror(errno)));
    }
    input_ = ends[1];
    const int failed = spawn(conversion, ends[0]);
    close(ends[0]);
    if (failed == 0) return;
    close(input_);
    throw Error(ErrorCode::internal,
                format("cannot start {}: {}", conversion.converter.front(), strerror(failed)));
  }
  ~Converter() {
    if (input_ >= 0) close(input_);
    int status = 0;
    while (process_ > 0 && waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
  }
  Converter(const Converter&) = delete;
  Converter& operator=(const Converter&) = delete;

  // Waits for the converter and returns its exit code. Throws Error(interrupted).
  int wait() {
    int status = 0;
    pid_t ended = 0;
    while ((ended = waitpid(process_, &status, WNOHANG)) == 0) {
      throw_if_interrupted();
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    if (ended != std::exchange(process_, -1)) return kCrashed;
    return WIFEXITED(status) ? WEXITSTATUS(status) : kCrashed;
  }

 private:
  int spawn(const Conversion& conversion, int input) {
    const WorkerLimits& limits = conversion.limits;
    std::vector<std::string> arguments = conversion.converter;
    arguments.insert(arguments.end(),
                     {kConverterArgument, conversion.office, conversion.folder, conversion.file,
                      format("{}", limits.wall_seconds), format("{}", limits.cpu_seconds),
                      format("{}", limits.memory_bytes)});
    const std::vector<char*> argument_pointers = pointers(arguments);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    if (log::level() != log::Level::debug) {
      posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    }
    const int failed = posix_spawn(&process_, arguments.front().c_str(), &actions, nullptr,
                                   argument_pointers.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
  }

  int input_ = -1;
  pid_t process_ = -1;
};

}  // namespace

int converter_main(const std::vector<std::string>& arguments) {
  if (arguments.size() != 6) return kNotStarted;
  // A terminal sends these signals to the whole process group. The program decides what they mean;
  // it closes the converter's input when it ends.
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) std::signal(number, SIG_IGN);
  // if it were inherited as ignored, waitpid would not report how children end
  std::signal(SIGCHLD, SIG_DFL);
  take_program_name();
  prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  const Order order{arguments[0],
                    arguments[1],
                    arguments[2],
                    std::atof(arguments[3].c_str()),
                    std::atof(arguments[4].c_str()),
                    std::strtoull(arguments[5].c_str(), nullptr, 10)};
  const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                           std::chrono::duration<double>(order.wall_seconds));
  for (int restarts = 0;; ++restarts) {
    const std::optional<int> status = run_once(order, deadline);
    if (!status) return kTimedOut;
    if (!wants_restart(*status) || restarts == kRestarts) return verdict(*status, order);
  }
}

std::string convert(const Conversion& conversion) {
  std::error_code failure;
  fs::create_directories(conversion.folder + "/profile/user", failure);
  if (!failure) fs::create_directories(conversion.folder + "/out", failure);
  std::ofstream settings(conversion.folder + "/profile/user/registrymodifications.xcu");
  settings << kSettings;
  // Without these settings LibreOffice would run macros and follow links, so failing to write them
  // is an error.
  if (failure || !settings.flush()) {
    throw Error(
        ErrorCode::unreadable,
        format("cannot write LibreOffice's settings in {}; is the disk full?", conversion.folder));
  }
  const int code = Converter(conversion).wait();
  const std::string pdf =
      conversion.folder + "/out/" + fs::path(conversion.file).stem().string() + ".pdf";
  std::error_code ignored;
  // If the conversion did not end well, the PDF may lack pages.
  if (code == kDone && fs::file_size(pdf, ignored) > 0 && fs::is_regular_file(pdf, ignored)) {
    return pdf;
  }
  throw no_pdf(code, conversion.limits);
}

}  // namespace fineprint::documents
