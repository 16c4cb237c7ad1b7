// Tests of ranking pages: BM25 by hand, weights, named pages, pools, K.
#include "fineprint/retrieve/search.h"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"

#include "retrieve/scorers.h"
#include "support/ids.h"
#include "support/small_store.h"

namespace fineprint::retrieve {
namespace {

using testing::typed_page;

constexpr double kNear = 1e-6;
const double kIdfOfTwo = std::log(1.6);        // ln(1 + (3 - 2 + 0.5) / (2 + 0.5))
const double kIdfOfOne = std::log(8.0 / 3.0);  // ln(1 + (3 - 1 + 0.5) / (1 + 0.5))

// Chunks of 2, 4 and 3 terms, 3 on average; dense pages 0, 1 and 2. With k1 1.5 and b 0.75 the
// damping 1.5 (0.25 + 0.75 length / 3) of the three is 1.125, 1.875 and 1.5.
class SearchTest : public ::testing::Test {
 protected:
  SearchTest() {
    store_.put("a.pdf", {typed_page({"alpha beta"}), typed_page({"alpha alpha", "gamma delta"})});
    store_.put("b.pdf", {typed_page({"beta gamma epsilon"})});
  }

  std::vector<FoundPage> find(const std::string& query, SearchOptions options = bm25()) {
    testing::Asking asking(store_);
    return search(asking.context(), query, options);
  }

  static SearchOptions bm25() {
    SearchOptions options;
    options.scorers = {"bm25"};
    return options;
  }

  ErrorCode code_of(const SearchOptions& options, std::string* message) {
    try {
      find("alpha", options);
    } catch (const Error& error) {
      *message = error.what();
      return error.code();
    }
    return ErrorCode::internal;
  }

  testing::SmallStore store_;
};

TEST_F(SearchTest, Bm25IsAShareOfTheMostThatATermCanGive) {
  const std::vector<FoundPage> pages = find("alpha");
  ASSERT_EQ(pages.size(), 2U);
  EXPECT_EQ(pages[0].page, PageId(1));
  EXPECT_NEAR(pages[0].score, 2 / (2 + 1.875), kNear);
  EXPECT_EQ(pages[0].chunk, ChunkId(1));
  EXPECT_EQ(pages[1].page, PageId(0));
  EXPECT_NEAR(pages[1].score, 1 / (1 + 1.125), kNear);
  ASSERT_EQ(pages[1].scores.size(), 1U);
  EXPECT_EQ(pages[1].scores[0].scorer, "bm25");
  EXPECT_DOUBLE_EQ(pages[1].scores[0].score, pages[1].score);
}

// "alpha" finds pages 1 and 0; "epsilon" finds page 2, "gamma" pages 1 and 2.
TEST_F(SearchTest, AFurtherQuestionAppendsItsPagesEachOnce) {
  SearchOptions options = bm25();
  const auto pages = [&](const char* also) {
    options.also = also;
    return page_numbers(find("alpha", options));
  };
  EXPECT_EQ(pages("epsilon"), (std::vector<PageId>{PageId(1), PageId(0), PageId(2)}));
  EXPECT_EQ(pages("gamma"), (std::vector<PageId>{PageId(1), PageId(0), PageId(2)}));
  EXPECT_EQ(pages("zebra"), (std::vector<PageId>{PageId(1), PageId(0)}));
  options.k = 1;  // of each question
  EXPECT_EQ(pages("epsilon"), (std::vector<PageId>{PageId(1), PageId(2)}));
  EXPECT_EQ(pages("alpha"), (std::vector<PageId>{PageId(1)}));
}

TEST_F(SearchTest, AFurtherQuestionAppendsItsChunksEachOnce) {
  SearchOptions options = bm25();
  options.also = "gamma";
  testing::Asking asking(store_);
  std::vector<ChunkId> chunks;
  for (const FoundChunk& one : search_chunks(asking.context(), "alpha", options)) {
    chunks.push_back(one.chunk);
  }
  EXPECT_EQ(chunks, (std::vector<ChunkId>{ChunkId(1), ChunkId(0), ChunkId(2)}));
}

// Where pages are of several languages, a word counts in each of its spellings as one term.
TEST_F(SearchTest, Bm25FindsAWordInPagesOfEachLanguage) {
  testing::SmallStore store;
  store.put("de.pdf",
            {typed_page({"Mitarbeiterinnen Umsatz"}, "de"), typed_page({"Kosten"}, "de")});
  store.put("en.pdf", {typed_page({"Mitarbeiterinnen abroad"}, "en")});
  testing::Asking asking(store);
  EXPECT_EQ(asking.corpus().languages(), (std::vector<std::string>{"de", "en"}));
  for (const char* question :
       {"Wie viele Mitarbeiterinnen gibt es?", "mitarbeiterinnen of the firm"}) {
    const std::vector<FoundPage> pages = search(asking.context(), question, bm25());
    ASSERT_EQ(pages.size(), 2U) << question;
    EXPECT_NEAR(pages[0].score, pages[1].score, kNear) << question;
  }
}

// Many pages with few words, so that many scores are equal, and pages of several chunks.
class ManyPages : public ::testing::Test {
 protected:
  ManyPages() {
    std::mt19937 random(1);
    const auto words = [&](std::size_t count) {
      std::string text;
      for (std::size_t i = 0; i < count; ++i) text += format("w{}rd ", random() % 9);
      return text;
    };
    for (int document = 0; document < 8; ++document) {
      std::vector<Page> pages(30);
      for (Page& page : pages) {
        for (std::size_t chunk = random() % 4; chunk > 0; --chunk) {
          testing::type_element(&page, ElementKind::paragraph, {words(1 + random() % 3)});
        }
      }
      store_.put(format("d{}.pdf", document), std::move(pages));
    }
  }

