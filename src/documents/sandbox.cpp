// Seccomp filters. Workers may make only the calls that they need, because a list of harmful calls
// would lack those of the next kernel. For LibreOffice there is only such a list, because it makes
// too many different calls.
#include "fineprint/documents/sandbox.h"

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <utility>

#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace fineprint::documents {
namespace {

#if defined(FINEPRINT_ADDRESS_SANITIZER)
// At exit, the leak checker clones a process that stops this one with ptrace and reads its memory.
constexpr bool kLeaksAreChecked = true;
#else
constexpr bool kLeaksAreChecked = false;
#endif

// What a worker may call. Names that this libseccomp or this architecture does not know are
// ignored, so calls that only some C libraries make are named here, too.
constexpr const char* kAllowedToWorkers[] = {
    // memory
    "brk", "mmap", "mmap2", "munmap", "mremap", "mprotect", "madvise", "msync", "mincore", "mlock",
    "munlock", "membarrier", "map_shadow_stack", "mseal", "get_mempolicy",
    // threads
    "futex", "futex_time64", "futex_waitv", "set_robust_list", "get_robust_list", "set_tid_address",
    "rseq", "arch_prctl", "set_thread_area", "get_thread_area", "set_tls", "cacheflush",
    "riscv_flush_icache", "gettid", "getcpu", "sched_yield", "sched_getaffinity",
    "sched_setaffinity", "sched_getparam", "sched_getscheduler", "sched_get_priority_max",
    "sched_get_priority_min", "exit", "exit_group",
    // signals of its own
    "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "rt_sigpending", "rt_sigsuspend",
    "rt_sigtimedwait", "rt_sigtimedwait_time64", "sigaction", "sigprocmask", "sigreturn",
    "sigaltstack", "restart_syscall", "pause",
    // time
    "clock_gettime", "clock_gettime64", "clock_getres", "clock_getres_time64", "clock_nanosleep",
    "clock_nanosleep_time64", "nanosleep", "gettimeofday", "time", "times",
    // open files; only what another process has opened, and what Landlock lets it open, is there
    "read", "readv", "pread64", "preadv", "preadv2", "write", "writev", "lseek", "_llseek", "close",
    "close_range", "dup", "dup2", "dup3", "fstat", "fstat64", "fstatfs", "fstatfs64", "fadvise64",
    "fadvise64_64", "arm_fadvise64_64", "readahead", "getdents", "getdents64", "poll", "ppoll",
    "ppoll_time64", "select", "_newselect", "pselect6", "pselect6_time64", "pipe", "pipe2", "recv",
    "recvfrom", "recvmsg", "shutdown", "memfd_create", "fallocate",
    // facts about files, by path
    "stat", "stat64", "lstat", "lstat64", "newfstatat", "fstatat64", "statx", "statfs", "statfs64",
    "access", "faccessat", "faccessat2", "readlink", "readlinkat", "getcwd",
    // facts about itself and the machine
    "getpid", "getppid", "getpgrp", "getpgid", "getsid", "getuid", "getuid32", "geteuid",
    "geteuid32", "getgid", "getgid32", "getegid", "getegid32", "getresuid", "getresuid32",
    "getresgid", "getresgid32", "getgroups", "getgroups32", "capget", "getpriority", "getrusage",
    "getrlimit", "ugetrlimit", "setrlimit", "uname", "sysinfo", "getrandom"};

// Refused to LibreOffice.
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

// LibreOffice starts processes and writes files, but must reach nobody and must not leave its
// process group, because the group is how it is ended.
constexpr const char* kRefusedToConverters[] = {"connect", "ptrace",   "kill",      "setsid",
                                                "setpgid", "truncate", "truncate64"};

constexpr std::uint64_t kNameOfMemory = 0x53564d41;  // PR_SET_VMA: malloc names its memory
constexpr unsigned kLineDiscipline = 0x5412;         // TIOCSTI: types into the terminal
constexpr unsigned kFileFlags = 0x40086602;          // FS_IOC_SETFLAGS
constexpr unsigned kFileAttributes = 0x401c5820;     // FS_IOC_FSSETXATTR
constexpr unsigned kSocketOwner = 0x8901;            // FIOSETOWN
constexpr unsigned kSocketGroup = 0x8902;            // SIOCSPGRP
// Which process the kernel signals, and by which signal, if there is something to read.
constexpr unsigned kSignalsOfFiles[] = {F_SETOWN, 10 /* F_SETSIG */, 15 /* F_SETOWN_EX */};

// The rules of one filter. `failed` keeps the first error as a negative errno, or 0.
struct Filter {
  scmp_filter_ctx context;
  int failed = 0;

  // `otherwise` is what happens to calls without a rule.
  explicit Filter(std::uint32_t otherwise) : context(seccomp_init(otherwise)) {
    if (context == nullptr) failed = -ENOMEM;
  }
  ~Filter() {
    if (context != nullptr) seccomp_release(context);
  }
  Filter(const Filter&) = delete;
  Filter& operator=(const Filter&) = delete;

