// kill -9 in the middle of a run: the next one goes on.
#include "killed_run.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <thread>

#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fineprint/core/error.h"
#include "fineprint/core/running_program.h"

#include "fake_encoder.h"
#include "support/docs.h"
#include "support/temp_dir.h"

namespace fineprint::ingest::testing {

namespace {

constexpr int kCopies = 12;
constexpr int kKillsAStore = 12;

// FINEPRINT_TEST_KILLS makes it more or fewer.
int kills_wanted() {
  const char* text = std::getenv("FINEPRINT_TEST_KILLS");
  return text == nullptr ? 100 : std::atoi(text);
}

IngestOptions quick_options() {
  IngestOptions options;
  options.read.ocr = documents::OcrMode::never;
  options.document_workers.workers = 1;
  options.retrievers = {"late", "late-text"};
  options.map = "heuristic";
  options.elements = true;
  return options;
}

}  // namespace

int slow_run(const std::string& folder, const std::string& store, int delay_ms) {
  Counts counts;
  counts.delay_ms = delay_ms;
  store::Store open(store, store::Mode::write);
  ingest_with({folder}, quick_options(), fake_encoders(counts), open);
  return 0;
}

namespace {

using fineprint::testing::docs;
using fineprint::testing::TempDir;

void make_folder(const TempDir& dir) {
  std::filesystem::create_directories(dir.file("in"));
  for (int i = 0; i < kCopies; ++i) {
    std::filesystem::copy_file(docs("rotated-table.pdf"),
                               dir.file("in/" + std::to_string(i) + ".pdf"));
  }
}

// Kills a run as soon as `wait` returns.
void run_and_kill(const std::string& folder, const std::string& store, int delay_ms,
                  const std::function<void()>& wait) {
  std::string program = program_path(), role = "slow-run", in = folder, out = store,
              delay = std::to_string(delay_ms);
  char* arguments[] = {program.data(), role.data(), in.data(), out.data(), delay.data(), nullptr};
  pid_t child = 0;
  ASSERT_EQ(posix_spawn(&child, program.c_str(), nullptr, nullptr, arguments, environ), 0);
  wait();
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
}

void run_and_kill(const std::string& folder, const std::string& store, int delay_ms, int after_ms) {
  run_and_kill(folder, store, delay_ms,
               [&] { std::this_thread::sleep_for(std::chrono::milliseconds(after_ms)); });
}

// Units of all sets that have vectors.
std::size_t embedded_units(const store::Store& store) {
  std::size_t units = 0;
  for (const auto& set : store.vector_sets()) {
    for (const auto& block : store.vectors(set.name)) units += block.units;
  }
  return units;
}

std::int64_t mapped_documents(const store::Store& store) {
  std::int64_t maps = 0;
  for (const auto& row : store.documents()) maps += store.document_map(row.id) ? 1 : 0;
  return maps;
}

// Elements of all maps.
std::size_t mapped_elements(const store::Store& store) {
  std::size_t elements = 0;
  for (const auto& [document, pages] : store.element_pages()) elements += pages.size();
  return elements;
}

// Kills while documents are read, while text is embedded, while pages and elements are; then the
// next run makes what is missing and nothing else.
void kill_and_go_on(const std::string& folder, const std::string& path, std::mt19937& random) {
  std::size_t documents = 0, units = 0;
  std::int64_t maps = 0;
  for (int round = 0; round < kKillsAStore; ++round) {
    run_and_kill(folder, path, 10, 50 + static_cast<int>(random() % 350));
    const store::Store store(path, store::Mode::write);
    EXPECT_EQ(store.verify(), std::vector<std::string>());
    EXPECT_GE(store.documents().size(), documents);
    EXPECT_GE(embedded_units(store), units);
    EXPECT_GE(mapped_documents(store), maps);
    documents = store.documents().size();
    units = embedded_units(store);
    maps = mapped_documents(store);
  }
  Counts counts;
  store::Store store(path, store::Mode::write);
  const auto report = ingest_with({folder}, quick_options(), fake_encoders(counts), store);
  EXPECT_EQ(report.unchanged, static_cast<std::int64_t>(documents));
  EXPECT_EQ(report.indexed + report.unchanged, kCopies);
  EXPECT_EQ(store.documents().size(), static_cast<std::size_t>(kCopies));
  EXPECT_EQ(report.maps, kCopies - maps);
  EXPECT_EQ(mapped_documents(store), kCopies);
  const auto chunks = static_cast<std::size_t>(store.totals().chunks);
  const std::size_t elements = mapped_elements(store);
  EXPECT_GT(elements, 0U);
  // text, late-text; 2 pages each; elements by all three
  EXPECT_EQ(embedded_units(store), 2 * chunks + 2 * kCopies + 3 * elements);
  EXPECT_EQ(static_cast<std::size_t>(counts.texts + counts.pages), embedded_units(store) - units);
  EXPECT_EQ(store.verify(), std::vector<std::string>());
}

TEST(KilledRun, IsTakenUpWhereItStopped) {
  const TempDir dir;
  make_folder(dir);
  std::mt19937 random(std::random_device{}());
  for (int killed = 0; killed < kills_wanted(); killed += kKillsAStore) {
    kill_and_go_on(dir.file("in"), dir.file("s" + std::to_string(killed)), random);
  }
}

// The run that follows finds all documents unchanged and folds what waits all the same.
TEST(KilledRun, IsTidiedUpByARunThatFindsNothingToDo) {
  const TempDir dir;
  make_folder(dir);
  {
    Counts counts;
    store::Store store(dir.file("s"), store::Mode::write);
    ingest_with({dir.file("in")}, quick_options(), fake_encoders(counts), store);
  }
  const std::string left = dir.file("s/postings/page/00000009.postings.tmp-1-0");
  std::ofstream(left) << "half of a segment";
  Counts counts;
  store::Store store(dir.file("s"), store::Mode::write);
  const auto report = ingest_with({dir.file("in")}, quick_options(), fake_encoders(counts), store);
  EXPECT_EQ(report.unchanged, kCopies);
  EXPECT_FALSE(std::filesystem::exists(left));
}

bool has_vectors(const std::string& path, const std::string& set) {
  try {
    return !store::Store(path, store::Mode::read).vectors(set).empty();
  } catch (const Error&) {
    return false;  // there is no store yet
  }
}

// Of one long document parts are stored every 5 seconds, and kept.
TEST(KilledRun, KeepsPartsOfADocument) {
  const TempDir dir;
  std::filesystem::create_directories(dir.file("in"));
  std::filesystem::copy_file(docs("harbor-annual-report.pdf"), dir.file("in/a.pdf"));
  run_and_kill(dir.file("in"), dir.file("s"), 1500, [&] {
    for (int i = 0; i < 600 && !has_vectors(dir.file("s"), "late"); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  });
  store::Store store(dir.file("s"), store::Mode::write);
  const auto missing = store.missing_vectors("late");
  ASSERT_EQ(missing.size(), 1U);
  const store::UnitRange rest = missing.begin()->second.at(0);
  EXPECT_GT(rest.first, 0U);
  Counts counts;
  ingest_with({dir.file("in")}, quick_options(), fake_encoders(counts), store);
  EXPECT_EQ(static_cast<std::size_t>(counts.pages), rest.count + mapped_elements(store));
  EXPECT_TRUE(store.missing_vectors("late").empty());
}

}  // namespace
}  // namespace fineprint::ingest::testing