  // Expects what a list of all pages would begin with, bit for bit.
  void expect_first(const std::string& question, std::size_t count, session::Pool pool = {}) {
    testing::Asking asking(store_);
    const session::Corpus& corpus = asking.corpus();
    ASSERT_TRUE(corpus.chunks().in_page_order);
    if (pool.empty()) pool = corpus.pool({});
    const Query query = prepare_query(question, corpus.languages());
    const SearchOptions options;
    const PageSearch search{asking.context(), query, pool, options, ""};
    const Ranking all = by_bm25(search);
    std::vector<score::Scored> expected = score::top_items(all.scores, count);
    std::ranges::sort(expected, {}, &score::Scored::item);
    const FirstPages first = first_by_bm25(search, count);
    ASSERT_EQ(first.pages.size(), expected.size()) << question << " " << count;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const std::uint32_t page = expected[i].item;
      EXPECT_EQ(first.pages[i], PageId(page)) << question << " " << count;
      EXPECT_EQ(first.ranking.scores[i], all.scores[page]);
      EXPECT_EQ(first.ranking.best_chunk[i], all.best_chunk[page]);
    }
  }

  testing::SmallStore store_;
};

TEST_F(ManyPages, TheFirstByWordsAreThoseOfAll) {
  for (const char* question :
       {"w1rd", "w1rd w2rd", "w3rd w8rd w1rd w1rd w5rd", "absent", "w7rd absent"}) {
    for (const std::size_t count : {1U, 2U, 5U, 17U, 100U, 239U, 1000U})
      expect_first(question, count);
  }
}

TEST_F(ManyPages, TheFirstByWordsAreOfThePool) {
  for (const std::size_t count : {1U, 9U, 1000U}) {
    expect_first("w1rd w2rd", count, {DocumentId(1), DocumentId(2), DocumentId(6)});
  }
}

// Found and ranked pages, whose scores are then kept of these alone.
TEST_F(ManyPages, ASearchByWordsRanksAsASearchOfAllPagesDoes) {
  testing::Asking asking(store_);
  SearchOptions options;
  options.scorers = {"bm25"};
  options.k = 7;
  const RankedPages first = search_ranked(asking.context(), "w1rd w2rd", options);
  options.fusion = Fusion::zscore;  // needs the scores of all pages
  const RankedPages all = search_ranked(asking.context(), "w1rd w2rd", options);
  ASSERT_EQ(first.found.size(), 7U);
  ASSERT_EQ(page_numbers(first.found), page_numbers(all.found));
  ASSERT_EQ(page_numbers(first.ranking), page_numbers(all.ranking));
  for (std::size_t i = 0; i < first.ranking.size(); ++i) {
    ASSERT_EQ(first.ranking[i].scores.size(), 1U);
    EXPECT_EQ(first.ranking[i].scores[0].score, all.ranking[i].scores[0].score);
    EXPECT_EQ(first.ranking[i].chunk, all.ranking[i].chunk);
  }
}

TEST_F(SearchTest, RareTermsWeighMore) {
  const std::vector<FoundPage> pages = find("alpha epsilon");
  ASSERT_EQ(pages.size(), 3U);
  const double most = kIdfOfTwo + kIdfOfOne;
  EXPECT_EQ(pages[0].page, PageId(2));
  EXPECT_NEAR(pages[0].score, kIdfOfOne / (1 + 1.5) / most, kNear);
  EXPECT_EQ(pages[1].page, PageId(1));
  EXPECT_NEAR(pages[1].score, kIdfOfTwo * 2 / (2 + 1.875) / most, kNear);
  EXPECT_EQ(pages[2].page, PageId(0));
  EXPECT_NEAR(pages[2].score, kIdfOfTwo / (1 + 1.125) / most, kNear);
}

TEST_F(SearchTest, UnknownTermsCostNothingAndFindNothing) {
  EXPECT_NEAR(find("alpha zebra")[0].score, 2 / 3.875, kNear);
  EXPECT_TRUE(find("zebra").empty());
  EXPECT_TRUE(find("").empty());
}

TEST_F(SearchTest, APageTakesItsBestChunk) {
  Page page;
  testing::type_element(&page, ElementKind::paragraph, {"alpha one two three four five"});
  testing::type_element(&page, ElementKind::paragraph, {"alpha zeta"});
  store_.put("a.pdf", {page});
  const std::vector<FoundPage> pages = find("zeta");
  ASSERT_EQ(pages.size(), 1U);
  EXPECT_EQ(pages[0].chunk, ChunkId(1));
}

TEST_F(SearchTest, WeightsMultiplyAndPartsStayRaw) {
  SearchOptions options = bm25();
  options.scorers = {"bm25:2"};
  const std::vector<FoundPage> pages = find("alpha", options);
  EXPECT_NEAR(pages[0].score, 2 * 2 / 3.875, kNear);
  EXPECT_NEAR(pages[0].scores[0].score, 2 / 3.875, kNear);
}

TEST_F(SearchTest, NamedPagesGainABonus) {
  const std::vector<FoundPage> pages = find("epsilon on page 2");
  ASSERT_EQ(pages.size(), 2U);  // b.pdf has no page 2
  EXPECT_EQ(pages[0].page, PageId(2));
  EXPECT_NEAR(pages[0].score, 1 / 2.5, kNear);
  EXPECT_EQ(pages[1].page, PageId(1));
  EXPECT_NEAR(pages[1].score, 0.3, kNear);
  EXPECT_FALSE(pages[1].chunk.has_value());
  ASSERT_EQ(pages[1].scores.size(), 1U);
  EXPECT_EQ(pages[1].scores[0].scorer, "named page");
}

TEST_F(SearchTest, NamedPagesGainNoBonusIfItIsOff) {
  SearchOptions options = bm25();
  options.query.named_pages = false;
  const std::vector<FoundPage> pages = find("alpha on page 1", options);
  ASSERT_FALSE(pages.empty());
  EXPECT_EQ(pages.front().page, PageId(1));  // with the bonus it is page 0
  for (const FoundPage& page : pages) {
    for (const NamedScore& part : page.scores) EXPECT_NE(part.scorer, "named page");
  }
}

// Both documents have a page 1, but only a.pdf has the word: the bonus moves pages within a list,
// and adds none to it. Page 1 of a.pdf has 1 / (1 + 1.125) = 0.47, and page 2 2 / 3.875 = 0.52.
TEST_F(SearchTest, NamedPagesAreNoListOfAUnion) {
  SearchOptions options = bm25();
  options.fusion = Fusion::union_of_lists;
  const std::vector<FoundPage> pages = find("alpha on page 1", options);
  ASSERT_EQ(pages.size(), 2U);
  EXPECT_EQ(pages[0].page, PageId(0));
  EXPECT_EQ(pages[1].page, PageId(1));
  options.k = 1;
  ASSERT_EQ(find("alpha on page 1", options).size(), 1U);
  EXPECT_EQ(find("alpha on page 1", options)[0].page, PageId(0));  // 0.47 + 0.3
  EXPECT_EQ(find("alpha", options)[0].page, PageId(1));
}

TEST_F(SearchTest, ARankingGoesOnAfterThePagesFound) {
  SearchOptions options = bm25();
  options.k = 1;
  testing::Asking asking(store_);
  const RankedPages pages = search_ranked(asking.context(), "alpha epsilon", options);
  ASSERT_EQ(pages.found.size(), 1U);
  EXPECT_EQ(pages.found[0].page, PageId(2));
  ASSERT_EQ(pages.ranking.size(), 3U);  // see RareTermsWeighMore
  EXPECT_EQ(pages.ranking[0].page, PageId(2));
  EXPECT_EQ(pages.ranking[1].page, PageId(1));
  EXPECT_EQ(pages.ranking[2].page, PageId(0));
  const auto retrieved =
      retrieved_pages(asking.context(), pages.ranking, testing::ids<PageId>({2}));
  EXPECT_TRUE(retrieved[0].shown);
  EXPECT_FALSE(retrieved[1].shown);
}

TEST_F(SearchTest, ChunksHaveARankingOfPages) {
  SearchOptions options = bm25();
  options.k = 1;
  testing::Asking asking(store_);
  const auto chunks = search_chunks_ranked(asking.context(), "alpha epsilon", options);
  ASSERT_EQ(chunks.found.size(), 1U);
  EXPECT_EQ(chunks.found[0].chunk, ChunkId(2));
  std::vector<PageId> ranking;
  for (const RankedPage& page : chunks.ranking) ranking.push_back(page.page);
  EXPECT_EQ(ranking, testing::ids<PageId>({2, 1, 0}));
  const auto retrieved =
      retrieved_pages(asking.context(), {{.page = PageId(1), .score = 1}}, chunks.ranking);
  ASSERT_EQ(retrieved.size(), 3U);
  EXPECT_EQ(retrieved[0].page, (PageRef{"a.pdf", 2}));
  EXPECT_TRUE(retrieved[0].shown);
  EXPECT_EQ(retrieved[1].page, (PageRef{"b.pdf", 1}));
  EXPECT_FALSE(retrieved[1].shown);
}

// Found pages are in reading order, and ranked pages in that of relevance: page 1 is before page 0.
TEST_F(SearchTest, AUnionIsRankedByTheBestRank) {
  SearchOptions options = bm25();
  options.fusion = Fusion::union_of_lists;
  options.k = 2;
  testing::Asking asking(store_);
  const RankedPages pages = search_ranked(asking.context(), "alpha", options);
  ASSERT_EQ(pages.found.size(), 2U);
  EXPECT_EQ(pages.found[0].page, PageId(0));
  ASSERT_EQ(pages.ranking.size(), 2U);
  EXPECT_EQ(pages.ranking[0].page, PageId(1));
  EXPECT_EQ(pages.ranking[0].score, 1);
  EXPECT_EQ(pages.ranking[1].page, PageId(0));
  EXPECT_EQ(pages.ranking[1].score, 0.5);
}

TEST_F(SearchTest, TheLastPageIsEachDocumentsOwn) {
  const std::vector<FoundPage> pages = find("alpha on the last page");
  ASSERT_EQ(pages.size(), 3U);
  EXPECT_EQ(pages[0].page, PageId(1));
  EXPECT_NEAR(pages[0].score, 2 / 3.875 + 0.3, kNear);
  EXPECT_NEAR(pages[1].score, 1 / 2.125, kNear);
  EXPECT_EQ(pages[2].page, PageId(2));
}

TEST_F(SearchTest, DocsLimitThePoolButNotTheStatistics) {
  SearchOptions options = bm25();
  options.docs = {"b.*"};
  const std::vector<FoundPage> pages = find("beta", options);
  ASSERT_EQ(pages.size(), 1U);
  EXPECT_EQ(pages[0].page, PageId(2));
  EXPECT_NEAR(pages[0].score, 1 / 2.5, kNear);
  options.docs = {"c.pdf"};
  EXPECT_THROW(find("beta", options), Error);
  options.pool = session::Pool{DocumentId(1)};  // the second document, whatever `docs` says
  EXPECT_EQ(page_numbers(find("beta", options)), testing::ids<PageId>({2}));
  options.pool = session::Pool{};
  EXPECT_TRUE(find("beta", options).empty());
}

TEST_F(SearchTest, FusesByRank) {
  SearchOptions options = bm25();
  options.fusion = Fusion::rrf;
  const std::vector<FoundPage> pages = find("alpha", options);
  EXPECT_NEAR(pages[0].score, 1.0 / 61, kNear);
  EXPECT_NEAR(pages[1].score, 1.0 / 62, kNear);
}

TEST_F(SearchTest, FusesByZScores) {
  SearchOptions options = bm25();
  options.fusion = Fusion::zscore;
  const std::vector<FoundPage> pages = find("alpha", options);
  EXPECT_NEAR(pages[0].score, 1, kNear);  // two values are one deviation from their mean
  EXPECT_NEAR(pages[1].score, -1, kNear);
}

TEST_F(SearchTest, NamedPagesGainTheirBonusOnZScores) {
  SearchOptions options = bm25();
  options.fusion = Fusion::zscore;
  const std::vector<FoundPage> pages = find("alpha on page 2", options);
  EXPECT_EQ(pages[0].page, PageId(1));
  EXPECT_NEAR(pages[0].score, 1.3, kNear);
}

TEST_F(SearchTest, WithoutScorersNothingIsSearched) {
  SearchOptions options = bm25();
  options.scorers.clear();
  EXPECT_THROW(find("alpha", options), Error);
}

TEST_F(SearchTest, KIsAnUpperBound) {
  SearchOptions options = bm25();
  options.k = 1;
  EXPECT_EQ(find("alpha", options).size(), 1U);
  options.k = 0;
  EXPECT_TRUE(find("alpha", options).empty());
}

TEST_F(SearchTest, RefusesScorersThatDoNotExist) {
  SearchOptions options;
  std::string message;
  for (const char* scorer : {"bm52", "", "bm25-2", "-2", "late-", "late-x", "bm25:", "bm25:x",
                             "bm25:1x", "bm25:-1", "bm25:nan", "bm25:inf"}) {
    options.scorers = {scorer};
    EXPECT_EQ(code_of(options, &message), ErrorCode::usage) << scorer;
  }
  options.scorers = {"bm52"};
  code_of(options, &message);
  EXPECT_NE(message.find("bm25, text, page"), std::string::npos) << message;
  EXPECT_EQ(scorer_names(), (std::vector<std::string>{"bm25", "text", "page", "hybrid-mask", "late",
                                                      "late-text", "sparse"}));
}

TEST_F(SearchTest, RefusesAScorerThatIsNamedTwice) {
  SearchOptions options;
  options.scorers = {"bm25", "text", "bm25:2"};
  std::string message;
  EXPECT_EQ(code_of(options, &message), ErrorCode::usage);
  EXPECT_NE(message.find("bm25 twice"), std::string::npos) << message;
}

TEST_F(SearchTest, TextNeedsVectorsAndSaysWhatToDo) {
  SearchOptions options;  // bm25 and text
  std::string message;
  EXPECT_EQ(code_of(options, &message), ErrorCode::store);
  EXPECT_NE(message.find(store_.store().dir()), std::string::npos) << message;
  EXPECT_NE(message.find("--scorer bm25"), std::string::npos) << message;
}

// Whatever search() refuses is refused before it, in the same words.
TEST_F(SearchTest, ScorersCanBeRequiredBefore) {
  testing::Asking asking(store_);
  for (const char* scorer :
       {"text", "page", "late", "late-2", "late-text", "hybrid-mask", "bm52"}) {
    SearchOptions options;
    options.scorers = {"bm25", scorer};
    std::string said, before;
    const ErrorCode code = code_of(options, &said);
    try {
      require_scorers(asking.context().session, options);
      ADD_FAILURE() << scorer;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), code) << scorer;
      before = error.what();
    }
    EXPECT_EQ(said, before);
    if (code != ErrorCode::store) continue;
    const std::string command =
        "`fineprint index PATH... --store " + store_.store().dir() + " --retriever MODEL`";
    EXPECT_NE(said.find(command), std::string::npos) << said;
  }
  EXPECT_NO_THROW(require_scorers(asking.context().session, bm25()));
  const testing::SmallStore empty;
  testing::Asking nothing(empty);
  EXPECT_NO_THROW(require_scorers(nothing.context().session, {}));
}

