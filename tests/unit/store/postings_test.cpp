// The keyword index in a store: waiting, folded, joined, damaged.
#include "store/postings/postings.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/store/store.h"

#include "sample.h"
#include "support/temp_dir.h"

namespace fineprint::store {
namespace {

using fineprint::testing::TempDir;
using testing::difference;
using testing::sample_document;

std::vector<std::string> files_of(const TempDir& dir, const std::string& field = "chunk") {
  std::vector<std::string> out;
  std::error_code missing;
  for (const auto& entry :
       std::filesystem::directory_iterator(dir.file("s/postings/" + field), missing)) {
    out.push_back(entry.path());
  }
  return out;
}

void flip_byte(const std::string& path, std::int64_t from_end) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(-from_end, std::ios::end);
  const char byte = static_cast<char>(file.peek() ^ 0x20);
  file.seekp(-from_end, std::ios::end);
  file << byte;
}

std::string name_of(unsigned i) { return "d" + std::to_string(i); }

NewDocument document(unsigned i) {
  return sample_document(name_of(i), i, {.pages = 1 + static_cast<int>(i % 3)});
}

template <class Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::store);
    return error.what();
  }
  return "";
}

TEST(Postings, WaitInTheCatalogueUntilTheyAreFolded) {
  const TempDir dir;
  Store store(dir.file("s"), Mode::write);
  for (unsigned i = 0; i < 4; ++i) store.put(document(i));
  EXPECT_TRUE(files_of(dir).empty());
  EXPECT_EQ(store.postings("chunk").size(), 1U);
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(difference(store, document(i)), "");
  store.compact();
  EXPECT_EQ(files_of(dir).size(), 1U);
  EXPECT_EQ(files_of(dir, "page").size(), 1U);
  for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(difference(store, document(i)), "");
  store.put(document(4));
  EXPECT_EQ(store.postings("chunk").size(), 2U);
  for (unsigned i = 0; i < 5; ++i) EXPECT_EQ(difference(store, document(i)), "");
  EXPECT_TRUE(store.postings("no such field").empty());
  EXPECT_EQ(store.verify(), std::vector<std::string>());
}

TEST(Postings, OfReplacedAndRemovedDocumentsAreDead) {
  const TempDir dir;
  Store store(dir.file("s"), Mode::write);
  for (unsigned i = 0; i < 4; ++i) store.put(document(i));
  store.compact();
  auto changed = document(1);
  changed = sample_document(name_of(1), 77);
  store.put(changed);
  store.remove(name_of(2));
  EXPECT_EQ(difference(store, changed), "");
  const auto segments = store.postings("chunk");
  ASSERT_EQ(segments.size(), 2U);
  std::vector<bool> live;
  for (const auto& held : segments[0]->documents()) live.push_back(held.live);
  EXPECT_EQ(live, (std::vector<bool>{true, false, false, true}));
  store.compact();
  EXPECT_EQ(files_of(dir).size(), 1U);
  EXPECT_EQ(store.postings("chunk")[0]->documents().size(), 3U);
  EXPECT_EQ(difference(store, changed), "");
  EXPECT_EQ(difference(store, document(0)), "");
  EXPECT_EQ(store.verify(), std::vector<std::string>());
}

TEST(Postings, LeaveNoFileWhenEveryDocumentIsGone) {
  const TempDir dir;
  Store store(dir.file("s"), Mode::write);
  store.put(document(1));
  store.compact();
  store.remove(name_of(1));
  store.compact();
  EXPECT_TRUE(files_of(dir).empty());
  EXPECT_TRUE(store.postings("chunk").empty());
}

TEST(Postings, StayInFewFilesWhileDocumentsCome) {
  const TempDir dir;
  Store store(dir.file("s"), Mode::write);
  for (unsigned i = 0; i < 60; ++i) {
    store.put(document(i));
    if (i % 2 == 1) store.compact();
    EXPECT_LE(files_of(dir).size(), 6U);
  }
  for (unsigned i = 0; i < 60; ++i) EXPECT_EQ(difference(store, document(i)), "");
  EXPECT_EQ(store.verify(), std::vector<std::string>());
}

TEST(Postings, AreKeptByAReaderWhoseFilesAreJoined) {
  const TempDir dir;
  Store writer(dir.file("s"), Mode::write);
  writer.put(document(1));
  writer.compact();
  writer.put(document(2));
  const Store reader(dir.file("s"), Mode::read);
  for (unsigned i = 3; i < 12; ++i) {
    writer.put(document(i));
    writer.compact();
  }
  writer.remove(name_of(1));
  writer.compact();
  EXPECT_EQ(difference(reader, document(1)), "");
  EXPECT_EQ(difference(reader, document(2)), "");
  EXPECT_EQ(reader.verify(), std::vector<std::string>());
}

TEST(Postings, DeleteFilesThatNothingNames) {
  const TempDir dir;
  Store store(dir.file("s"), Mode::write);
  store.put(document(1));
  store.compact();
  dir.write("s/postings/chunk/00000099.postings", "torn");
  store.compact();
  EXPECT_EQ(files_of(dir).size(), 1U);
}

