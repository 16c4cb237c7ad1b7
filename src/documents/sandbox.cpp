// Seccomp filters that refuse what no document needs. Everything else is allowed, because MuPDF,
// Tesseract, LibreOffice and the C library make many system calls, and new ones with each version.
// A page must not be lost to a new call.
#include "fineprint/documents/sandbox.h"

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <utility>

#include <fcntl.h>
#include <linux/landlock.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace fineprint::documents {
namespace {

#if defined(__SANITIZE_ADDRESS__)
// At exit, the leak checker clones a process that stops this one with ptrace and reads its memory.
constexpr bool kLeaksAreChecked = true;
#else
constexpr bool kLeaksAreChecked = false;
#endif

// Names that this libseccomp or this architecture does not know are ignored.
constexpr const char* kRefusedToWorkers[] = {
    // the network; calls on open sockets need no rule, because no new socket can be made
    "socket", "socketpair", "connect", "bind", "listen", "accept", "accept4",
    // the file system, by path
    "creat", "openat2", "open_by_handle_at", "truncate", "truncate64", "rename", "renameat",
    "renameat2", "unlink", "unlinkat", "rmdir", "mkdir", "mkdirat", "mknod", "mknodat", "link",
    "linkat", "symlink", "symlinkat", "chmod", "fchmodat", "chown", "chown32", "lchown", "lchown32",
    "fchownat", "utime", "utimes", "futimesat", "utimensat", "utimensat_time64", "setxattr",
    "lsetxattr", "removexattr", "lremovexattr",
    // the same for a file that is open for reading
    "fchmod", "fchown", "fchown32", "fsetxattr", "fremovexattr",
    // starting programs, and sharing memory with other processes
    "execve", "execveat", "fork", "vfork", "shmget", "shmat", "msgget", "semget", "mq_open",
    "mq_unlink"};

// Refused to workers and to LibreOffice.
constexpr const char* kRefused[] = {
    // the file system as such
    "mount", "umount", "umount2", "move_mount", "open_tree", "fsopen", "fsconfig", "fsmount",
    "fspick", "mount_setattr", "pivot_root", "chroot", "swapon", "swapoff", "quotactl",
    "quotactl_fd", "acct",
    // name spaces
    "unshare", "setns",
    // other processes
    "process_vm_readv", "process_vm_writev", "process_madvise", "process_mrelease", "pidfd_open",
    "pidfd_getfd", "pidfd_send_signal", "kcmp", "tkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo",
    // ways around this list, and parts of the kernel that are often attacked
    "io_uring_setup", "io_uring_enter", "io_uring_register", "bpf", "perf_event_open",
    "userfaultfd", "add_key", "request_key", "keyctl", "init_module", "finit_module",
    "delete_module", "kexec_load", "kexec_file_load", "iopl", "ioperm", "reboot", "sethostname",
    "setdomainname", "settimeofday", "clock_settime", "clock_settime64", "clock_adjtime",
    "clock_adjtime64", "adjtimex"};

// fchmodat2, setxattrat, removexattrat, open_tree_attr, file_setattr: newer than libseccomp 2.5,
// which does not know their names. These numbers are the same on every architecture.
constexpr int kRefusedNumbers[] = {452, 463, 466, 467, 469};

// LibreOffice starts processes and writes files, but must reach nobody and must not leave its
// process group, because the group is how it is ended.
constexpr const char* kRefusedToConverters[] = {"connect", "ptrace",   "kill",      "setsid",
                                                "setpgid", "truncate", "truncate64"};

constexpr unsigned kLineDiscipline = 0x5412;      // TIOCSTI: types into the terminal
constexpr unsigned kFileFlags = 0x40086602;       // FS_IOC_SETFLAGS
constexpr unsigned kFileAttributes = 0x401c5820;  // FS_IOC_FSSETXATTR
constexpr unsigned kSocketOwner = 0x8901;         // FIOSETOWN
constexpr unsigned kSocketGroup = 0x8902;         // SIOCSPGRP
// Which process the kernel signals, and by which signal, if there is something to read.
constexpr unsigned kSignalsOfFiles[] = {F_SETOWN, 10 /* F_SETSIG */, 15 /* F_SETOWN_EX */};

// The rules of one filter. `failed` keeps the first error as a negative errno, or 0.
struct Filter {
  scmp_filter_ctx context = seccomp_init(SCMP_ACT_ALLOW);
  int failed = context == nullptr ? -ENOMEM : 0;