// Where the store has no vectors at all, words find the pages.
TEST_F(SearchTest, ScorersWithoutVectorsGiveWayWhereTheyMay) {
  for (const char* scorer : {"page", "hybrid-mask", "late", "late-2", "late-text", "text"}) {
    testing::Asking asking(store_, true);
    SearchOptions options;
    options.scorers = {scorer};
    options.substitute = true;
    EXPECT_NO_THROW(require_scorers(asking.context().session, options)) << scorer;
    const std::vector<FoundPage> pages = search(asking.context(), "alpha", options);
    const std::vector<FoundPage> by_words = find("alpha");
    EXPECT_EQ(page_numbers(pages), page_numbers(by_words)) << scorer;
    EXPECT_EQ(asking.context().fallback, std::string(scorer) +
                                             ": the store lacks these vectors, so "
                                             "pages are found by bm25");
    search(asking.context(), "alpha", options);  // said once of a question
    EXPECT_EQ(asking.context().fallback.find(';'), std::string::npos);
    EXPECT_NE(asking.trace().to_json().find(R"("step":"fallback")"), std::string::npos);
  }
}

TEST_F(SearchTest, WordsRankAloneBesideTextsWithoutVectors) {
  testing::Asking asking(store_, true);
  SearchOptions options;
  options.scorers = {"bm25:2", "text"};
  EXPECT_THROW(search(asking.context(), "alpha", options), Error);
  options.substitute = true;
  EXPECT_EQ(page_numbers(search(asking.context(), "alpha", options)), page_numbers(find("alpha")));
  EXPECT_EQ(asking.context().fallback,
            "text: the store lacks these vectors, so pages are found by bm25:2");
}

