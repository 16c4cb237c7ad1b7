// Files that change while they are read: never half old and half new.
#include <filesystem>
#include <functional>

#include <gtest/gtest.h>

#include "fineprint/core/files.h"
#include "fineprint/core/hash.h"
#include "fineprint/session/source_file.h"

#include "ingest/prepare.h"
#include "support/docs.h"
#include "support/temp_dir.h"

namespace fineprint::ingest {
namespace {

using fineprint::testing::docs;

namespace fs = std::filesystem;

const std::string kReport = docs("harbor-annual-report.pdf");  // 11 pages
const std::string kPaper = docs("reef-survey-paper.pdf");

class ChangingFile : public ::testing::Test {
 protected:
  ChangingFile() : workers_({2, {}, {}, {}}) {
    options_.ocr = documents::OcrMode::never;
    become(kReport);
    opened_.row.doc = "file.pdf";
    opened_.row.path = path_;
    opened_.row.stamp = session::stamp_of(path_);
    opened_.row.hash = file_hash(path_);
    opened_.info = workers_.info(path_, options_);
  }

  void become(const std::string& source) {
    fs::copy_file(source, path_ + ".new", fs::copy_options::overwrite_existing);
    fs::rename(path_ + ".new", path_);
  }

  // `change` is called when so many pages have arrived.
  std::vector<Page> read(std::size_t at, const std::function<void()>& change) {
    std::size_t arrived = 0;
    return read_steady_pages(workers_, &opened_, options_, [&] {
      if (++arrived == at) change();
    });
  }

  std::vector<Page> pages_of(const std::string& source) {
    std::vector<Page> pages;
    workers_.read_pages(source, workers_.info(source, options_), options_,
                        [&](Page page) { pages.push_back(std::move(page)); });
    return pages;
  }

  void expect_same(const std::vector<Page>& pages, const std::string& source) {
    const std::vector<Page> expected = pages_of(source);
    ASSERT_EQ(pages.size(), expected.size());
    for (std::size_t i = 0; i < pages.size(); ++i) EXPECT_EQ(pages[i].words, expected[i].words);
    EXPECT_EQ(opened_.row.hash, file_hash(source));
    EXPECT_EQ(opened_.row.stamp, session::stamp_of(path_));
  }

  testing::TempDir dir_;
  std::string path_ = dir_.file("file.pdf");
  documents::ReadOptions options_;
  documents::DocumentWorkers workers_;
  OpenedDocument opened_;
};

TEST_F(ChangingFile, ThatHoldsStillIsReadOnce) {
  std::size_t arrived = 0;
  const auto pages = read_steady_pages(workers_, &opened_, options_, [&] { ++arrived; });
  EXPECT_EQ(arrived, pages.size());
  expect_same(pages, kReport);
}

TEST_F(ChangingFile, GetsAnOutlineAgainThatWasLetGo) {
  const std::size_t entries = opened_.info.outline.size();
  ASSERT_GT(entries, 0U);
  opened_.info.outline.clear();
  opened_.lacks_outline = true;
  expect_same(read(1, [] {}), kReport);
  EXPECT_EQ(opened_.info.outline.size(), entries);
}

TEST_F(ChangingFile, IsReadAgainAsItIsNow) {
  expect_same(read(2, [&] { become(kPaper); }), kPaper);
  EXPECT_EQ(opened_.info.page_count, static_cast<int>(pages_of(kPaper).size()));
}

TEST_F(ChangingFile, ThatChangedBeforeItWasReadIsReadAsItIsNow) {
  become(kPaper);  // after it was opened
  expect_same(read(0, [] {}), kPaper);
}

TEST_F(ChangingFile, OfTheSameSizeAndTimeIsNoticed) {
  const auto time = fs::last_write_time(path_);
  std::string bytes = read_file(path_);
  const std::size_t at = bytes.find("/Producer");
  ASSERT_NE(at, std::string::npos);
  bytes[at + 1] = 'p';  // a key that nobody reads
  const auto pages = read(3, [&] {
    dir_.write("file.pdf", bytes);
    fs::last_write_time(path_, time);
  });
  EXPECT_EQ(opened_.row.hash, content_hash(bytes));
  EXPECT_EQ(pages.size(), 11U);
}

TEST_F(ChangingFile, WithANewTimeOnlyIsNotReadAgain) {
  std::size_t arrived = 0;
  const auto pages = read_steady_pages(workers_, &opened_, options_, [&] {
    if (++arrived == 1) {
      fs::last_write_time(path_, fs::file_time_type::clock::now() + std::chrono::hours(1));
    }
  });
  EXPECT_EQ(arrived, pages.size());
  EXPECT_EQ(opened_.row.stamp, session::stamp_of(path_));
}

TEST_F(ChangingFile, ThatChangesAgainHasOneStatus) {
  std::size_t arrived = 0;
  const std::string bytes = read_file(kReport);
  const auto change_always = [&] {
    become(dir_.write("other.pdf", bytes + "% " + std::to_string(++arrived) + "\n"));
  };
  try {
    read_steady_pages(workers_, &opened_, options_, change_always);
    ADD_FAILURE() << "it was read after " << arrived << " changes";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unreadable);
    EXPECT_NE(std::string(error.what()).find("changes while it is read"), std::string::npos);
  }
}

TEST_F(ChangingFile, ThatIsGoneIsUnreadable) {
  try {
    read(1, [&] { fs::remove(path_); });
    ADD_FAILURE() << "it was read";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unreadable) << error.what();
  }
}

}  // namespace
}  // namespace fineprint::ingest