  Filter() = default;
  ~Filter() {
    if (context != nullptr) seccomp_release(context);
  }
  Filter(const Filter&) = delete;
  Filter& operator=(const Filter&) = delete;

  void answer(int number, int error, std::initializer_list<scmp_arg_cmp> when = {}) {
    if (failed != 0 || number == __NR_SCMP_ERROR) return;
    failed = seccomp_rule_add_array(context, SCMP_ACT_ERRNO(static_cast<std::uint16_t>(error)),
                                    number, static_cast<unsigned>(when.size()), when.begin());
  }
  void refuse(const char* name, std::initializer_list<scmp_arg_cmp> when = {}) {
    answer(seccomp_syscall_resolve_name(name), EPERM, when);
  }
};

scmp_arg_cmp argument(unsigned index, scmp_compare how, std::uint64_t a, std::uint64_t b = 0) {
  return {index, how, a, b};
}

// Refuses to open files for writing. The flags are the argument with the index `flags`.
void refuse_opening_to_write(Filter& filter, const char* name, unsigned flags) {
  const auto masked = [&](std::uint64_t mask, std::uint64_t value) {
    filter.refuse(name, {argument(flags, SCMP_CMP_MASKED_EQ, mask, value)});
  };
  masked(O_WRONLY, O_WRONLY);
  masked(O_RDWR, O_RDWR);
  masked(O_CREAT, O_CREAT);
  masked(O_TRUNC, O_TRUNC);
}

void add_rules_for_all(Filter& filter) {
  for (const char* name : kRefused) filter.refuse(name);
  filter.refuse("sendto", {argument(4, SCMP_CMP_NE, 0)});  // a call with an address
  for (const unsigned request :
       {kLineDiscipline, kFileFlags, kFileAttributes, kSocketOwner, kSocketGroup}) {
    filter.refuse("ioctl", {argument(1, SCMP_CMP_MASKED_EQ, 0xFFFFFFFF, request)});
  }
  for (const unsigned command : kSignalsOfFiles) {
    filter.refuse("fcntl", {argument(1, SCMP_CMP_MASKED_EQ, 0xFFFFFFFF, command)});
  }
  // Limits of other processes; 0 is the caller itself.
  filter.refuse("prlimit64", {argument(0, SCMP_CMP_NE, 0)});
}

void add_rules_for_workers(Filter& filter) {
  for (const char* name : kRefusedToWorkers) filter.refuse(name);
  for (const int number : kRefusedNumbers) filter.answer(number, EPERM);
  refuse_opening_to_write(filter, "open", 1);
  refuse_opening_to_write(filter, "openat", 2);
  const auto self = static_cast<std::uint64_t>(getpid());
  filter.refuse("kill", {argument(0, SCMP_CMP_NE, self)});
  filter.refuse("tgkill", {argument(0, SCMP_CMP_NE, self)});  // abort() signals its own thread
  if (kLeaksAreChecked) return;
  filter.refuse("ptrace");
  filter.refuse("clone", {argument(0, SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0)});
  // The flags of clone3 are in memory, where a filter cannot look. With ENOSYS the C library falls
  // back to clone.
  filter.answer(seccomp_syscall_resolve_name("clone3"), ENOSYS);
}

void add_rules_for_converters(Filter& filter) {
  for (const char* name : kRefusedToConverters) filter.refuse(name);
  // LibreOffice's threads signal each other, but not with these signals.
  for (const int number : {SIGKILL, SIGSTOP, SIGTERM}) {
    filter.refuse("tgkill", {argument(2, SCMP_CMP_EQ, static_cast<std::uint64_t>(number))});
  }
  // Refuses to truncate a file while opening it for reading, which Landlock of older kernels
  // allows.
  for (const auto& [name, flags] : {std::pair("open", 1U), std::pair("openat", 2U)}) {
    filter.refuse(name, {argument(flags, SCMP_CMP_MASKED_EQ, O_ACCMODE | O_TRUNC, O_TRUNC)});
  }
  filter.refuse("socket", {argument(0, SCMP_CMP_NE, AF_UNIX)});
  // LibreOffice tries to listen in /tmp for other instances and exits if it cannot. These rules
  // make it believe that it can.
  filter.answer(seccomp_syscall_resolve_name("bind"), 0);
  filter.answer(seccomp_syscall_resolve_name("listen"), 0);
  // With an address in the message it could reach others without connect. LibreOffice does not use
  // these calls.
  filter.refuse("sendmsg");
  filter.refuse("sendmmsg");
}

std::string load(void (*add_more_rules)(Filter&)) {
  Filter filter;
  if (filter.failed == 0) {
    seccomp_attr_set(filter.context, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(EPERM));
    // Both attributes are optional, because old kernels lack them. TSYNC also filters threads that
    // a library started earlier. SSB avoids slowing down the processor as for untrusted code.
    seccomp_attr_set(filter.context, SCMP_FLTATR_CTL_TSYNC, 1);
    seccomp_attr_set(filter.context, SCMP_FLTATR_CTL_SSB, 1);
    // so that the kernel's own error is reported
    seccomp_attr_set(filter.context, SCMP_FLTATR_API_SYSRAWRC, 1);
    add_rules_for_all(filter);
    add_more_rules(filter);
  }
  if (filter.failed == 0) filter.failed = seccomp_load(filter.context);
  return filter.failed == 0 ? "" : std::strerror(-filter.failed);
}

// All ways to change the file system that the first kernels with Landlock know. Later kernels know
// more.
constexpr std::uint64_t kWriting = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                                   LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                                   LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                                   LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                                   LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;

// Truncating files, from the third version of Landlock on. The header used here does not define it.
constexpr std::uint64_t kCutting = std::uint64_t{1} << 14;

std::uint64_t writing_known_here() {
  const long version =
      syscall(SYS_landlock_create_ruleset, nullptr, 0, 1 /* returns the version */);
  return version >= 3 ? kWriting | kCutting : kWriting;
}

bool allow_writing(int rules, const char* path, std::uint64_t what) {
  landlock_path_beneath_attr rule{};
  rule.allowed_access = what;
  rule.parent_fd = open(path, O_PATH | O_CLOEXEC);
  if (rule.parent_fd < 0) return false;
  const long added = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
  close(rule.parent_fd);
  return added == 0;
}

}  // namespace