TEST_F(SearchTest, NothingGivesWayThatIsThereOrMayNot) {
  testing::Asking asking(store_, true);
  SearchOptions options = bm25();
  options.substitute = true;
  search(asking.context(), "alpha", options);
  EXPECT_EQ(asking.context().fallback, "");
  options.scorers = {"bm52"};
  EXPECT_THROW(search(asking.context(), "alpha", options), Error);
  EXPECT_THROW(require_scorers(asking.context().session, options), Error);
  const testing::SmallStore empty;
  testing::Asking nothing(empty);
  options.scorers = {"late"};
  EXPECT_TRUE(search(nothing.context(), "alpha", options).empty());
  EXPECT_EQ(nothing.context().fallback, "");
}

TEST_F(SearchTest, TellsScorersOfImagesFromThoseOfText) {
  SearchOptions options;
  options.scorers = {"late:2", "bm25", "late-text-2", "hybrid-mask", "text:0.5", "page-2"};
  EXPECT_EQ(image_scorers(options), (std::vector<std::string>{"late:2", "hybrid-mask", "page-2"}));
  EXPECT_EQ(text_scorers(options), (std::vector<std::string>{"bm25", "late-text-2", "text:0.5"}));
}

// A scorer that is made elsewhere ranks the dense pages 2, 0 and 1.
class RankerTest : public SearchTest {
 protected:
  RankerTest() {
    options_.scorers = {"walk"};
    options_.rankers = {
        {.name = "walk",
         .rank =
             [](session::Context&, const std::string& query, const SearchOptions& options) {
               EXPECT_EQ(query, "alpha");
               EXPECT_EQ(options.k, 10);
               return std::vector<RankedPage>{
                   {PageId(2), 0.75}, {PageId(0), 0.5}, {PageId(1), 0.25}};
             },
         .check = [](const session::Session&,
                     const SearchOptions&) { throw Error(ErrorCode::store, "no graph"); }}};
  }

