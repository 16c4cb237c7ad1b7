// Tests of reading the pages of all chunks at once.
#include <gtest/gtest.h>

#include "fineprint/store/store.h"

#include "sample.h"
#include "support/temp_dir.h"

namespace fineprint::store {
namespace {

using Pages = std::vector<std::int32_t>;

TEST(ChunkPages, AreByDocumentAndOrdinal) {
  const fineprint::testing::TempDir dir;
  Store store(dir.file("store"), Mode::write);
  store.put(testing::sample_document("b.pdf", 1, {3}));
  store.put(testing::sample_document("a.pdf", 2, {1}));
  const auto pages = store.chunk_pages();
  ASSERT_EQ(pages.size(), 2U);
  EXPECT_EQ(pages.at(store.find("b.pdf")->id), (Pages{1, 1, 2, 2, 3, 3}));
  EXPECT_EQ(pages.at(store.find("a.pdf")->id), (Pages{1, 1}));
}

TEST(ChunkPages, AgreeWithTheChunksThemselves) {
  const fineprint::testing::TempDir dir;
  Store store(dir.file("store"), Mode::write);
  store.put(testing::sample_document("a.pdf", 3, {4}));
  const std::int64_t id = store.find("a.pdf")->id;
  Pages expected;
  for (const StoredChunk& chunk : store.chunks(id)) expected.push_back(chunk.chunk.page);
  EXPECT_EQ(store.chunk_pages().at(id), expected);
}

TEST(ChunkPages, FollowReplacementAndRemoval) {
  const fineprint::testing::TempDir dir;
  Store store(dir.file("store"), Mode::write);
  EXPECT_TRUE(store.chunk_pages().empty());
  store.put(testing::sample_document("a.pdf", 4, {2}));
  store.put(testing::sample_document("a.pdf", 5, {1}));
  EXPECT_EQ(store.chunk_pages().at(store.find("a.pdf")->id), (Pages{1, 1}));
  store.remove("a.pdf");
  EXPECT_TRUE(store.chunk_pages().empty());
}

TEST(ChunkPages, DocumentsWithoutChunksAreLeftOut) {
  const fineprint::testing::TempDir dir;
  Store store(dir.file("store"), Mode::write);
  NewDocument document = testing::sample_document("a.pdf", 6, {1});
  document.chunks.clear();
  document.fields.clear();
  store.put(document);
  EXPECT_TRUE(store.chunk_pages().empty());
}

}  // namespace
}  // namespace fineprint::store