TEST(DamagedPostings, AreFoundAndNamed) {
  const TempDir dir;
  {
    Store store(dir.file("s"), Mode::write);
    store.put(document(1));
    store.put(document(2));
    store.compact();
  }
  flip_byte(files_of(dir).at(0), 20);  // within the lists
  {
    const Store store(dir.file("s"), Mode::read);
    const auto problems = store.verify();
    ASSERT_EQ(problems.size(), 1U);
    EXPECT_NE(problems[0].find("d1, d2: run `fineprint index --repair`"), std::string::npos)
        << problems[0];
    std::string failure;
    std::vector<score::Posting> postings;
    for (int i = 0; i < 200; ++i) {
      failure +=
          error_of([&] { store.postings("chunk")[0]->read("w" + std::to_string(i), &postings); });
    }
    EXPECT_NE(failure.find(".postings is damaged"), std::string::npos) << failure;
  }
  flip_byte(files_of(dir).at(0), 20);
  flip_byte(files_of(dir).at(0),
            30'000 > std::filesystem::file_size(files_of(dir).at(0))
                ? static_cast<std::int64_t>(std::filesystem::file_size(files_of(dir).at(0))) - 70
                : 30'000);  // before the lists
  const Store store(dir.file("s"), Mode::read);
  EXPECT_NE(error_of([&] { store.postings("chunk"); }).find("checksum"), std::string::npos);
  EXPECT_EQ(store.verify().size(), 1U);
}

TEST(DamagedPostings, StayWhereTheyAreAndLetTheOthersBeFolded) {
  const TempDir dir;
  {
    Store store(dir.file("s"), Mode::write);
    store.put(document(1));
    store.compact();
  }
  flip_byte(files_of(dir).at(0), 20);
  Store store(dir.file("s"), Mode::write);
  for (unsigned i = 2; i < 6; ++i) store.put(document(i));
  store.compact();
  EXPECT_EQ(files_of(dir).size(), 2U);
  EXPECT_EQ(store.verify().size(), 1U);
  store.put(document(1));  // indexing again mends it
  store.compact();
  EXPECT_EQ(store.verify(), std::vector<std::string>());
  for (unsigned i = 1; i < 6; ++i) EXPECT_EQ(difference(store, document(i)), "");
}

TEST(DamagedPostings, ThatWaitAreNamed) {
  const TempDir dir;
  {
    Store store(dir.file("s"), Mode::write);
    store.put(document(1));
    store.put(document(2));
  }
  Database(dir.file("s/catalog.sqlite"), OpenAs::writer)
      .execute("UPDATE pending_postings SET image = x'00' WHERE document = 1 AND field = 1");
  Store store(dir.file("s"), Mode::write);
  ASSERT_EQ(store.verify().size(), 1U);
  EXPECT_NE(store.verify()[0].find("d1: its keyword index"), std::string::npos);
  EXPECT_NE(error_of([&] { store.postings("page"); }).find("d1"), std::string::npos);
  store.compact();
  EXPECT_EQ(store.verify().size(), 1U);
  store.put(document(1));
  EXPECT_EQ(store.verify(), std::vector<std::string>());
  EXPECT_EQ(difference(store, document(1)), "");
  EXPECT_EQ(difference(store, document(2)), "");
}

TEST(MissingPostingsFile, IsNamedWhenItIsNeeded) {
  const TempDir dir;
  {
    Store store(dir.file("s"), Mode::write);
    store.put(document(1));
    store.compact();
  }
  std::filesystem::remove(files_of(dir).at(0));
  const Store store(dir.file("s"), Mode::read);
  EXPECT_EQ(store.documents().size(), 1U);
  EXPECT_NE(error_of([&] { store.postings("chunk"); }).find(".postings"), std::string::npos);
  EXPECT_EQ(store.verify().size(), 1U);
}

PostingsRow row_of(std::int64_t bytes, std::int64_t live_units = 100) {
  PostingsRow row;
  row.bytes = bytes;
  row.units = 100;
  row.live_units = live_units;
  return row;
}

TEST(PostingsToJoin, TakesTheSmallOnesAndLeavesTheLargeOne) {
  EXPECT_EQ(postings_to_join({row_of(1000), row_of(10), row_of(15), row_of(40)}, 12).size(), 2U);
  EXPECT_TRUE(postings_to_join({row_of(1000), row_of(10)}, 0).empty());
  EXPECT_TRUE(postings_to_join({row_of(1000), row_of(10)}, 9).empty());
}

TEST(PostingsToJoin, TakesAnyThatIsMostlyDead) {
  EXPECT_EQ(postings_to_join({row_of(1000), row_of(5000, 49)}, 0).size(), 2U);
  EXPECT_EQ(postings_to_join({row_of(10'000), row_of(5000, 49)}, 0).size(), 1U);
}

TEST(PostingsToJoin, TakesNoMoreThanAQuarterOfAGigabyteAtATime) {
  constexpr std::int64_t kMegabyte = std::int64_t{1} << 20;
  EXPECT_EQ(
      postings_to_join({row_of(100 * kMegabyte), row_of(100 * kMegabyte)}, 100 * kMegabyte).size(),
      1U);
  const std::vector<PostingsRow> mostly_dead(40, row_of(200 * kMegabyte, 49));
  EXPECT_EQ(postings_to_join(mostly_dead, 0).size(), 2U);
  EXPECT_EQ(postings_to_join({row_of(4000 * kMegabyte, 10)}, 0).size(), 1U);  // it must go
}

TEST(PostingsToJoin, CopiesEachByteFewTimes) {
  std::vector<PostingsRow> segments;
  std::int64_t copied = 0;
  for (int i = 0; i < 4000; ++i) {
    std::int64_t bytes = 10;
    for (const PostingsRow& chosen : postings_to_join(segments, 10)) {
      bytes += chosen.bytes;
      segments.erase(std::find_if(segments.begin(), segments.end(),
                                  [&](const auto& s) { return s.bytes == chosen.bytes; }));
    }
    copied += bytes;
    segments.push_back(row_of(bytes));
    ASSERT_LE(segments.size(), 13U);
  }
  EXPECT_LT(copied, 40'000 * 13);
}

}  // namespace
}  // namespace fineprint::store