  std::vector<PageId> found() { return page_numbers(find("alpha", options_)); }

  SearchOptions options_;
};

TEST_F(RankerTest, IsAScorerByItsName) {
  const std::vector<FoundPage> pages = find("alpha", options_);
  ASSERT_EQ(pages.size(), 3U);
  EXPECT_EQ(pages[0].page, PageId(2));
  EXPECT_DOUBLE_EQ(pages[0].score, 0.75);
  ASSERT_EQ(pages[0].scores.size(), 1U);
  EXPECT_EQ(pages[0].scores[0].scorer, "walk");
  EXPECT_FALSE(pages[0].chunk);
  EXPECT_EQ(chosen_rankers(options_), std::vector<std::string>{"walk"});
  EXPECT_TRUE(chosen_rankers(bm25()).empty());
  EXPECT_EQ(image_set(options_), "");
}

TEST_F(RankerTest, IsCutLikeAnyOther) {
  options_.min_score = 0.5;
  EXPECT_EQ(found(), testing::ids<PageId>({2, 0}));
  options_.fusion = Fusion::union_of_lists;
  EXPECT_EQ(found(), testing::ids<PageId>({2, 0}));  // b.pdf appears first
}

// With alpha: page 1 has 2 / 3.875, page 0 has 1 / 2.125.
TEST_F(RankerTest, IsWeighedAgainstOthers) {
  options_.scorers = {"walk:2", "bm25"};
  const std::vector<FoundPage> pages = find("alpha", options_);
  ASSERT_EQ(pages.size(), 3U);
  EXPECT_EQ(pages[0].page, PageId(2));
  EXPECT_NEAR(pages[0].score, 1.5, kNear);
  EXPECT_EQ(pages[1].page, PageId(0));
  EXPECT_NEAR(pages[1].score, 1 + 1 / 2.125, kNear);
  EXPECT_EQ(pages[2].page, PageId(1));
  EXPECT_NEAR(pages[2].score, 0.5 + 2 / 3.875, kNear);
}

