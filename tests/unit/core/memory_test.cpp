// What is left of memory, by the system and by the control groups around a process, and what is
// given back.
#include "fineprint/core/memory.h"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "support/temp_dir.h"

namespace fineprint {
namespace {

constexpr std::int64_t kMiB = 1 << 20;

// A system that tells of 8192 MiB.
class Memory : public ::testing::Test {
 protected:
  Memory() {
    write("proc/meminfo",
          "MemTotal:       16777216 kB\nActive(anon):   10 kB\nHugePages_Total: 0\n"
          "MemAvailable:    8388608 kB\nMemFree:  1024 kB\n");
  }

  void write(const std::string& name, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path(folder_.file(name)).parent_path());
    folder_.write(name, text);
  }
  void write_first(const std::string& group, std::int64_t limit, std::int64_t used,
                   std::int64_t inactive) {
    const std::string at = "sys/fs/cgroup/memory" + group;
    write(at + "/memory.limit_in_bytes", std::to_string(limit) + "\n");
    write(at + "/memory.usage_in_bytes", std::to_string(used) + "\n");
    write(at + "/memory.stat", "inactive_file 7\ntotal_inactive_file " + std::to_string(inactive));
  }
  std::int64_t available() { return available_memory(folder_.path()); }

  testing::TempDir folder_;
};

TEST_F(Memory, IsWhatTheSystemSaysWithoutGroups) { EXPECT_EQ(available(), 8192 * kMiB); }

TEST_F(Memory, IsUnknownWhereTheSystemSaysNothing) {
  write("proc/meminfo", "MemTotal: 16777216 kB\n");
  EXPECT_EQ(available(), 0);
}

TEST_F(Memory, IsBoundedByTheGroup) {
  write("proc/self/cgroup", "0::/job\n");
  write("sys/fs/cgroup/job/memory.max", std::to_string(1000 * kMiB) + "\n");
  write("sys/fs/cgroup/job/memory.current", std::to_string(300 * kMiB) + "\n");
  EXPECT_EQ(available(), 700 * kMiB);
  write("sys/fs/cgroup/job/memory.stat",
        "anon 5\ninactive_file " + std::to_string(100 * kMiB) + "\n");
  EXPECT_EQ(available(), 800 * kMiB);
  write("sys/fs/cgroup/job/memory.max", "max\n");
  EXPECT_EQ(available(), 8192 * kMiB);
}

TEST_F(Memory, IsBoundedByTheGroupsAroundIt) {
  write("proc/self/cgroup", "12:cpu,cpuacct:/a\n4:hugetlb,memory:/a/b/c\n0::/\n");
  write_first("/a/b/c", std::int64_t{0x7FFFFFFFFFFFF000}, 10 * kMiB, 20 * kMiB);
  write_first("/a", 2000 * kMiB, 600 * kMiB, 0);
  EXPECT_EQ(available(), 1400 * kMiB);
  write_first("", 500 * kMiB, 100 * kMiB, 50 * kMiB);
  EXPECT_EQ(available(), 450 * kMiB);
}

TEST_F(Memory, OfAGroupSeenFromInsideIsThatOfItsRoot) {
  write("proc/self/cgroup", "4:memory:/docker/0123\n");
  write_first("", 3000 * kMiB, 1000 * kMiB, 0);
  EXPECT_EQ(available(), 2000 * kMiB);
}

TEST_F(Memory, ThatIsUsedUpIsKnownAllTheSame) {
  write("proc/self/cgroup", "4:memory:/a\n");
  write_first("/a", 100 * kMiB, 101 * kMiB, 0);
  EXPECT_EQ(available(), 1);
}

TEST(MemoryHere, IsTold) { EXPECT_GT(available_memory(), kMiB); }

#if defined(__GLIBC__) && !defined(FINEPRINT_ADDRESS_SANITIZER) && \
    !defined(FINEPRINT_THREAD_SANITIZER)
std::int64_t resident_bytes() {
  std::int64_t all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

// A few blocks in use hold many freed ones fast.
TEST(FreedMemory, GoesBackFromBetweenBlocksInUse) {
  constexpr std::size_t kBlock = 100'000, kBlocks = 1'000;
  std::vector<std::vector<char>> blocks(kBlocks);
  for (auto& block : blocks) block.assign(kBlock, 'x');
  for (std::size_t i = 0; i < kBlocks; ++i) {
    if (i % 20 != 0) blocks[i] = std::vector<char>();
  }
  const std::int64_t kept = resident_bytes();
  return_freed_memory();
  EXPECT_LT(resident_bytes(), kept - 80 * kMiB);
  EXPECT_EQ(blocks[20], std::vector<char>(kBlock, 'x'));
}
#endif

}  // namespace
}  // namespace fineprint
