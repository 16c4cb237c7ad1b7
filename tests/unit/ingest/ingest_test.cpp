// Whole runs over small folders: first, unchanged, changed, damaged, pruned, interrupted.
#include "fineprint/ingest/ingest.h"

#include <chrono>
#include <filesystem>

#include <gtest/gtest.h>

#include "fineprint/core/threads.h"

#include "fake_encoder.h"
#include "ingest/settings.h"
#include "support/temp_dir.h"

namespace fineprint::ingest {
namespace {

namespace fs = std::filesystem;
using fineprint::testing::TempDir;
using testing::Counts;
using testing::fake_encoder;

// A folder to index, a store, and runs from the one into the other.
class Ingest : public ::testing::Test {
 protected:
  Ingest() {
    options_.read.ocr = documents::OcrMode::never;
    options_.reader.workers = 2;
    fs::create_directories(dir_.file("in/sub"));
  }
  void add(const std::string& source, const std::string& name) {
    fs::copy(FINEPRINT_TEST_DATA "/" + source, dir_.file("in/" + name),
             fs::copy_options::overwrite_existing | fs::copy_options::recursive);
  }
  IngestReport run(const std::vector<std::string>& paths) {
    store::Store store(dir_.file("s"), store::Mode::write);
    const IngestReport report = ingest_with(paths, options_, fake_encoder(counts_), store);
    EXPECT_EQ(report.indexed + report.unchanged + report.failed, report.files);
    EXPECT_EQ(store.verify(), std::vector<std::string>());
    return report;
  }
  IngestReport run() { return run({dir_.file("in")}); }
  // A run in which every attempt to read a page would fail.
  IngestReport run_without_workers() {
    options_.reader.program = "/bin/false";
    const IngestReport report = run();
    options_.reader.program.clear();
    return report;
  }
  std::vector<std::string> names() {
    std::vector<std::string> out;
    for (const auto& row : store::Store(dir_.file("s"), store::Mode::read).documents()) {
      out.push_back(row.doc);
    }
    return out;
  }
  using Names = std::vector<std::string>;

  TempDir dir_;
  Counts counts_;
  IngestOptions options_;
};

TEST_F(Ingest, StoresWhatItReads) {
  add("docs/harbor-annual-report.pdf", "report.pdf");
  add("docs/reef-survey-paper.pdf", "sub/paper.pdf");
  const IngestReport report = run();
  EXPECT_EQ(report.indexed, 2);
  EXPECT_TRUE(report.failures.empty());
  EXPECT_EQ(names(), (Names{"report.pdf", "sub/paper.pdf"}));
  const store::Store store(dir_.file("s"), store::Mode::read);
  EXPECT_EQ(store.totals().pages, report.pages);
  const auto row = *store.find("report.pdf");
  EXPECT_EQ(row.page_count, 11);
  EXPECT_EQ(row.path, dir_.file("in/report.pdf"));
  EXPECT_FALSE(row.title.empty());
  EXPECT_FALSE(store.outline(row.id).empty());
  EXPECT_FALSE(store.page(row.id, 4).words.empty());
  EXPECT_EQ(store.lengths("chunk").at(row.id).size(), store.chunks(row.id).size());
  EXPECT_EQ(store.model("text")->hash, "fake");
}

TEST_F(Ingest, GivesEveryChunkItsVector) {
  add("docs/harbor-annual-report.pdf", "report.pdf");
  run();
  const store::Store store(dir_.file("s"), store::Mode::read);
  const auto blocks = store.vectors("text");
  ASSERT_EQ(blocks.size(), 1U);
  const auto chunks = store.chunks(blocks[0].document);
  ASSERT_EQ(blocks[0].rows, chunks.size());
  ASSERT_GT(chunks.size(), 5U);
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const Chunk& chunk = chunks[i].chunk;
    const auto expected = testing::fake_vector(
        chunk.context.empty() ? chunk.text : chunk.context + "\n" + chunk.text);
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), blocks[0].values + i * 4)) << i;
  }
}

TEST_F(Ingest, ReadsNothingWhenNothingChanged) {
  add("docs/harbor-annual-report.pdf", "report.pdf");
  add("docs/reef-survey-paper.pdf", "paper.pdf");
  run();
  const int texts = counts_.texts, loads = counts_.loads;
  const IngestReport report = run_without_workers();
  EXPECT_EQ(report.unchanged, 2);
  EXPECT_EQ(report.pages, 0);
  EXPECT_EQ(counts_.texts, texts);
  EXPECT_EQ(counts_.loads, loads);
}

TEST_F(Ingest, TakesANewTimeWithoutReading) {
  add("docs/rotated-table.pdf", "a.pdf");
  run();
  fs::last_write_time(dir_.file("in/a.pdf"), fs::file_time_type::clock::now());
  EXPECT_EQ(run_without_workers().unchanged, 1);
  fs::permissions(dir_.file("in/a.pdf"), fs::perms::none);  // now not even the hash is needed
  EXPECT_EQ(run_without_workers().unchanged, 1);
}

TEST_F(Ingest, FollowsAFolderThatMoved) {
  add("docs/rotated-table.pdf", "a.pdf");
  run();
  fs::rename(dir_.file("in"), dir_.file("moved"));
  EXPECT_EQ(run({dir_.file("moved")}).unchanged, 1);
  const store::Store store(dir_.file("s"), store::Mode::read);
  EXPECT_EQ(store.find("a.pdf")->path, dir_.file("moved/a.pdf"));
}