TEST_F(RankerTest, EqualScoresKeepItsOrder) {
  for (const double score : {0.0, 0.4, 1.0}) {
    options_.rankers[0].rank = [=](session::Context&, const std::string&, const SearchOptions&) {
      return std::vector<RankedPage>{{PageId(2), score}, {PageId(1), score}, {PageId(0), score}};
    };
    EXPECT_EQ(found(), testing::ids<PageId>({2, 1, 0})) << score;
    EXPECT_NEAR(find("alpha", options_)[0].score, score, kNear);
  }
}

TEST_F(RankerTest, IsCheckedBefore) {
  testing::Asking asking(store_);
  EXPECT_NO_THROW(require_scorers(asking.context().session, bm25()));
  try {
    require_scorers(asking.context().session, options_);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::store);
  }
}

TEST_F(RankerTest, IsListedAndKnowsNoChunks) {
  testing::Asking asking(store_);
  try {
    search_chunks(asking.context(), "alpha", options_);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_NE(std::string(error.what()).find("walk"), std::string::npos) << error.what();
  }
  options_.scorers = {"walk-2"};
  std::string message;
  EXPECT_EQ(code_of(options_, &message), ErrorCode::usage);
  EXPECT_NE(message.find("sparse, walk"), std::string::npos) << message;
}

