// Vector segments: what is read from their files, and which of them are joined.
#include "store/vectors/segments.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

#include "sample.h"
#include "store/vectors/joining.h"
#include "support/temp_dir.h"

namespace fineprint::store {
namespace {

using fineprint::testing::TempDir;
using testing::difference;
using testing::put_with_vectors;
using testing::sample_document;

std::ptrdiff_t files_in(const std::string& dir) {
  return std::distance(std::filesystem::directory_iterator(dir), {});
}

std::vector<SegmentUse> of_rows(const std::vector<std::size_t>& rows, std::size_t row_bytes = 16) {
  std::vector<SegmentUse> out;
  for (const std::size_t count : rows) {
    SegmentUse use;
    use.segment.rows = use.live_rows = count;
    use.row_bytes = row_bytes;
    out.push_back(use);
  }
  return out;
}

// A file of one row of two numbers; `blanks` behind its header move them.
std::string small_file(std::size_t blanks) {
  const std::string header = R"({"vectors":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]}})" +
                             std::string(blanks, ' ');
  const std::uint64_t size = header.size();
  const float numbers[] = {1.5F, -2};
  return std::string(reinterpret_cast<const char*>(&size), sizeof size) + header +
         std::string(reinterpret_cast<const char*>(numbers), sizeof numbers);
}

TEST(SegmentMaps, NumbersMustLieWhereTheyCanBeRead) {
  const TempDir dir;
  VectorSet set;
  set.dim = 2;
  int read = 0;
  for (std::size_t blanks = 0; blanks < 4; ++blanks) {
    SegmentRow row;
    row.rows = 1;
    row.file = "a.safetensors";
    dir.write(row.file, small_file(blanks));
    SegmentMaps maps(dir.path());
    if ((small_file(blanks).size() - 8) % 4 != 0) {
      EXPECT_THROW(maps.view(row, set), Error) << blanks;
    } else {
      EXPECT_EQ(static_cast<const float*>(maps.view(row, set).rows.values)[1], -2);
      ++read;
    }
  }
  EXPECT_EQ(read, 1);
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

TEST(SegmentsToJoin, LeavesLargeOnesAloneAndJoinsNoMoreThanAQuarterOfAGigabyte) {
  constexpr std::size_t kMegabyte = std::size_t{1} << 20;
  EXPECT_TRUE(segments_to_join(of_rows(std::vector<std::size_t>(40, 150), kMegabyte)).empty());
  EXPECT_EQ(segments_to_join(of_rows(std::vector<std::size_t>(40, 125), kMegabyte)).size(), 2U);
  auto dead = of_rows(std::vector<std::size_t>(40, 250), kMegabyte);
  for (auto& use : dead) use.live_rows = 50;
  EXPECT_EQ(segments_to_join(dead).size(), 2U);
}

// Rows copied in all stay near n log n, and the number of files stays small.
TEST(SegmentsToJoin, CopiesEachRowFewTimes) {
  std::vector<SegmentUse> segments;
  std::size_t copied = 0;
  for (int i = 0; i < 4000; ++i) {
    segments.push_back(of_rows({10})[0]);
    for (auto chosen = segments_to_join(segments); !chosen.empty();
         chosen = segments_to_join(segments)) {
      std::size_t sum = 0;
      for (const auto& one : chosen) sum += one.live_rows;
      copied += sum;
      for (const auto& one : chosen) {
        segments.erase(std::find_if(segments.begin(), segments.end(),
                                    [&](const auto& s) { return s.live_rows == one.live_rows; }));
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
    documents.push_back(sample_document("d" + std::to_string(i), i, {.pages = 2 + int(i % 3)}));
    put_with_vectors(store, documents.back());
  }
  EXPECT_EQ(files_in(dir.file("s/vectors/text")), 50);
  EXPECT_EQ(files_in(dir.file("s/vectors/late")), 100);
  store.compact();
  EXPECT_LE(files_in(dir.file("s/vectors/text")), 16);
  EXPECT_LE(files_in(dir.file("s/vectors/late")), 16);
  for (const auto& document : documents) EXPECT_EQ(difference(store, document), "");
  EXPECT_TRUE(store.missing_vectors("late").empty());
  EXPECT_LT(store.vectors("late").size(), 100U);  // neighbours have become one part
  EXPECT_EQ(store.verify(), std::vector<std::string>());
}

TEST(Compact, RemovesFilesThatNothingNames) {
  const TempDir dir;
  Store store(dir.file("s"), Mode::write);
  put_with_vectors(store, sample_document("a", 1));
  dir.write("s/vectors/text/00000099.safetensors", "torn");
  store.compact();
  EXPECT_EQ(files_in(dir.file("s/vectors/text")), 1);
}

TEST(Compact, DropsRowsOfReplacedDocuments) {
  const TempDir dir;
  Store store(dir.file("s"), Mode::write);
  for (unsigned i = 0; i < 20; ++i) put_with_vectors(store, sample_document(std::to_string(i), i));
  store.compact();
  for (unsigned i = 0; i < 15; ++i) store.remove(std::to_string(i));
  store.compact();
  std::size_t rows = 0;
  for (const auto& block : store.vectors("text")) rows += block.rows.count;
  EXPECT_EQ(rows, 5U * 4);
  EXPECT_EQ(files_in(dir.file("s/vectors/text")), 1);
  EXPECT_EQ(store.verify(), std::vector<std::string>());
}

// A joined file would get a checksum of its own, and the damage would be hidden for ever.
TEST(Compact, LeavesDamagedSegmentsAsTheyAre) {
  const TempDir dir;
  Store store(dir.file("s"), Mode::write);
  for (unsigned i = 0; i < 20; ++i) put_with_vectors(store, sample_document(std::to_string(i), i));
  std::fstream(dir.file("s/vectors/text/00000001.safetensors"),
               std::ios::in | std::ios::out | std::ios::binary)
          .seekp(-1, std::ios::end)
      << '\x42';
  store.compact();
  EXPECT_TRUE(std::filesystem::exists(dir.file("s/vectors/text/00000001.safetensors")));
  EXPECT_LE(files_in(dir.file("s/vectors/text")), 17);
  ASSERT_EQ(store.verify().size(), 1U);
  EXPECT_NE(store.verify()[0].find("vectors of 0"), std::string::npos) << store.verify()[0];
}

}  // namespace
}  // namespace fineprint::store
