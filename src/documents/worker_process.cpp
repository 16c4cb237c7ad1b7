// Starts workers with posix_spawn, because fork is not safe after threads were started, and
// exchanges messages with them over a socket.
#include "documents/worker_process.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fineprint/core/format.h"
#include "fineprint/core/log.h"
#include "fineprint/documents/parsed_files.h"
#include "fineprint/documents/reading_library.h"
#include "fineprint/documents/sent_files.h"

namespace fineprint::documents {
namespace {

constexpr std::string_view kThreadLimit = "OMP_THREAD_LIMIT=1";  // see ocr::Recognizer

// Returns the environment of this process with OMP_THREAD_LIMIT set.
std::vector<char*> worker_environment() {
  std::vector<char*> variables;
  for (char** variable = environ; *variable; ++variable) {
    if (std::strncmp(*variable, "OMP_THREAD_LIMIT=", 17) != 0) variables.push_back(*variable);
  }
  variables.push_back(const_cast<char*>(kThreadLimit.data()));
  variables.push_back(nullptr);
  return variables;
}

// What the child process gets: the socket as standard input and output, the room for pictures, and
// an empty signal mask, because the caller may have blocked signals. Messages of libraries are
// discarded unless the log level is debug.
class SpawnPlan {
 public:
  SpawnPlan(int socket, int pictures) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_adddup2(&actions_, socket, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, socket, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, pictures, PictureDesk::kDescriptor);
    if (const int library = held_reading_library(); library >= 0) {
      posix_spawn_file_actions_adddup2(&actions_, library, kReadingDescriptor);
    }
    if (log::level() != log::Level::debug) {
      posix_spawn_file_actions_addopen(&actions_, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    }
    posix_spawnattr_init(&attributes_);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes_, &none);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGMASK);
  }
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  int spawn(pid_t* process, std::vector<std::string> command, const WorkerModels& models) {
    command.insert(command.end(), {kWorkerArgument, models.ocr_engine, models.layout_model});
    std::vector<char*> arguments;
    for (std::string& argument : command) arguments.push_back(argument.data());
    arguments.push_back(nullptr);
    return posix_spawn(process, arguments.front(), &actions_, &attributes_, arguments.data(),
                       worker_environment().data());
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

// Waits for a process and returns its wait status. A process that does not end within 2 seconds,
// for example because it is stopped, is killed.
int wait_for(pid_t process) {
  constexpr int kAttempts = 200;
  int status = 0;
  for (int i = 0; i < kAttempts; ++i) {
    const pid_t ended = waitpid(process, &status, WNOHANG);
    if (ended == process) return status;
    if (ended == 0) poll(nullptr, 0, 10);  // ms
  }
  kill(process, SIGKILL);
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

// These codes end a whole run, so that a document must not be able to cause them.
Error believable(const Error& reported) {
  switch (reported.code()) {
    case ErrorCode::usage:
    case ErrorCode::input:
    case ErrorCode::store:
    case ErrorCode::model:
    case ErrorCode::no_reply:
    case ErrorCode::interrupted:
      return {ErrorCode::crashed,
              "its document worker reported an error that a document cannot cause"};
    default:
      return reported;
  }
}

WorkerProcess::WorkerProcess(const std::vector<std::string>& command, const WorkerLimits& limits,
                             const WorkerModels& models) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    throw Error(ErrorCode::internal, format("document worker: no socket: {}", strerror(errno)));
  }
  socket_ = ends[0];
  const int failed = SpawnPlan(ends[1], pictures_.descriptor()).spawn(&process_, command, models);
  close(ends[1]);
  if (failed != 0) {
    close(socket_);
    throw Error(ErrorCode::internal,
                format("document worker: cannot start {}: {}", command.front(), strerror(failed)));
  }
  send(MessageType::limits, pack(limits));
}

WorkerProcess::~WorkerProcess() {
  close(socket_);
  if (process_ > 0) {
    kill(process_, SIGKILL);
    while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
}

bool WorkerProcess::send(MessageType type, std::string_view payload) {
  return send_bytes(frame(type, payload));
}

bool WorkerProcess::send(MessageType type, Task task) {
  OpenFiles files;
  for (const std::string& path : {task.path, parsed_beside(task.path)}) {
    if (!path.empty() && files.add(path)) task.files.push_back(path);
  }
  const std::string bytes = frame(type, pack(task));
  if (files.count() == 0) return send_bytes(bytes);
  const ssize_t sent = files.send_with(socket_, bytes);
  return sent > 0 && send_bytes(std::string_view(bytes).substr(static_cast<std::size_t>(sent)));
}

bool WorkerProcess::send_bytes(std::string_view bytes) {
  while (!bytes.empty()) {
    // MSG_NOSIGNAL: a dead worker must not kill the program by SIGPIPE.
    const ssize_t wrote = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
  }
  return true;
}

bool WorkerProcess::receive() {
  // then other workers get their turn, even if this one never stops sending
  constexpr int kReads = 16;
  char bytes[65536];
  for (int i = 0; i < kReads; ++i) {
    if (broken_) return false;
    const ssize_t got = recv(socket_, bytes, sizeof bytes, MSG_DONTWAIT);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return true;
    if (got <= 0) return false;
    parser_.feed({bytes, static_cast<std::size_t>(got)});
    if (static_cast<std::size_t>(got) < sizeof bytes) return true;
  }
  return true;
}

std::optional<Message> WorkerProcess::next() {
  if (broken_) return std::nullopt;
  try {
    return parser_.next();
  } catch (const Error&) {
    broken_ = true;
    return std::nullopt;
  }
}

WorkerEnd WorkerProcess::end(bool ran_out, const WorkerLimits& limits) {
  // A worker that has closed its socket is about to exit. Waiting is better than killing, because
  // its exit status says why it ended.
  shutdown(socket_, SHUT_RDWR);
  if (ran_out || broken_) kill(process_, SIGKILL);
  const int status = wait_for(process_);
  process_ = -1;
  const bool cpu_gone = WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU;
  if (cpu_gone) {
    return {ErrorCode::timed_out,
            format("needs more than {} seconds of CPU time", limits.cpu_seconds)};
  }
  if (ran_out) {
    return {ErrorCode::timed_out, format("not read within {} seconds", limits.wall_seconds)};
  }
  if (broken_) return {ErrorCode::crashed, "its document worker sent an invalid answer"};
  if (WIFEXITED(status) && WEXITSTATUS(status) == kOutOfMemoryExit) {
    return {ErrorCode::out_of_memory,
            format("needs more than {} MiB of memory", limits.memory_bytes >> 20)};
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNoLibraryExit) {
    return {ErrorCode::internal, format("cannot use {}, which reads documents; install "
                                        "fineprint again, or build it with scripts/fineprint",
                                        kReadingLibrary)};
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNoEngineExit) {
    return {ErrorCode::internal,
            "its document worker cannot load the OCR engine of --ocr-engine; `fineprint models "
            "FILE.onnx` says whether a graph runs here, and --debug shows what workers print"};
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNoLayoutModelExit) {
    return {ErrorCode::model,
            "its document worker cannot load the graphs of --layout-model; `fineprint models "
            "FILE.onnx` says whether a graph runs here, and --debug shows what workers print"};
  }
  if (WIFSIGNALED(status)) {
    return {ErrorCode::crashed,
            format("its document worker crashed (signal {})", WTERMSIG(status))};
  }
  return {ErrorCode::crashed, format("its document worker ended early (exit code {})",
                                     WIFEXITED(status) ? WEXITSTATUS(status) : -1)};
}

}  // namespace fineprint::documents