// Of one page several chunks, in the order of their scores.
class ChunkSearchTest : public ::testing::Test {
 protected:
  ChunkSearchTest() {
    Page page;
    testing::type_element(&page, ElementKind::paragraph, {"alpha beta"});
    testing::type_element(&page, ElementKind::paragraph, {"gamma delta"});
    testing::type_element(&page, ElementKind::paragraph, {"alpha alpha"});
    store_.put("a.pdf", {page});
    store_.put("b.pdf", {typed_page({"delta epsilon"}), typed_page({"alpha epsilon"})});
    options_.scorers = {"bm25"};
  }

  std::vector<FoundChunk> find(const std::string& query) {
    testing::Asking asking(store_);
    return search_chunks(asking.context(), query, options_);
  }
  std::vector<ChunkId> numbers(const std::string& query) {
    std::vector<ChunkId> chunks;
    for (const FoundChunk& chunk : find(query)) chunks.push_back(chunk.chunk);
    return chunks;
  }

  testing::SmallStore store_;
  SearchOptions options_;
};

TEST_F(ChunkSearchTest, RanksChunksByThemselves) {
  const std::vector<FoundChunk> found = find("alpha");
  ASSERT_EQ(found.size(), 3U);
  // Every chunk has 2 terms, the mean: damping 1.5.
  EXPECT_EQ(found[0].chunk, ChunkId(2));
  EXPECT_EQ(found[0].page, PageId(0));
  EXPECT_NEAR(found[0].score, 2 / (2 + 1.5), kNear);
  EXPECT_EQ(found[1].chunk, ChunkId(0));
  EXPECT_EQ(found[2].chunk, ChunkId(4));
  EXPECT_EQ(found[2].page, PageId(2));
  EXPECT_NEAR(found[2].score, 1 / (1 + 1.5), kNear);
}

TEST_F(ChunkSearchTest, IsCutAndLimitedAsPagesAre) {
  options_.k = 2;
  EXPECT_EQ(numbers("alpha"), testing::ids<ChunkId>({2, 0}));
  options_.k = 10;
  options_.min_score = 0.5;
  EXPECT_EQ(numbers("alpha"), testing::ids<ChunkId>({2}));
  options_.min_score = std::nullopt;
  options_.docs = {"b.pdf"};
  EXPECT_EQ(numbers("alpha"), testing::ids<ChunkId>({4}));
  options_.docs = {};
  options_.fusion = Fusion::rrf;
  EXPECT_NEAR(find("alpha")[1].score, 1.0 / 62, kNear);
  options_.fusion = Fusion::union_of_lists;
  EXPECT_EQ(numbers("alpha"), testing::ids<ChunkId>({0, 2, 4}));
}

TEST_F(ChunkSearchTest, ChunksOfNamedPagesGainTheBonus) {
  const std::vector<FoundChunk> found = find("alpha on page 2");
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].chunk, ChunkId(4));
  EXPECT_NEAR(found[0].score, 0.4 + 0.3, kNear);
}

TEST_F(ChunkSearchTest, RefusesScorersOfPageImages) {
  for (const char* scorer : {"page", "late", "hybrid-mask"}) {
    options_.scorers = {"bm25", scorer};
    try {
      find("alpha");
      ADD_FAILURE() << scorer;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::usage);
      EXPECT_NE(std::string(error.what()).find(scorer), std::string::npos) << error.what();
    }
  }
  options_.scorers = {"text"};
  EXPECT_THROW(find("alpha"), Error);
  const testing::SmallStore empty;
  testing::Asking asking(empty);
  EXPECT_TRUE(search_chunks(asking.context(), "alpha", {}).empty());
}

TEST_F(ChunkSearchTest, IsTraced) {
  testing::Asking asking(store_, true);
  search_chunks(asking.context(), "alpha", options_);
  const Json trace = Json::parse(asking.trace().to_json());
  ASSERT_EQ(trace.size(), 1U);
  EXPECT_EQ(trace[0]["step"], "bm25");
  EXPECT_EQ(trace[0]["chunks"], 3);
}

TEST_F(SearchTest, TracesEachScorer) {
  testing::Asking asking(store_, true);
  search(asking.context(), "alpha", bm25());
  const Json trace = Json::parse(asking.trace().to_json());
  ASSERT_EQ(trace.size(), 1U);
  EXPECT_EQ(trace[0]["step"], "bm25");
  EXPECT_EQ(trace[0]["pages"], 2);
}

