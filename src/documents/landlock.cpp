// Landlock: which files a process may open. It needs no privileges, and knows paths, which seccomp
// filters do not.
#include <cstdint>
#include <cstdlib>

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fineprint/documents/sandbox.h"

namespace fineprint::documents {
namespace {

constexpr std::uint64_t kReading = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;

// All ways to change the file system that the first kernels with Landlock know.
constexpr std::uint64_t kWriting = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                                   LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                                   LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                                   LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                                   LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;

// Truncating files, from the third version of Landlock on. The header used here does not define it.
constexpr std::uint64_t kCutting = std::uint64_t{1} << 14;

// Rights that this process is about to give up, except where a rule allows them.
class Rules {
 public:
  // `handled` are the rights; this kernel may not know all of them.
  explicit Rules(std::uint64_t handled) {
    const long version =
        syscall(SYS_landlock_create_ruleset, nullptr, 0, 1 /* returns the version */);
    if (version < 3) handled &= ~kCutting;
    landlock_ruleset_attr wanted{};
    wanted.handled_access_fs = handled_ = handled;
    rules_ = static_cast<int>(syscall(SYS_landlock_create_ruleset, &wanted, sizeof wanted, 0));
  }
  ~Rules() {
    if (rules_ >= 0) close(rules_);
  }
  Rules(const Rules&) = delete;
  Rules& operator=(const Rules&) = delete;

  // Allows some of the rights for a file, or for a folder with all below it. Returns false if that
  // is not possible, for example because it does not exist.
  bool allow(const char* path, std::uint64_t rights) {
    landlock_path_beneath_attr rule{};
    rule.parent_fd = open(path, O_PATH | O_CLOEXEC);
    if (rule.parent_fd < 0) return false;
    struct stat facts{};
    const bool is_folder = fstat(rule.parent_fd, &facts) == 0 && S_ISDIR(facts.st_mode);
    // Rights to folders make no sense for a file and would be refused.
    constexpr std::uint64_t kOfFiles =
        LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | kCutting;
    rule.allowed_access = rights & handled_ & (is_folder ? ~std::uint64_t{0} : kOfFiles);
    const long added = syscall(SYS_landlock_add_rule, rules_, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(rule.parent_fd);
    return added == 0;
  }

  // Gives up the rights for good. Returns false if the kernel cannot do that.
  bool enforce() const {
    return rules_ >= 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           syscall(SYS_landlock_restrict_self, rules_, 0) == 0;
  }

 private:
  std::uint64_t handled_ = 0;
  int rules_ = -1;
};

}  // namespace

bool confine_writing(const std::string& folder) {
  Rules rules(kWriting | kCutting);
  return rules.allow(folder.c_str(), kWriting | kCutting) &&
         rules.allow("/dev/null", kWriting | kCutting) && rules.enforce();
}

bool confine_reading(const std::vector<std::string>& readable) {
  // Also refuses to execute files, and all writing, as the filter does.
  Rules rules(kReading | kWriting | kCutting | LANDLOCK_ACCESS_FS_EXECUTE);
  for (const std::string& path : readable) rules.allow(path.c_str(), kReading);
  return rules.enforce();
}

}  // namespace fineprint::documents