std::string enter_sandbox() { return load(add_rules_for_workers); }

bool confine_writing(const std::string& folder) {
  landlock_ruleset_attr handled{};
  handled.handled_access_fs = writing_known_here();
  const auto rules =
      static_cast<int>(syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0));
  if (rules < 0) return false;
  const bool confined =
      allow_writing(rules, folder.c_str(), handled.handled_access_fs) &&
      allow_writing(rules, "/dev/null",
                    LANDLOCK_ACCESS_FS_WRITE_FILE | (handled.handled_access_fs & kCutting)) &&
      prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
      syscall(SYS_landlock_restrict_self, rules, 0) == 0;
  close(rules);
  return confined;
}

std::string enter_converter_sandbox() { return load(add_rules_for_converters); }

bool network_is_refused() {
  const int opened = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const bool refused = opened < 0 && errno == EPERM;
  if (opened >= 0) close(opened);
  return refused;
}

bool writing_is_refused() {
  const int opened = open("/dev/null", O_WRONLY | O_CLOEXEC);
  const bool refused = opened < 0 && errno == EPERM;
  if (opened >= 0) close(opened);
  return refused;
}

// An empty path names no program, so that nothing can start.
bool programs_are_refused() {
  char* nothing[] = {nullptr};
  return execve("", nothing, nothing) != 0 && errno == EPERM;
}

}  // namespace fineprint::documents
