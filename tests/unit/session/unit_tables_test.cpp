// Tests of the dense numbering of chunks and of elements.
#include <thread>

#include <gtest/gtest.h>

#include "fineprint/session/corpus.h"

#include "support/ids.h"
#include "support/temp_dir.h"

namespace fineprint::session {
namespace {

// A document whose chunk i stands on `chunk_pages[i]` and names itself.
store::NewDocument chunks_document(const std::string& doc, int pages,
                                   const std::vector<int>& chunk_pages) {
  store::NewDocument made;
  made.row.doc = doc;
  made.row.path = "/somewhere/" + doc;
  made.row.page_count = made.info.page_count = pages;
  for (int number = 1; number <= pages; ++number) {
    Page page;
    page.number = number;
    made.pages.push_back(page);
  }
  for (const int page : chunk_pages) {
    Chunk chunk;
    chunk.page = page;
    chunk.text = doc + "#" + std::to_string(made.chunks.size());
    made.chunks.push_back(chunk);
  }
  return made;
}

// Dense pages: a 0 to 2, b none, c 3, d 4 and 5.
class UnitTables : public ::testing::Test {
 protected:
  UnitTables() : store_(dir_.file("store"), store::Mode::write) {
    store_.put(chunks_document("d.pdf", 2, {1, 2}));
    store_.put(chunks_document("a.pdf", 3, {1, 1, 3}));
    store_.put(chunks_document("b.pdf", 0, {}));
    store_.put(chunks_document("c.pdf", 1, {1}));
  }

  testing::TempDir dir_;
  store::Store store_;
};

TEST_F(UnitTables, NumberChunksInTheOrderOfDocuments) {
  const Corpus corpus(store_);
  const ChunkTable& table = corpus.chunks();
  EXPECT_EQ(table.first, testing::ids<ChunkId>({0, 3, 3, 4, 6}));
  EXPECT_EQ(table.page, testing::ids<PageId>({0, 0, 2, 3, 4, 5}));
}

// Of documents that have maps.
TEST_F(UnitTables, NumberElementsInTheOrderOfDocuments) {
  store_.put_document_map(store_.find("d.pdf")->id, {"maker", "{}", {2}});
  store_.put_document_map(store_.find("a.pdf")->id, {"maker", "{}", {1, 1, 3}});
  store_.put_document_map(store_.find("c.pdf")->id, {"maker", "{}", {}});
  const Corpus corpus(store_);
  EXPECT_EQ(corpus.elements().first, testing::ids<ElementId>({0, 3, 3, 3, 4}));
  EXPECT_EQ(corpus.elements().page, testing::ids<PageId>({0, 0, 2, 5}));
}

TEST_F(UnitTables, ReadTheChunkTheyNumber) {
  const Corpus corpus(store_);
  EXPECT_EQ(corpus.chunk(ChunkId(0)).text, "a.pdf#0");
  EXPECT_EQ(corpus.chunk(ChunkId(2)).text, "a.pdf#2");
  EXPECT_EQ(corpus.chunk(ChunkId(3)).text, "c.pdf#0");
  EXPECT_EQ(corpus.chunk(ChunkId(5)).text, "d.pdf#1");
  EXPECT_EQ(corpus.chunk(ChunkId(5)).page, 2);
  EXPECT_THROW(corpus.chunk(ChunkId(6)), std::exception);
}

TEST_F(UnitTables, AreBuiltOnceForAllThreads) {
  const Corpus corpus(store_);
  std::vector<const ChunkTable*> seen(8);
  std::vector<std::thread> threads;
  for (const ChunkTable*& table : seen) {
    threads.emplace_back([&corpus, &table] { table = &corpus.chunks(); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const ChunkTable* table : seen) EXPECT_EQ(table, &corpus.chunks());
}

TEST(EmptyUnitTables, HaveNothing) {
  const testing::TempDir dir;
  const store::Store store(dir.file("store"), store::Mode::write);
  const Corpus corpus(store);
  EXPECT_EQ(corpus.chunks().first, testing::ids<ChunkId>({0}));
  EXPECT_TRUE(corpus.chunks().page.empty());
  EXPECT_EQ(corpus.elements().first, testing::ids<ElementId>({0}));
}

}  // namespace
}  // namespace fineprint::session
