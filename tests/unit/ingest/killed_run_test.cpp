// kill -9 in the middle of a run: the next one goes on.
#include "killed_run.h"

#include <chrono>
#include <csignal>
#include <filesystem>
#include <random>
#include <thread>

#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fineprint/core/files.h"

#include "fake_encoder.h"
#include "support/temp_dir.h"

namespace fineprint::ingest::testing {

IngestOptions quick_options() {
  IngestOptions options;
  options.read.ocr = documents::OcrMode::never;
  options.reader.workers = 1;
  return options;
}

int slow_run(const std::string& folder, const std::string& store) {
  Counts counts;
  counts.delay_ms = 60;
  store::Store open(store, store::Mode::write);
  ingest_with({folder}, quick_options(), fake_encoder(counts), open);
  return 0;
}

namespace {

using fineprint::testing::TempDir;
constexpr int kCopies = 12;

void make_folder(const TempDir& dir) {
  std::filesystem::create_directories(dir.file("in"));
  for (int i = 0; i < kCopies; ++i) {
    std::filesystem::copy_file(FINEPRINT_TEST_DATA "/docs/rotated-table.pdf",
                               dir.file("in/" + std::to_string(i) + ".pdf"));
  }
}

void run_and_kill(const std::string& folder, const std::string& store, int after_ms) {
  std::string program = program_path(), role = "slow-run", in = folder, out = store;
  char* arguments[] = {program.data(), role.data(), in.data(), out.data(), nullptr};
  pid_t child = 0;
  ASSERT_EQ(posix_spawn(&child, program.c_str(), nullptr, nullptr, arguments, environ), 0);
  std::this_thread::sleep_for(std::chrono::milliseconds(after_ms));
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
}

TEST(KilledRun, IsTakenUpWhereItStopped) {
  const TempDir dir;
  make_folder(dir);
  std::mt19937 random(std::random_device{}());
  std::size_t before = 0;
  for (int round = 0; round < 6; ++round) {
    run_and_kill(dir.file("in"), dir.file("s"), 100 + static_cast<int>(random() % 500));
    const store::Store store(dir.file("s"), store::Mode::write);
    EXPECT_EQ(store.verify(), std::vector<std::string>());
    EXPECT_GE(store.documents().size(), before);
    before = store.documents().size();
  }
  Counts counts;
  store::Store store(dir.file("s"), store::Mode::write);
  const auto report = ingest_with({dir.file("in")}, quick_options(), fake_encoder(counts), store);
  EXPECT_EQ(report.unchanged, static_cast<std::int64_t>(before));
  EXPECT_EQ(report.indexed + report.unchanged, kCopies);
  EXPECT_EQ(store.documents().size(), static_cast<std::size_t>(kCopies));
  EXPECT_EQ(store.verify(), std::vector<std::string>());
}

}  // namespace
}  // namespace fineprint::ingest::testing
