// Cores that control groups grant; what they leave of memory is in memory_test.cpp.
#include "core/cgroup.h"

#include <filesystem>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "support/temp_dir.h"

namespace fineprint {
namespace {

class Cgroup : public ::testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path(folder_.file(name)).parent_path());
    folder_.write(name, text);
  }
  void write_first(const std::string& group, const std::string& quota) {
    write("sys/fs/cgroup/cpu" + group + "/cpu.cfs_quota_us", quota + "\n");
    write("sys/fs/cgroup/cpu" + group + "/cpu.cfs_period_us", "100000\n");
  }
  int cores() { return cgroup_cores(folder_.path()); }

  testing::TempDir folder_;
};

TEST(Cores, QuotasAreRoundedUp) {
  EXPECT_EQ(cores_of_quota("200000 100000"), 2);
  EXPECT_EQ(cores_of_quota("150000 100000"), 2);
  EXPECT_EQ(cores_of_quota("10000 100000\n"), 1);
  for (const char* none : {"max 100000", "", "-1 100000", "5", "1 0", "x y"}) {
    EXPECT_EQ(cores_of_quota(none), std::nullopt) << none;
  }
}

TEST_F(Cgroup, NothingLimitsWhereThereIsNone) {
  EXPECT_EQ(cores(), std::numeric_limits<int>::max());
}

TEST_F(Cgroup, TheTightestOnTheWayUpCounts) {
  write("proc/self/cgroup", "1:name=x:/y\n0::/a/b\n");
  write("sys/fs/cgroup/a/cpu.max", "300000 100000");
  write("sys/fs/cgroup/a/b/cpu.max", "max 100000");
  write("sys/fs/cgroup/y/cpu.max", "100000 100000");  // another hierarchy's
  EXPECT_EQ(cores(), 3);
  write("sys/fs/cgroup/cpu.max", "100000 100000");
  EXPECT_EQ(cores(), 1);
}

TEST_F(Cgroup, OfVersionOneTheOwnGroupCountsToo) {
  write("proc/self/cgroup", "7:cpuset:/z\n4:cpu,cpuacct:/job/7\n0::/\n");
  write_first("", "-1");
  write_first("/job", "600000");
  write_first("/z", "100000");
  EXPECT_EQ(cores(), 6);
  write_first("/job/7", "250000");
  EXPECT_EQ(cores(), 3);
}

TEST_F(Cgroup, OfVersionOneSeenFromInsideIsTheRoot) {
  write_first("", "250000");
  EXPECT_EQ(cores(), 3);
  write("proc/self/cgroup", "4:cpu,cpuacct:/docker/0123\n");
  EXPECT_EQ(cores(), 3);
}

}  // namespace
}  // namespace fineprint
