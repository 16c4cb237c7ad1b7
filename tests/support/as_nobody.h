// For tests of what a user may not read or write.
#pragma once

#include <filesystem>

#include <gtest/gtest.h>
#include <unistd.h>

namespace fineprint::testing {

// Root may do everything: while this lives, a test that root runs is run by another user, who owns
// `folder` and what lies in it.
class AsNobody {
 public:
  explicit AsNobody(const std::filesystem::path& folder) {
    if (geteuid() != 0) return;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      give(entry.path());
    }
    give(folder);
    EXPECT_EQ(seteuid(kNobody), 0);
  }
  ~AsNobody() { EXPECT_EQ(seteuid(getuid()), 0); }
  AsNobody(const AsNobody&) = delete;
  AsNobody& operator=(const AsNobody&) = delete;

 private:
  static constexpr uid_t kNobody = 65'534;
  static void give(const std::filesystem::path& path) {
    EXPECT_EQ(chown(path.c_str(), kNobody, kNobody), 0);
  }
};

}  // namespace fineprint::testing
