// For tests of what a user may not read or write.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

namespace fineprint::testing {

// Root may do everything: while this lives, it is another user.
class NotRoot {
 public:
  NotRoot() { become(kNobody); }
  ~NotRoot() { become(0); }
  NotRoot(const NotRoot&) = delete;
  NotRoot& operator=(const NotRoot&) = delete;

 private:
  static constexpr uid_t kNobody = 65'534;

  void become(uid_t user) {
    if (was_root_) {
      EXPECT_EQ(seteuid(user), 0);
    }
  }

  bool was_root_ = geteuid() == 0;
};

}  // namespace fineprint::testing
