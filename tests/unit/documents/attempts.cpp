// System calls that a worker has no use for, and some that it must keep.
#include "attempts.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>

#include <fcntl.h>
#include <spawn.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fineprint/ocr/recognizer.h"

namespace fineprint::documents {
namespace {

class Report {
 public:
  // `result` as system calls give it: negative for an error, which is in errno.
  void add(const std::string& name, long result) {
    const int error = errno;
    text_ += name + ": ";
    text_ += result >= 0                         ? "done"
             : error == EPERM || error == EACCES ? "refused"
                                                 : std::strerror(error);
    text_ += '\n';
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

void try_network(Report& report) {
  int ends[2];
  report.add("socket inet", socket(AF_INET, SOCK_STREAM, 0));
  report.add("socket udp", socket(AF_INET6, SOCK_DGRAM, 0));
  report.add("socket unix", socket(AF_UNIX, SOCK_STREAM, 0));
  report.add("socketpair", socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
  report.add("listen", listen(STDIN_FILENO, 1));
  const sockaddr nowhere{AF_UNIX, {}};
  report.add("connect", connect(STDIN_FILENO, &nowhere, sizeof nowhere));
  report.add("sendto", sendto(STDIN_FILENO, "", 0, 0, &nowhere, sizeof nowhere));
}

void try_files(Report& report, const std::string& folder) {
  const std::string victim = folder + "/victim", made = folder + "/made", inner = folder + "/inner";
  report.add("create", open(made.c_str(), O_WRONLY | O_CREAT, 0600));
  report.add("create to read", open(made.c_str(), O_RDONLY | O_CREAT, 0600));
  report.add("creat", creat(made.c_str(), 0600));
  report.add("write", open(victim.c_str(), O_WRONLY));
  report.add("append", open(victim.c_str(), O_RDWR | O_APPEND));
  report.add("open empties", open(victim.c_str(), O_RDONLY | O_TRUNC));
  report.add("nameless file", open(folder.c_str(), O_RDWR | O_TMPFILE, 0600));
  report.add("openat2", syscall(SYS_openat2, AT_FDCWD, victim.c_str(), nullptr, 0));
  report.add("truncate", truncate(victim.c_str(), 0));
  report.add("rename", rename(victim.c_str(), made.c_str()));
  report.add("unlink", unlink(victim.c_str()));
  report.add("mkdir", mkdir(made.c_str(), 0700));
  report.add("rmdir", rmdir(inner.c_str()));
  report.add("link", link(victim.c_str(), made.c_str()));
  report.add("symlink", symlink(victim.c_str(), made.c_str()));
  report.add("fifo", mkfifo(made.c_str(), 0600));
  report.add("chmod", chmod(victim.c_str(), 0777));
  report.add("fchmodat2", syscall(452, AT_FDCWD, victim.c_str(), 0777, 0));
  report.add("chown", chown(victim.c_str(), getuid(), getgid()));
  report.add("touch", utimensat(AT_FDCWD, victim.c_str(), nullptr, 0));
  report.add("fchmod", fchmod(STDIN_FILENO, 0777));
  report.add("signal of a file", fcntl(STDIN_FILENO, F_SETOWN, getppid()));
  report.add("kind of signal", fcntl(STDIN_FILENO, F_SETSIG, SIGKILL));
  report.add("chroot", chroot(folder.c_str()));
}

// What the text of a page could then say.
void try_reading(Report& report, const std::string& folder) {
  const auto opened = [&](const std::string& path, int flags = O_RDONLY) {
    return open(path.c_str(), flags);
  };
  report.add("read file", opened(folder + "/victim"));
  report.add("read folder", opened(folder, O_RDONLY | O_DIRECTORY));
  report.add("read /etc/passwd", opened("/etc/passwd"));
  report.add("read root", opened("/", O_RDONLY | O_DIRECTORY));
  report.add("read device", opened("/dev/zero"));
#if !defined(FINEPRINT_ADDRESS_SANITIZER)  // which reads about its own process
  report.add("read own memory", opened("/proc/self/mem"));
  report.add("read own environment", opened("/proc/self/environ"));
#endif
  report.add("write own memory", opened("/proc/self/mem", O_RDWR));
  report.add("read parent", opened("/proc/" + std::to_string(getppid()) + "/environ"));
  report.add("read parent's memory", opened("/proc/" + std::to_string(getppid()) + "/mem"));
  report.add("read parent's files",
             opened("/proc/" + std::to_string(getppid()) + "/fd", O_RDONLY | O_DIRECTORY));
  // A file that is open can be named, too; this path leads to the test program.
  report.add("read own program", opened("/proc/self/exe"));
}

void try_programs(Report& report) {
  char name[] = "/bin/true";
  char* arguments[] = {name, nullptr};
  char* environment[] = {nullptr};
  report.add("execve", execve(name, arguments, environment));
  pid_t child = 0;
  errno = posix_spawn(&child, name, nullptr, nullptr, arguments, environment);
  report.add("spawn", errno == 0 ? child : -1);
#if !defined(FINEPRINT_ADDRESS_SANITIZER)  // the leak checker needs both, see sandbox.cpp
  child = fork();
  if (child == 0) _exit(0);
  report.add("fork", child);
  report.add("ptrace", ptrace(PTRACE_TRACEME, 0, nullptr, nullptr));
#endif
  char byte = 0, copy = 0;
  const iovec from{&byte, 1}, to{&copy, 1};
  report.add("other memory", process_vm_readv(getppid(), &to, 1, &from, 1, 0));
  report.add("signal", kill(getppid(), 0));
  report.add("io_uring", syscall(SYS_io_uring_setup, 1, nullptr));
  report.add("bpf", syscall(SYS_bpf, 0, nullptr, 0));
  report.add("name space", syscall(SYS_unshare, 0x10000000 /* CLONE_NEWUSER */));
  report.add("unknown call", syscall(100'000));
}

void try_what_is_needed(Report& report) {
  std::atomic<int> ran = -1;
  std::thread([&ran] { ran = 0; }).join();
  report.add("thread", ran);
  report.add("languages", open(ocr::language_folder().c_str(), O_RDONLY | O_DIRECTORY));
  report.add("own signal", kill(getpid(), 0));
}

}  // namespace

std::string try_everything(const std::string& folder) {
  Report report;
  try_network(report);
  try_files(report, folder);
  try_programs(report);
  try_reading(report, folder);
  try_what_is_needed(report);
  return report.text();
}

}  // namespace fineprint::documents
