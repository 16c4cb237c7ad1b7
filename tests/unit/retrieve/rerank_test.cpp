// Tests of sorting pages anew by a model that reads them with the question.
#include <atomic>
#include <functional>
#include <optional>
#include <thread>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/retrieve/search.h"

#include "support/has.h"
#include "support/ids.h"
#include "support/small_store.h"

namespace fineprint::retrieve {
namespace {

using fineprint::testing::has;
using fineprint::testing::typed_page;

// Scores a passage by what the test wrote for a word of it.
class FakeReranker : public models::Reranker {
 public:
  FakeReranker(std::map<std::string, double> scores, std::atomic<int>* read)
      : scores_(std::move(scores)), read_(read) {}
  std::string name() const override { return "fake"; }
  std::string hash() const override { return "fake"; }
  std::vector<double> score(const std::string& question,
                            std::span<const std::string> passages) const override {
    EXPECT_EQ(question, "alpha beta?");
    while (until_ && !until_->stop_requested()) std::this_thread::yield();
    std::vector<double> all;
    for (const std::string& passage : passages) {
      ++*read_;
      double score = 0.01;
      for (const auto& [word, value] : scores_) {
        if (passage.find(word) != std::string::npos) score = value;
      }
      all.push_back(score);
    }
    return all;
  }

  // Each call takes until then.
  void take_until(const StopToken& token) { until_ = token; }

 private:
  std::map<std::string, double> scores_;
  std::atomic<int>* read_;
  std::optional<StopToken> until_;
};

// Pages 0 to 3 hold more and more other words, so that BM25 finds them in this order; page 4 holds
// none of the question's. Page 2 has two chunks.
class RerankTest : public ::testing::Test {
 protected:
  RerankTest() {
    Page two = typed_page({"alpha beta one two delta"});
    testing::type_element(&two, ElementKind::paragraph, {"epsilon"});
    store_.put("a.pdf", {typed_page({"alpha beta"}), typed_page({"alpha beta one gamma"}), two,
                         typed_page({"alpha beta one two three zeta"}), typed_page({"eta"})});
    options_.scorers = {"bm25"};
    options_.rerank = "somewhere";
  }

  std::vector<FoundPage> find(const std::map<std::string, double>& scores) {
    session::SessionParts parts;
    parts.reranker = std::make_unique<FakeReranker>(scores, &read_);
    session::Session session(store_.store(), {}, std::move(parts));
    Trace trace(true);
    Budget budget;
    session::Context context(session, trace, budget);
    return search(context, "alpha beta?", options_);
  }