TEST(EmptySearch, FindsNothingAndLoadsNoModel) {
  const testing::SmallStore store;
  testing::Asking asking(store);
  EXPECT_TRUE(search(asking.context(), "alpha on page 1", {}).empty());
}

TEST(EmptySearch, DocumentsWithoutTextAreNoTrouble) {
  testing::SmallStore store;
  store.put("blank.pdf", {Page{}, Page{}});
  testing::Asking asking(store);
  SearchOptions options;
  options.scorers = {"bm25"};
  EXPECT_TRUE(search(asking.context(), "alpha", options).empty());
  EXPECT_EQ(search(asking.context(), "alpha on page 2", options).size(), 1U);
}

// Three pages about turbines and nine that only mention the sun, of several lengths.
class AdaptiveSearch : public ::testing::Test {
 protected:
  AdaptiveSearch() {
    std::vector<Page> pages;
    std::string filler;
    for (int i = 0; i < 12; ++i) {
      const bool is_close = i % 4 == 0;
      pages.push_back(typed_page({(is_close ? "solar turbine solar turbine" : "solar") + filler}));
      filler += " w" + std::to_string(i);
    }
    store_.put("a.pdf", pages);
    options_.scorers = {"bm25"};
    options_.adaptive = true;
    options_.adaptive_options.min_k = 1;
  }

  testing::SmallStore store_;
  SearchOptions options_;
};

TEST_F(AdaptiveSearch, KeepsTheHigherCluster) {
  testing::Asking asking(store_, true);
  const std::vector<FoundPage> pages = search(asking.context(), "solar turbine", options_);
  ASSERT_EQ(pages.size(), 3U);
  for (const FoundPage& page : pages) EXPECT_EQ(page.page.value % 4, 0U);
  const Json trace = Json::parse(asking.trace().to_json());
  EXPECT_EQ(trace.back()["step"], "adaptive_k");
  EXPECT_GT(trace.back()["ms"], 0);
  EXPECT_EQ(trace.back()["k"], 3);
}

TEST_F(AdaptiveSearch, StaysWithinKAndTheLeast) {
  testing::Asking asking(store_);
  options_.k = 2;
  EXPECT_EQ(search(asking.context(), "solar turbine", options_).size(), 2U);
  options_.k = 12;
  options_.adaptive_options.min_k = 5;
  EXPECT_EQ(search(asking.context(), "solar turbine", options_).size(), 5U);
}

TEST_F(AdaptiveSearch, TheFitIsTracedInScores) {
  testing::Asking asking(store_, true);
  const std::vector<FoundPage> pages = search(asking.context(), "solar turbine", options_);
  const Json fit = Json::parse(asking.trace().to_json()).back();
  EXPECT_EQ(fit["window"], 12);
  EXPECT_EQ(fit["fitted"], true);
  double high = 0;
  for (const FoundPage& page : pages) high += page.score / 3;
  EXPECT_NEAR(fit["means"][1].get<double>(), high, 0.02);
}

TEST_F(AdaptiveSearch, PagesUnderTheThresholdAreLeftOut) {
  options_.adaptive = false;
  options_.k = 12;
  testing::Asking asking(store_);
  const std::vector<FoundPage> all = search(asking.context(), "solar turbine", options_);
  options_.min_score = all[4].score;
  EXPECT_EQ(search(asking.context(), "solar turbine", options_).size(), 5U);
  options_.min_score = 99;
  EXPECT_TRUE(search(asking.context(), "solar turbine", options_).empty());
}

TEST(BestChunk, LeavesOutWhatIsAtTheFloor) {
  testing::SmallStore store;
  Page two;
  testing::type_element(&two, ElementKind::paragraph, {"two"});
  testing::type_element(&two, ElementKind::paragraph, {"more"});
  store.put("a.pdf", {typed_page({"one"}), two, typed_page({"three"})});
  const testing::Asking asking(store);
  const Ranking ranking =
      rank_by_best_chunk(asking.corpus(), {DocumentId(0)},
                         std::vector<float>{0.25F, 0.5F, 0.75F, std::nanf("")}, 0.25F);
  ASSERT_EQ(ranking.scores.size(), 3U);
  EXPECT_TRUE(std::isnan(ranking.scores[0]));
  EXPECT_EQ(ranking.scores[1], 0.75F);
  EXPECT_TRUE(std::isnan(ranking.scores[2]));
  EXPECT_EQ(ranking.best_chunk, (std::vector<ChunkId>{kNoChunk, ChunkId(2), kNoChunk}));
}

}  // namespace
}  // namespace fineprint::retrieve