  void add(std::uint32_t action, const char* name, std::initializer_list<scmp_arg_cmp> when) {
    const int number = seccomp_syscall_resolve_name(name);
    if (failed != 0 || number == __NR_SCMP_ERROR) return;
    failed = seccomp_rule_add_array(context, action, number, static_cast<unsigned>(when.size()),
                                    when.begin());
  }
  void allow(const char* name, std::initializer_list<scmp_arg_cmp> when = {}) {
    add(SCMP_ACT_ALLOW, name, when);
  }
  void answer(const char* name, int error, std::initializer_list<scmp_arg_cmp> when = {}) {
    add(SCMP_ACT_ERRNO(static_cast<std::uint16_t>(error)), name, when);
  }
  void refuse(const char* name, std::initializer_list<scmp_arg_cmp> when = {}) {
    answer(name, EPERM, when);
  }
};

scmp_arg_cmp argument(unsigned index, scmp_compare how, std::uint64_t a, std::uint64_t b = 0) {
  return {index, how, a, b};
}

// Allows the call only for these values of its argument with the index `which`, for example
// requests of ioctl. Only 32 bits of them count.
void allow_only(Filter& filter, const char* name, unsigned which,
                std::initializer_list<std::uint64_t> values) {
  for (const std::uint64_t value : values) {
    filter.allow(name, {argument(which, SCMP_CMP_MASKED_EQ, 0xFFFFFFFF, value)});
  }
}

void add_rules_for_workers(Filter& filter) {
  for (const char* name : kAllowedToWorkers) filter.allow(name);
  // Opening for reading only. Which files that are is Landlock's part, because a filter cannot see
  // paths.
  constexpr std::uint64_t kChanging = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
  filter.allow("open", {argument(1, SCMP_CMP_MASKED_EQ, kChanging, 0)});
  filter.allow("openat", {argument(2, SCMP_CMP_MASKED_EQ, kChanging, 0)});
  allow_only(filter, "ioctl", 1, {TCGETS, TIOCGWINSZ, FIONREAD, FIOCLEX, FIONCLEX});
  for (const char* name : {"fcntl", "fcntl64"}) {
    allow_only(filter, name, 1, {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_GET_SEALS});
  }
  // 0 is the caller itself.
  filter.allow("prlimit64", {argument(0, SCMP_CMP_EQ, 0)});
  const auto self = static_cast<std::uint64_t>(getpid());
  filter.allow("kill", {argument(0, SCMP_CMP_EQ, self)});
  filter.allow("tgkill", {argument(0, SCMP_CMP_EQ, self)});  // abort() signals its own thread
  if (kLeaksAreChecked) {
    for (const char* name : {"ptrace", "clone", "clone3", "wait4", "prctl"}) filter.allow(name);
    return;
  }
  allow_only(filter, "prctl", 0, {PR_SET_NAME, PR_GET_NAME, kNameOfMemory});
  filter.allow("clone", {argument(0, SCMP_CMP_MASKED_EQ, CLONE_THREAD, CLONE_THREAD)});
  // The flags of clone3 are in memory, where a filter cannot look. With ENOSYS the C library falls
  // back to clone.
  filter.answer("clone3", ENOSYS);
}

void add_rules_for_converters(Filter& filter) {
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
  filter.answer("bind", 0);
  filter.answer("listen", 0);
  // With an address in the message it could reach others without connect. LibreOffice does not use
  // these calls.
  filter.refuse("sendmsg");
  filter.refuse("sendmmsg");
}

std::string load(std::uint32_t otherwise, void (*add_rules)(Filter&)) {
  Filter filter(otherwise);
  if (filter.failed == 0) {
    seccomp_attr_set(filter.context, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(EPERM));
    // Both attributes are optional, because old kernels lack them. TSYNC also filters threads that
    // a library started earlier. SSB avoids slowing down the processor as for untrusted code.
    seccomp_attr_set(filter.context, SCMP_FLTATR_CTL_TSYNC, 1);
    seccomp_attr_set(filter.context, SCMP_FLTATR_CTL_SSB, 1);
    // so that the kernel's own error is reported
    seccomp_attr_set(filter.context, SCMP_FLTATR_API_SYSRAWRC, 1);
    // A tree of comparisons; a list as long as that of workers would slow down each call.
    seccomp_attr_set(filter.context, SCMP_FLTATR_CTL_OPTIMIZE, 2);
    add_rules(filter);
  }
  if (filter.failed == 0) filter.failed = seccomp_load(filter.context);
  return filter.failed == 0 ? "" : std::strerror(-filter.failed);
}

}  // namespace

std::string enter_sandbox() { return load(SCMP_ACT_ERRNO(EPERM), add_rules_for_workers); }

std::string enter_converter_sandbox() { return load(SCMP_ACT_ALLOW, add_rules_for_converters); }

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

bool reading_is_refused() {
  const int opened = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const bool refused = opened < 0 && (errno == EACCES || errno == EPERM);
  if (opened >= 0) close(opened);
  return refused;
}

// An empty path names no program, so that nothing can start.
bool programs_are_refused() {
  char* nothing[] = {nullptr};
  return execve("", nothing, nothing) != 0 && errno == EPERM;
}

}  // namespace fineprint::documents