  testing::SmallStore store_;
  SearchOptions options_;
  std::atomic<int> read_ = 0;
};

TEST_F(RerankTest, SortsPagesByTheirBestChunk) {
  const auto found = find({{"gamma", 0.5}, {"epsilon", 0.9}, {"zeta", 0.2}});
  EXPECT_EQ(page_numbers(found), testing::ids<PageId>({2, 1, 3, 0}));
  EXPECT_EQ(read_, 5);  // all chunks of the four pages
  EXPECT_DOUBLE_EQ(found[0].score, 0.9);
  EXPECT_EQ(found[0].chunk, ChunkId(3));  // "epsilon"
  ASSERT_EQ(found[0].scores.size(), 2U);
  EXPECT_EQ(found[0].scores[0].scorer, "bm25");
  EXPECT_EQ(found[0].scores[1].scorer, "rerank");
  EXPECT_DOUBLE_EQ(found[0].scores[1].score, 0.9);
}

TEST_F(RerankTest, ReadsTheFirstPagesAndKeepsK) {
  options_.k = 2;
  options_.rerank_pages = 3;
  EXPECT_EQ(page_numbers(find({{"zeta", 0.9}, {"epsilon", 0.5}})), testing::ids<PageId>({2, 0}));
  EXPECT_EQ(read_, 4);
  // Never fewer than are asked for.
  options_.k = 4;
  options_.rerank_pages = 1;
  EXPECT_EQ(page_numbers(find({{"zeta", 0.9}, {"epsilon", 0.5}})),
            testing::ids<PageId>({3, 2, 0, 1}));
}

TEST_F(RerankTest, EqualScoresKeepTheirOrder) {
  EXPECT_EQ(page_numbers(find({})), testing::ids<PageId>({0, 1, 2, 3}));
}

TEST_F(RerankTest, TheLeastScoreIsTheModels) {
  options_.min_score = 0.4;
  EXPECT_EQ(page_numbers(find({{"gamma", 0.5}, {"zeta", 0.6}})), testing::ids<PageId>({3, 1}));
}

TEST_F(RerankTest, APageWithoutTextKeepsItsPlace) {
  testing::SmallStore store;
  const std::int64_t id =
      store.put("a.pdf", {typed_page({"alpha"}), typed_page({}), typed_page({"gamma"})});
  store.register_set("page", store::VectorUnit::page, 2);
  store.put_vectors("page", id, {{{1, 0}}, {{0.8F, 0.6F}}, {{0.6F, 0.8F}}});
  // A ranker of the test's, so that no encoder is needed.
  PageRanker by_hand{"hand",
                     [](session::Context&, const std::string&, const SearchOptions&) {
                       return std::vector<RankedPage>{
                           {PageId(0), 0.9}, {PageId(1), 0.8}, {PageId(2), 0.7}};
                     },
                     [](const session::Session&, const SearchOptions&) {}};
  session::SessionParts parts;
  parts.reranker = std::make_unique<FakeReranker>(
      std::map<std::string, double>{{"alpha", 0.1}, {"gamma", 0.6}}, &read_);
  session::Session session(store.store(), {}, std::move(parts));
  Trace trace(true);
  Budget budget;
  session::Context context(session, trace, budget);
  options_.scorers = {"hand"};
  options_.rankers = {by_hand};
  const auto found = search(context, "alpha beta?", options_);
  EXPECT_EQ(page_numbers(found), testing::ids<PageId>({2, 1, 0}));
  EXPECT_DOUBLE_EQ(found[0].score, 0.6);
  EXPECT_DOUBLE_EQ(found[1].score, 0.1);  // as the one behind it
  EXPECT_DOUBLE_EQ(found[2].score, 0.1);
}

// Looks at pages: one whose picture is of colour N is as good as N / 100.
class SeeingReranker : public models::Reranker {
 public:
  explicit SeeingReranker(std::function<void()> after_call = [] {})
      : after_call_(std::move(after_call)) {}
  std::string name() const override { return "seeing"; }
  std::string hash() const override { return "seeing"; }
  bool sees() const override { return true; }
  std::vector<double> score(const std::string& /*question*/,
                            std::span<const std::string> passages) const override {
    return std::vector<double>(passages.size(), 0.5);
  }
  std::vector<double> score_pages(const std::string& question,
                                  std::span<const SharedImage> pages) const override {
    EXPECT_EQ(question, "alpha beta?");
    EXPECT_LE(pages.size(), 4U);
    std::vector<double> scores;
    for (const SharedImage& page : pages) scores.push_back(page->pixels[0] / 100.0);
    after_call_();
    return scores;
  }

 private:
  std::function<void()> after_call_;
};

class ColouredPages : public session::PageSource {
 public:
  explicit ColouredPages(std::vector<std::uint8_t> colours) : colours_(std::move(colours)) {}
  Image raster(const store::DocumentRow& /*document*/, int page, double /*dpi*/) const override {
    const std::uint8_t colour = colours_.at(static_cast<std::size_t>(page) - 1);
    return {8, 8, 3, std::vector<std::uint8_t>(8 * 8 * 3, colour)};
  }

 private:
  std::vector<std::uint8_t> colours_;
};

TEST_F(RerankTest, AModelThatSeesIsShownPictures) {
  session::SessionParts parts;
  parts.reranker = std::make_unique<SeeingReranker>();
  parts.pages = std::make_unique<ColouredPages>(std::vector<std::uint8_t>{10, 70, 30, 90, 99});
  session::Session session(store_.store(), {}, std::move(parts));
  Trace trace(true);
  Budget budget;
  session::Context context(session, trace, budget);
  const auto found = search(context, "alpha beta?", options_);
  EXPECT_EQ(page_numbers(found), testing::ids<PageId>({3, 1, 2, 0}));
  EXPECT_DOUBLE_EQ(found[0].score, 0.9);
  ASSERT_EQ(found[0].scores.size(), 2U);
  EXPECT_EQ(found[0].scores[1].scorer, "rerank");
  // Of chunks it reads the texts.
  EXPECT_DOUBLE_EQ(search_chunks(context, "alpha beta?", options_).at(0).score, 0.5);
}

TEST_F(RerankTest, NoFurtherPictureIsShownWhenNobodyWantsTheAnswer) {
  testing::SmallStore store;
  store.put("a.pdf", std::vector<Page>(6, typed_page({"alpha beta"})));
  const StopSource source;
  int calls = 0;
  session::SessionParts parts;
  parts.reranker = std::make_unique<SeeingReranker>([&] {
    ++calls;
    source.request_stop();
  });
  parts.pages = std::make_unique<ColouredPages>(std::vector<std::uint8_t>(6, 1));
  session::Session session(store.store(), {}, std::move(parts));
  Trace trace(true);
  Budget budget;
  session::Context context(session, trace, budget, source.token());
  try {
    search(context, "alpha beta?", options_);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::interrupted);
  }
  EXPECT_EQ(calls, 1);
}

TEST_F(RerankTest, SortsChunks) {
  session::SessionParts parts;
  parts.reranker = std::make_unique<FakeReranker>(
      std::map<std::string, double>{{"zeta", 0.9}, {"gamma", 0.5}}, &read_);
  session::Session session(store_.store(), {}, std::move(parts));
  Trace trace(true);
  Budget budget;
  session::Context context(session, trace, budget);
  options_.k = 2;
  const auto found = search_chunks(context, "alpha beta?", options_);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].page, PageId(3));
  EXPECT_EQ(found[1].page, PageId(1));
  EXPECT_DOUBLE_EQ(found[0].score, 0.9);
}

