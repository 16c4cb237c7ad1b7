// Whole runs over small folders: first, unchanged, changed, damaged, pruned, interrupted.
#include "fineprint/ingest/ingest.h"

#include <filesystem>

#include <gtest/gtest.h>
#include <unistd.h>

#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"
#include "fineprint/core/threads.h"

#include "ingest/reading_settings.h"
#include "ingest_fixture.h"
#include "support/as_nobody.h"

namespace fineprint::ingest::testing {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

class Ingest : public IngestTest {};

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
  ASSERT_EQ(sets(), Names{"text"});
  EXPECT_EQ(store.vector_sets()[0].hash, "text:default");
}

// A PDF of one page with so many entries in its outline.
std::string pdf_with_outline(int entries) {
  constexpr int kFirst = 6;
  const std::string content = "BT /F1 12 Tf 20 50 Td (words) Tj ET";
  std::string pdf =
      "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R/Outlines 5 0 R>>endobj\n"
      "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
      "3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Contents 4 0 R/Resources<</Font<</F1"
      "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>endobj\n" +
      fineprint::format("4 0 obj<</Length {}>>stream\n{}\nendstream endobj\n", content.size(),
                        content) +
      fineprint::format("5 0 obj<</First {} 0 R/Last {} 0 R/Count {}>>endobj\n", kFirst,
                        kFirst + entries - 1, entries);
  for (int i = 0; i < entries; ++i) {
    const bool last = i + 1 == entries;
    pdf += fineprint::format(
        "{} 0 obj<</Title({})/Parent 5 0 R/Dest[3 0 R/Fit]{}>>endobj\n", kFirst + i, i,
        last ? std::string() : fineprint::format("/Next {} 0 R", kFirst + i + 1));
  }
  return pdf + "trailer<</Root 1 0 R>>\n";
}

// More entries than wait in memory for their documents' turns.
TEST_F(Ingest, StoresLongOutlinesWhole) {
  constexpr int kEntries = 40'000;
  dir_.write("in/a.pdf", pdf_with_outline(kEntries));
  dir_.write("in/b.pdf", pdf_with_outline(kEntries + 1));
  add("docs/harbor-annual-report.pdf", "report.pdf");
  EXPECT_EQ(run().indexed, 3);
  const store::Store store(dir_.file("s"), store::Mode::read);
  const auto entries = [&](const char* doc) { return store.outline(store.find(doc)->id).size(); };
  EXPECT_EQ(entries("a.pdf"), std::size_t{kEntries});
  EXPECT_EQ(entries("b.pdf"), std::size_t{kEntries + 1});
  EXPECT_EQ(store.outline(store.find("a.pdf")->id).back().page, 1);
  EXPECT_GT(entries("report.pdf"), 0U);
}