TEST_F(Ingest, ReadsAChangedFileAgain) {
  add("docs/rotated-table.pdf", "a.pdf");
  add("docs/reef-survey-paper.pdf", "b.pdf");
  run();
  add("docs/harbor-annual-report.pdf", "a.pdf");
  const IngestReport report = run();
  EXPECT_EQ(report.indexed, 1);
  EXPECT_EQ(report.unchanged, 1);
  EXPECT_EQ(store::Store(dir_.file("s"), store::Mode::read).find("a.pdf")->page_count, 11);
}

TEST_F(Ingest, ReadsAllAgainUnderOtherSettings) {
  add("docs/rotated-table.pdf", "a.pdf");
  options_.scorers = {"bm25"};
  run();
  EXPECT_EQ(counts_.loads, 0);
  EXPECT_TRUE(store::Store(dir_.file("s"), store::Mode::read).vectors("text").empty());
  options_.scorers = {"text", "bm25"};
  EXPECT_EQ(run().indexed, 1);
  EXPECT_EQ(store::Store(dir_.file("s"), store::Mode::read).vectors("text").size(), 1U);
}

TEST_F(Ingest, DropsWhatIsGoneOnlyWhenAsked) {
  add("docs/rotated-table.pdf", "a.pdf");
  add("docs/rotated-table.pdf", "sub/b.pdf");
  run();
  fs::remove(dir_.file("in/a.pdf"));
  EXPECT_EQ(run().removed, 0);
  options_.prune = true;
  fs::create_directories(dir_.file("elsewhere"));
  EXPECT_EQ(run({dir_.file("elsewhere")}).removed, 0);  // a.pdf was not in that folder
  EXPECT_EQ(run().removed, 1);
  EXPECT_EQ(run().removed, 0);
}

TEST_F(Ingest, PrunesTheOlderNameOfAFile) {
  add("docs/rotated-table.pdf", "sub/b.pdf");
  run();
  options_.prune = true;
  EXPECT_EQ(run({dir_.file("in/sub")}).removed, 1);
  EXPECT_EQ(names(), Names{"b.pdf"});
}

TEST_F(Ingest, RecordsOneErrorAFile) {
  for (const char* name : {"encrypted.pdf", "truncated.pdf", "empty.pdf", "x.pdf", "good.pdf"}) {
    add(std::string("odd/") + name, name);
  }
  const IngestReport report = run();
  EXPECT_EQ(names(), Names{"good.pdf"});
  EXPECT_EQ(report.failed, 4);
  ASSERT_EQ(report.failures.size(), 4U);
  EXPECT_EQ(report.failures[0].file, "empty.pdf");
  EXPECT_EQ(report.failures[0].code, ErrorCode::empty);
  EXPECT_EQ(report.failures[1].file, "encrypted.pdf");
  EXPECT_EQ(report.failures[1].code, ErrorCode::encrypted);
  EXPECT_EQ(report.failures[2].file, "truncated.pdf");
  EXPECT_EQ(report.failures[3].file, "x.pdf");
  for (const FailedFile& failure : report.failures) EXPECT_FALSE(failure.message.empty());
  EXPECT_EQ(run().unchanged, 1);
}

TEST_F(Ingest, OpensWithAPassword) {
  add("odd/encrypted.pdf", "e.pdf");
  options_.read.passwords = {"wrong", "secret"};
  EXPECT_EQ(run().indexed, 1);
}

TEST_F(Ingest, RefusesTwoFilesOfOneName) {
  add("docs/rotated-table.pdf", "a.pdf");
  add("docs/harbor-annual-report.pdf", "sub/a.pdf");
  run({dir_.file("in/a.pdf")});
  const IngestReport report = run({dir_.file("in/sub")});
  ASSERT_EQ(report.failures.size(), 1U);
  EXPECT_EQ(report.failures[0].code, ErrorCode::usage);
  EXPECT_EQ(store::Store(dir_.file("s"), store::Mode::read).find("a.pdf")->page_count, 2);
}

TEST_F(Ingest, EndsWhenTheModelFailsAndKeepsWhatWasCommitted) {
  add("docs/rotated-table.pdf", "a.pdf");
  run();
  add("docs/harbor-annual-report.pdf", "b.pdf");
  add("docs/reef-survey-paper.pdf", "c.pdf");
  counts_.fail_after = counts_.texts.load();
  EXPECT_THROW(run(), Error);
  EXPECT_EQ(names(), Names{"a.pdf"});
  counts_.fail_after = 1'000'000;
  EXPECT_EQ(run().indexed, 2);
}

TEST_F(Ingest, RefusesAnotherModelInTheSameStore) {
  add("docs/rotated-table.pdf", "a.pdf");
  run();
  store::Store store(dir_.file("s"), store::Mode::write);
  try {
    ingest_with({dir_.file("in")}, options_, fake_encoder(counts_, "other"), store);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::store);
  }
}

TEST_F(Ingest, StopsWhenInterrupted) {
  add("docs/rotated-table.pdf", "a.pdf");
  set_interrupted(true);
  try {
    run();
    ADD_FAILURE() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::interrupted);
  }
  set_interrupted(false);
  EXPECT_EQ(run().indexed, 1);
}

TEST_F(Ingest, NamesAScorerThatItDoesNotKnow) {
  options_.scorers = {"bm25", "magic"};
  EXPECT_THROW(check_scorers(options_), Error);
}

}  // namespace
}  // namespace fineprint::ingest