// A question that has `seconds`, and a model each of whose calls takes as long.
struct Hurried {
  Hurried(const store::Store& store, const std::map<std::string, double>& scores,
          std::atomic<int>* read, double seconds)
      : budget({.max_seconds = seconds}),
        session(store, {}, parts(scores, read, StopToken::of_process().until(budget.deadline()))) {}

  static session::SessionParts parts(const std::map<std::string, double>& scores,
                                     std::atomic<int>* read, const StopToken& token) {
    auto reranker = std::make_unique<FakeReranker>(scores, read);
    reranker->take_until(token);
    session::SessionParts parts;
    parts.reranker = std::move(reranker);
    return parts;
  }

  Budget budget;
  session::Session session;
  Trace trace{true};
  session::Context context{session, trace, budget};
};

TEST_F(RerankTest, WithoutTimeAllStaysAsItWasFound) {
  options_.min_score = 0.4;  // of the model's scores, which there are none of
  Hurried hurried(store_.store(), {{"zeta", 0.9}}, &read_, 1e-9);
  const auto found = search(hurried.context, "alpha beta?", options_);
  EXPECT_EQ(read_, 0);
  EXPECT_EQ(page_numbers(found), testing::ids<PageId>({0, 1, 2, 3}));
  EXPECT_GT(found[0].score, found[3].score);
  EXPECT_GT(found[3].score, 0);
  EXPECT_EQ(found[0].scores.size(), 1U);
  EXPECT_TRUE(has(hurried.context.limit, "--max-seconds")) << hurried.context.limit;
  options_.k = 2;
  EXPECT_EQ(search(hurried.context, "alpha beta?", options_).size(), 2U);
}

TEST_F(RerankTest, WhatTheTimeDidNotReachKeepsItsPlace) {
  constexpr std::uint32_t kMany = 70, kRead = 64;  // as many as a call of the model takes
  std::vector<Page> pages;
  for (std::uint32_t page = 0; page < kMany; ++page) {
    std::string text = "alpha beta";  // longer and longer, so found in this order
    for (std::uint32_t word = 0; word < page; ++word) text += " one";
    pages.push_back(typed_page({text + (page == kRead - 1 ? " gamma"
                                        : page >= kRead   ? " zeta"
                                                          : "")}));
  }
  testing::SmallStore store;
  store.put("a.pdf", pages);
  options_.k = options_.rerank_pages = static_cast<int>(kMany);
  Hurried hurried(store.store(), {{"gamma", 0.5}, {"zeta", 0.9}}, &read_, 1);
  const auto found = search(hurried.context, "alpha beta?", options_);
  EXPECT_EQ(read_, static_cast<int>(kRead));
  std::vector<PageId> expected{PageId(kRead - 1)};
  for (std::uint32_t page = 0; page < kMany; ++page) {
    if (page != kRead - 1) expected.push_back(PageId(page));
  }
  EXPECT_EQ(page_numbers(found), expected);
  EXPECT_TRUE(has(hurried.context.limit, "--max-seconds")) << hurried.context.limit;
}

TEST_F(RerankTest, RefusesWhatChoosesByOtherScores) {
  const auto code = [&] {
    try {
      find({});
    } catch (const Error& error) {
      return std::pair(error.code(), std::string(error.what()));
    }
    return std::pair(ErrorCode::internal, std::string("no error"));
  };
  options_.adaptive = true;
  EXPECT_EQ(code().first, ErrorCode::usage);
  EXPECT_TRUE(has(code().second, "--adaptive")) << code().second;
  options_.adaptive = false;
  options_.fusion = Fusion::union_of_lists;
  EXPECT_EQ(code().first, ErrorCode::usage);
  EXPECT_TRUE(has(code().second, "--fusion union")) << code().second;
}

TEST_F(RerankTest, AModelThatIsNotThereIsNamedBeforeTheSearch) {
  testing::Asking asking(store_);
  try {
    require_scorers(asking.context().session, options_);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::model);
    EXPECT_TRUE(has(error.what(), "somewhere")) << error.what();
  }
}

TEST_F(RerankTest, ElementsOfMapsAreNotReranked) {
  testing::Asking asking(store_);
  EXPECT_THROW(search_with_elements(asking.context(), "alpha beta?", options_), Error);
}

}  // namespace
}  // namespace fineprint::retrieve