TEST_F(Ingest, GivesEveryChunkItsVector) {
  add("docs/harbor-annual-report.pdf", "report.pdf");
  const IngestReport report = run();
  const auto stored = vectors("text");
  const store::Store store(dir_.file("s"), store::Mode::read);
  const auto chunks = store.chunks(store.find("report.pdf")->id);
  ASSERT_EQ(stored.size(), chunks.size());
  ASSERT_GT(chunks.size(), 5U);
  EXPECT_EQ(report.vectors.at("text"), static_cast<std::int64_t>(chunks.size()));
  for (std::uint32_t i = 0; i < chunks.size(); ++i) {
    const Chunk& chunk = chunks[i].chunk;
    const std::string text = chunk.context.empty() ? chunk.text : chunk.context + "\n" + chunk.text;
    EXPECT_EQ(stored.at({"report.pdf", i}), fake_vectors("int8:", text).values) << i;
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
  run();
  options_.read.ocr = documents::OcrMode::automatic;
  EXPECT_EQ(run().indexed, 1);
}

TEST_F(Ingest, AddsVectorsLaterWithoutReading) {
  add("docs/rotated-table.pdf", "a.pdf");
  options_.scorers = {"bm25"};
  run();
  EXPECT_EQ(counts_.loads, 0);
  EXPECT_EQ(sets(), Names());
  options_.scorers = {"text", "bm25"};
  EXPECT_EQ(run_without_workers().unchanged, 1);
  EXPECT_FALSE(vectors("text").empty());
}

// A PDF whose object 3 is a page with this content.
std::string pdf_of(const std::string& content, const std::string& kids) {
  return "%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[" + kids +
         "]/Count " + std::to_string(kids.size() / 5) +
         ">>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Contents 4 0 R"
         "/Resources<</Font<</F1 5 0 R>>>>>>endobj\n4 0 obj<</Length " +
         std::to_string(content.size()) + ">>stream\n" + content +
         "\nendstream endobj\n5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\n"
         "trailer<</Root 1 0 R>>\n";
}

TEST_F(Ingest, ADocumentWithoutAReadablePageHasItsPagesCode) {
  std::string deep;
  for (int i = 0; i < 100'000; ++i) deep += "q ";
  dir_.write("in/deep.pdf", pdf_of(deep, "3 0 R"));
  const IngestReport report = run();
  ASSERT_EQ(report.failures.size(), 1U);
  EXPECT_EQ(code_name(report.failures[0].code), "too_large") << report.failures[0].message;
  EXPECT_FALSE(report.failures[0].kept);
}

TEST_F(Ingest, ADocumentThatLacksAPageIsKeptAndSaysSo) {
  dir_.write("in/half.pdf", pdf_of("BT /F1 9 Tf 9 9 Td (words) Tj ET", "3 0 R 9 0 R"));
  const IngestReport report = run();
  EXPECT_EQ(report.indexed, 1);
  ASSERT_EQ(report.failures.size(), 1U);
  EXPECT_EQ(code_name(report.failures[0].code), "damaged");
  EXPECT_TRUE(report.failures[0].kept);
}

TEST_F(Ingest, SettingsThatReadOtherwiseAreOthers) {
  add("docs/rotated-table.pdf", "a.pdf");
  const KnownEncoder encoder = fake_encoders(counts_)("");
  const ReadingSettings settings(options_, encoder);
  EXPECT_TRUE(settings.mean_the_same_as(settings.hash_for("a.pdf"), "a.pdf"));
  IngestOptions finer = options_;
  finer.read.ocr_dpi += 100;
  EXPECT_FALSE(
      settings.mean_the_same_as(ReadingSettings(finer, encoder).hash_for("a.pdf"), "a.pdf"));
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

TEST_F(Ingest, DoesNotTakeForGoneWhatItCannotSee) {
  add("docs/rotated-table.pdf", "a.pdf");
  add("docs/rotated-table.pdf", "sub/b.pdf");
  run();
  options_.prune = true;
  const fineprint::testing::AsNobody nobody(dir_.path());
  fs::permissions(dir_.file("in/sub"), fs::perms::none);
  const IngestReport report = run();
  EXPECT_EQ(report.removed, 0);
  EXPECT_EQ(report.unchanged, 1);
  ASSERT_EQ(report.failures.size(), 1U);
  EXPECT_NE(report.failures[0].message.find("cannot be listed"), std::string::npos);
  // It can be listed, but not looked into.
  fs::permissions(dir_.file("in/sub"), fs::perms::owner_read);
  EXPECT_EQ(run().removed, 0);
  fs::permissions(dir_.file("in/sub"), fs::perms::owner_all);
  EXPECT_EQ(run().unchanged, 2);
}

TEST_F(Ingest, AFileKeepsItsNameWhenAnotherFolderIsNamed) {
  add("docs/rotated-table.pdf", "sub/b.pdf");
  run();
  options_.prune = true;
  const IngestReport report = run({dir_.file("in/sub")});
  EXPECT_EQ(report.unchanged, 1);
  EXPECT_EQ(report.removed, 0);
  EXPECT_EQ(names(), Names{"sub/b.pdf"});
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
  for (const FailedFile& failure : report.failures) {
    EXPECT_FALSE(failure.message.empty());
    EXPECT_FALSE(failure.known);
    EXPECT_EQ(failure.path, dir_.file("in/" + failure.file));
  }
  EXPECT_TRUE(has_new_failures(report));
  EXPECT_EQ(run().unchanged, 1);
}

TEST_F(Ingest, LeavesAFileThatFailedAloneWhileItStaysAsItIs) {
  for (const char* name : {"encrypted.pdf", "truncated.pdf", "empty.pdf", "x.pdf"}) {
    add(std::string("odd/") + name, name);
  }
  const IngestReport first = run();
  const IngestReport again = run();
  EXPECT_EQ(again.failed, 4);
  EXPECT_EQ(again.known, 4);
  EXPECT_FALSE(has_new_failures(again));
  ASSERT_EQ(again.failures.size(), 4U);
  for (std::size_t i = 0; i < again.failures.size(); ++i) {
    EXPECT_EQ(again.failures[i].code, first.failures[i].code);
    EXPECT_EQ(again.failures[i].message, first.failures[i].message);
    EXPECT_TRUE(again.failures[i].known);
  }
  // Another content, another limit, a password, or being asked for.
  add("odd/good.pdf", "empty.pdf");
  IngestReport report = run();
  EXPECT_EQ(report.indexed, 1);
  EXPECT_EQ(report.known, 3);
  options_.read.passwords = {"secret"};
  report = run();
  EXPECT_EQ(report.indexed, 1);
  EXPECT_EQ(report.known, 2);
  options_.document_workers.limits.max_pages = 7;
  report = run();
  EXPECT_EQ(report.known, 1);  // what is no file is not opened
  EXPECT_TRUE(has_new_failures(report));
  EXPECT_FALSE(has_new_failures(run()));
  options_.retry_failed = true;
  EXPECT_TRUE(has_new_failures(run()));
}

TEST_F(Ingest, ForgetsAFailedFileThatIsGone) {
  add("odd/empty.pdf", "empty.pdf");
  run();
  EXPECT_EQ(reader().unread_files().size(), 1U);
  fs::remove(dir_.file("in/empty.pdf"));
  run();
  EXPECT_TRUE(reader().unread_files().empty());
}

TEST_F(Ingest, WorkersThatDoNotWorkAreNoFilesFault) {
  add("odd/good.pdf", "good.pdf");
  EXPECT_EQ(run_without_workers().failed, 1);
  EXPECT_EQ(run().indexed, 1);
}

TEST_F(Ingest, AMissingPathIsOneFailureAmongTheOthers) {
  add("odd/good.pdf", "good.pdf");
  const IngestReport report = run({dir_.file("nowhere"), dir_.file("in")});
  EXPECT_EQ(report.indexed, 1);
  ASSERT_EQ(report.failures.size(), 1U);
  EXPECT_EQ(report.failures[0].code, ErrorCode::unreadable);
  EXPECT_EQ(report.failures[0].path, dir_.file("nowhere"));
  // It may come back: nothing of it is dropped, and it is told of again.
  options_.prune = true;
  fs::rename(dir_.file("in"), dir_.file("away"));
  fs::create_directory(dir_.file("other"));
  const IngestReport gone = run({dir_.file("in"), dir_.file("other")});
  EXPECT_EQ(gone.removed, 0);
  EXPECT_TRUE(has_new_failures(run({dir_.file("in"), dir_.file("other")})));
  EXPECT_EQ(names(), Names{"good.pdf"});
}

TEST_F(Ingest, NamesWhatItSkips) {
  add("odd/good.pdf", "good.pdf");
  add("odd/good.pdf", "sub/report");
  add("odd/good.pdf", "sub/report.zzz");
  const IngestReport report = run();
  EXPECT_EQ(names(), (Names{"good.pdf", "sub/report"}));
  ASSERT_EQ(report.skipped.size(), 1U);
  EXPECT_EQ(report.skipped[0].file, "sub/report.zzz");
  EXPECT_EQ(report.skipped[0].path, dir_.file("in/sub/report.zzz"));
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

TEST_F(Ingest, FilesOfOneNameGetTheFoldersThatTellThemApart) {
  add("docs/rotated-table.pdf", "a/2024/r.pdf");
  add("docs/harbor-annual-report.pdf", "b/2024/r.pdf");
  add("docs/rotated-table.pdf", "b/other.pdf");
  const IngestReport report = run({dir_.file("in/a"), dir_.file("in/b")});
  EXPECT_TRUE(report.failures.empty());
  EXPECT_EQ(names(), (Names{"a/2024/r.pdf", "b/2024/r.pdf", "other.pdf"}));
  EXPECT_EQ(store::Store(dir_.file("s"), store::Mode::read).find("b/2024/r.pdf")->page_count, 11);
  // Each keeps its name when it is named alone, and nothing is read again.
  EXPECT_EQ(run({dir_.file("in/a")}).unchanged, 1);
  EXPECT_EQ(run({dir_.file("in/b/2024/r.pdf"), dir_.file("in/a/2024/r.pdf")}).unchanged, 2);
  EXPECT_EQ(names(), (Names{"a/2024/r.pdf", "b/2024/r.pdf", "other.pdf"}));
}

// Moved into the place of another, with its size and time.
TEST_F(Ingest, AReplacedFileIsReadAgainThoughSizeAndTimeAreEqual) {
  dir_.write("in/toll.txt", "The toll is 25 crowns.");
  dir_.write("other.txt", "The toll is 63 crowns.");
  const fs::path toll = dir_.file("in/toll.txt"), other = dir_.file("other.txt");
  fs::last_write_time(other, fs::last_write_time(toll));
  EXPECT_EQ(run().indexed, 1);
  EXPECT_EQ(run().unchanged, 1);
  fs::rename(other, toll);
  EXPECT_EQ(run().indexed, 1);
  EXPECT_EQ(page_text(reader().page(reader().find("toll.txt")->id, 1)), "The toll is 63 crowns.");
}

// As after copying a folder and its store to another machine.
TEST_F(Ingest, ACopyOfTheSameContentIsNotReadAgain) {
  dir_.write("in/toll.txt", "The toll is 25 crowns.");
  const fs::path toll = dir_.file("in/toll.txt"), copy = dir_.file("copy.txt");
  run();
  const auto before = reader().find("toll.txt");
  fs::copy_file(toll, copy);
  fs::last_write_time(copy, fs::last_write_time(toll));
  fs::rename(copy, toll);
  EXPECT_EQ(run().unchanged, 1);
  const auto after = reader().find("toll.txt");
  EXPECT_EQ(after->id, before->id);
  EXPECT_NE(after->stamp.identity, before->stamp.identity);
  EXPECT_EQ(after->settings, before->settings);
}

TEST_F(Ingest, EndsWhenTheModelFailsAndKeepsWhatWasCommitted) {
  add("docs/rotated-table.pdf", "a.pdf");
  run();
  const auto before = vectors("text");
  add("docs/harbor-annual-report.pdf", "b.pdf");
  counts_.fail_after = counts_.texts.load();
  failure(ErrorCode::model);
  EXPECT_EQ(vectors("text"), before);
  counts_.fail_after = 1'000'000;
  const IngestReport report = run();
  EXPECT_EQ(report.indexed + report.unchanged, 2);
  EXPECT_GT(vectors("text").size(), before.size());
}

// Twelve small documents, every one another.
void add_small_documents(const fineprint::testing::TempDir& dir) {
  for (int i = 0; i < 12; ++i) {
    dir.write(fineprint::format("in/{}.pdf", i),
              pdf_of(fineprint::format("BT /F1 9 Tf 9 9 Td (words of {}) Tj ET", i), "3 0 R"));
  }
}

TEST_F(Ingest, SeveralDocumentsAtATimeAreStoredAsOneByOne) {
  add_small_documents(dir_);
  add("docs/harbor-annual-report.pdf", "report.pdf");
  for (const char* name : {"encrypted.pdf", "truncated.pdf"}) add(std::string("odd/") + name, name);
  options_.document_workers.workers = 1;
  const IngestReport one_by_one = run();
  const auto their_vectors = vectors("text");
  const auto their_names = names();
  fs::remove_all(dir_.file("s"));
  options_.document_workers.workers = 3;
  const IngestReport report = run();
  EXPECT_EQ(report.indexed, 13);
  EXPECT_EQ(report.pages, 12 + 11);
  EXPECT_EQ(report.pages, one_by_one.pages);
  EXPECT_EQ(report.vectors, one_by_one.vectors);
  EXPECT_EQ(names(), their_names);
  EXPECT_EQ(vectors("text"), their_vectors);
  ASSERT_EQ(report.failures.size(), one_by_one.failures.size());
  for (std::size_t i = 0; i < report.failures.size(); ++i) {
    EXPECT_EQ(report.failures[i].message, one_by_one.failures[i].message);
  }
}

TEST_F(Ingest, WhatEndsOneDocumentsThreadEndsTheRun) {
  add_small_documents(dir_);
  options_.document_workers.workers = 3;
  counts_.fail_after = 3;
  EXPECT_NE(failure(ErrorCode::model).find("the model broke"), std::string::npos);
  counts_.fail_after = 1'000'000;
  const IngestReport report = run();
  EXPECT_EQ(report.indexed + report.unchanged, 12);
  EXPECT_EQ(vectors("text").size(), 12U);
}

TEST_F(Ingest, SmallDocumentsShareACallOfTheEncoder) {
  add_small_documents(dir_);
  options_.scorers = {"bm25"};
  run();
  EXPECT_EQ(counts_.text_calls, 0);
  options_.scorers = {"bm25", "text"};
  EXPECT_EQ(run().vectors.at("text"), 12);
  EXPECT_EQ(counts_.text_calls, 1);
  EXPECT_EQ(counts_.texts, 12);
  const store::Store store = reader();
  for (const auto& [unit, values] : vectors("text")) {
    const auto chunk = store.chunk(store.find(unit.first)->id, unit.second).chunk;
    EXPECT_EQ(values,
              fake_vectors("int8:",
                           chunk.context.empty() ? chunk.text : chunk.context + "\n" + chunk.text)
                  .values);
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

TEST_F(Ingest, NamesAScorerThatItCannotPrepare) {
  options_.scorers = {"bm25", "magic"};
  EXPECT_NE(failure(ErrorCode::usage).find("magic"), std::string::npos);
}

}  // namespace
}  // namespace fineprint::ingest::testing
