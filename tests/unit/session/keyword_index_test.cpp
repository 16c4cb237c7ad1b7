// Tests of the keyword index under dense chunk numbers.
#include "fineprint/session/keyword_index.h"

#include <algorithm>
#include <thread>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/session/corpus.h"

#include "support/temp_dir.h"

namespace fineprint::session {
namespace {

using Found = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

// Chunk i stands alone on page i + 1 and has `lengths[i]` terms, among them "all" once, and a term
// of the document's own i + 1 times.
store::NewDocument terms_document(const std::string& doc,
                                  const std::vector<std::uint32_t>& lengths) {
  store::NewDocument made;
  made.row.doc = doc;
  made.row.page_count = made.info.page_count = static_cast<int>(lengths.size());
  store::FieldIndex field{"chunk", {"only " + doc, "all"}, {{}, {}}, lengths};
  for (std::uint32_t i = 0; i < lengths.size(); ++i) {
    Page page;
    page.number = static_cast<int>(i) + 1;
    made.pages.push_back(page);
    Chunk chunk;
    chunk.page = page.number;
    made.chunks.push_back(chunk);
    field.postings[0].push_back({i, i + 1});
    field.postings[1].push_back({i, 1});
  }
  made.fields.push_back(field);
  return made;
}

Found found_in(const Corpus& corpus, const std::string& term) {
  Found out;
  std::vector<score::Posting> postings{{9, 9}};  // what was there before goes
  corpus.keywords().read(term, &postings);
  for (const auto& [unit, frequency] : postings) {
    out.emplace_back(unit, frequency);
  }
  std::sort(out.begin(), out.end());
  return out;
}

// Dense chunks: a 0 to 2, b 3 and 4, c 5; stored in another order and in three segments, with
// what was there before dead in them.
class KeywordIndexTest : public ::testing::Test {
 protected:
  KeywordIndexTest() : store_(dir_.file("store"), store::Mode::write) {
    for (const char* doc : {"z.pdf", "y.pdf", "x.pdf", "w.pdf"})
      store_.put(terms_document(doc, {1, 1, 1}));
    store_.put(terms_document("c.pdf", {50}));
    store_.put(terms_document("b.pdf", {1, 2, 3}));
    store_.compact();
    store_.put(terms_document("b.pdf", {30, 40}));
    store_.compact();
    store_.put(terms_document("a.pdf", {10, 20, 30}));
    for (const char* doc : {"z.pdf", "y.pdf", "x.pdf", "w.pdf"}) store_.remove(doc);
  }

  testing::TempDir dir_;
  store::Store store_;
};

TEST_F(KeywordIndexTest, NumbersUnitsAsTheCorpusDoes) {
  ASSERT_EQ(store_.postings("chunk").size(), 3U);
  const Corpus corpus(store_);
  EXPECT_EQ(found_in(corpus, "only a.pdf"), (Found{{0, 1}, {1, 2}, {2, 3}}));
  EXPECT_EQ(found_in(corpus, "only b.pdf"), (Found{{3, 1}, {4, 2}}));
  EXPECT_EQ(found_in(corpus, "only c.pdf"), (Found{{5, 1}}));
  EXPECT_EQ(found_in(corpus, "only z.pdf"), (Found{}));
  EXPECT_EQ(found_in(corpus, "all"), (Found{{0, 1}, {1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 1}}));
  EXPECT_EQ(found_in(corpus, "nowhere"), (Found{}));
}

// One of the three segments has dead documents, whose postings do not count.
TEST_F(KeywordIndexTest, CountsWhatItsSegmentsHave) {
  const Corpus corpus(store_);
  const KeywordIndex& index = corpus.keywords();
  ASSERT_EQ(index.segment_count(), 3U);
  for (const std::string term : {"all", "only a.pdf", "only b.pdf", "only z.pdf", "nowhere"}) {
    std::vector<score::Posting> all, whole;
    std::size_t count = 0;
    for (std::size_t segment = 0; segment < index.segment_count(); ++segment) {
      const std::size_t before = all.size();
      index.append(segment, term, &all);
      EXPECT_EQ(index.count(segment, term), all.size() - before) << term;
      count += index.count(segment, term);
    }
    index.read(term, &whole);
    EXPECT_EQ(count, whole.size()) << term;
    EXPECT_EQ(all.size(), whole.size()) << term;
  }
}

TEST_F(KeywordIndexTest, TakesItsStatisticsFromLiveUnits) {
  const Corpus corpus(store_);
  EXPECT_EQ(corpus.keywords().unit_count(), 6U);
  const std::vector<std::uint32_t> lengths{10, 20, 30, 30, 40, 50};  // their average is 30
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    EXPECT_FLOAT_EQ(corpus.keywords().damping()[i],
                    static_cast<float>(1.5 * (0.25 + 0.75 * lengths[i] / 30)));
  }
}

TEST_F(KeywordIndexTest, IsBuiltOnceForAllThreads) {
  const Corpus corpus(store_);
  std::vector<const KeywordIndex*> seen(8);
  std::vector<std::thread> threads;
  for (const KeywordIndex*& index : seen) {
    threads.emplace_back([&corpus, &index] {
      index = &corpus.keywords();
      std::vector<score::Posting> postings;
      index->read("all", &postings);
      EXPECT_EQ(postings.size(), 6U);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const KeywordIndex* index : seen) EXPECT_EQ(index, &corpus.keywords());
}

TEST_F(KeywordIndexTest, RefusesMoreUnitsThanChunks) {
  auto made = terms_document("d.pdf", {1, 2});
  made.chunks.pop_back();
  store_.put(made);
  const Corpus corpus(store_);
  try {
    corpus.keywords();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::store);
    EXPECT_NE(std::string(error.what()).find("d.pdf"), std::string::npos);
  }
}

TEST(EmptyKeywordIndex, FindsNothing) {
  const testing::TempDir dir;
  const store::Store store(dir.file("store"), store::Mode::write);
  const Corpus corpus(store);
  EXPECT_EQ(corpus.keywords().unit_count(), 0U);
  EXPECT_TRUE(found_in(corpus, "a").empty());
}

}  // namespace
}  // namespace fineprint::session
