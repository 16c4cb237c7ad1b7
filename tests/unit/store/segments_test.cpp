// Joining of vector segments.
#include "store/segments.h"

#include <filesystem>

#include <gtest/gtest.h>

#include "sample.h"
#include "support/temp_dir.h"

namespace fineprint::store {
namespace {

using fineprint::testing::TempDir;
using testing::difference;
using testing::sample_document;

std::ptrdiff_t files_in(const std::string& dir) {
  return std::distance(std::filesystem::directory_iterator(dir), {});
}

std::vector<SegmentRow> of_rows(const std::vector<std::size_t>& rows) {
  std::vector<SegmentRow> out;
  for (const std::size_t count : rows) {
    SegmentRow row;
    row.rows = row.live_rows = count;
    row.dim = 4;
    out.push_back(row);
  }
  return out;
}

TEST(SegmentsToJoin, LeavesSixteenAlone) {
  EXPECT_TRUE(segments_to_join(of_rows(std::vector<std::size_t>(16, 10))).empty());
}

TEST(SegmentsToJoin, TakesTheSmallOnesAndLeavesTheLargeOne) {
  auto rows = std::vector<std::size_t>(16, 10);
  rows.insert(rows.begin(), 100'000);
  EXPECT_EQ(segments_to_join(of_rows(rows)).size(), 16U);
}

TEST(SegmentsToJoin, TakesAnyThatIsMostlyDead) {
  auto segments = of_rows({10, 10});
  segments[1].live_rows = 4;
  EXPECT_EQ(segments_to_join(segments).size(), 1U);
}

// Rows copied in all stay near n log n, and the number of files stays small.
TEST(SegmentsToJoin, CopiesEachRowFewTimes) {
  std::vector<SegmentRow> segments;
  std::size_t copied = 0;
  for (int i = 0; i < 4000; ++i) {
    segments.push_back(of_rows({10})[0]);
    for (auto chosen = segments_to_join(segments); !chosen.empty();
         chosen = segments_to_join(segments)) {
      std::size_t sum = 0;
      for (const auto& one : chosen) sum += one.rows;
      copied += sum;
      for (const auto& one : chosen) {
        segments.erase(std::find_if(segments.begin(), segments.end(),
                                    [&](const auto& s) { return s.rows == one.rows; }));
      }
      segments.push_back(of_rows({sum})[0]);
    }
    ASSERT_LE(segments.size(), 16U);
  }
  EXPECT_LT(copied, 40'000U * 12);
}

TEST(Compact, KeepsEveryVectorAndFewFiles) {
  const TempDir dir;
  Store store(dir.file("s"), Mode::write);
  std::vector<NewDocument> documents;
  for (unsigned i = 0; i < 50; ++i) {
    documents.push_back(sample_document("d" + std::to_string(i), i, {.pages = 1 + int(i % 3)}));
    store.put(documents.back());
  }
  EXPECT_EQ(files_in(dir.file("s/vectors/text")), 50);
  store.compact();
  EXPECT_LE(files_in(dir.file("s/vectors/text")), 16);
  for (const auto& document : documents) EXPECT_EQ(difference(store, document), "");
  EXPECT_TRUE(store.verify().empty());
}

TEST(Compact, RemovesFilesThatNothingNames) {
  const TempDir dir;
  Store store(dir.file("s"), Mode::write);
  store.put(sample_document("a", 1));
  dir.write("s/vectors/text/00000099.safetensors", "torn");
  store.compact();
  EXPECT_EQ(files_in(dir.file("s/vectors/text")), 1);
}

TEST(Compact, DropsRowsOfReplacedDocuments) {
  const TempDir dir;
  Store store(dir.file("s"), Mode::write);
  for (unsigned i = 0; i < 20; ++i) store.put(sample_document(std::to_string(i), i));
  store.compact();
  for (unsigned i = 0; i < 15; ++i) store.remove(std::to_string(i));
  store.compact();
  std::size_t rows = 0;
  for (const auto& block : store.vectors("text")) rows += block.rows;
  EXPECT_EQ(rows, 5U * 4);
  EXPECT_EQ(files_in(dir.file("s/vectors/text")), 1);
  EXPECT_TRUE(store.verify().empty());
}

}  // namespace
}  // namespace fineprint::store
