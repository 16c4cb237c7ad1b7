// MoLoRAG's judge and the order of its ranking.
#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "pipelines/molorag/judge.h"
#include "pipelines/molorag/options.h"
#include "pipelines/molorag/walk.h"
#include "unit/agents/small_agency.h"

namespace fineprint::pipelines::molorag {
namespace {

using agents::scripted;
using agents::SmallAgency;

TEST(FirstMark, IsTheFirstDigitInRange) {
  EXPECT_EQ(first_mark("4"), 4);
  EXPECT_EQ(first_mark("Page 0, of 9: 2 or 5"), 2);
  EXPECT_EQ(first_mark("none"), 3);
  EXPECT_EQ(first_mark(""), 3);
}

TEST(Ranking, GoesByScoreThenMeaningThenPage) {
  const Scored best{.page = PageId(9), .semantic = 0, .combined = 0.6};
  const Scored nearer{.page = PageId(7), .semantic = 0.5, .combined = 0.5};
  const Scored first{.page = PageId(2), .semantic = 0.1, .combined = 0.5};
  const Scored second{.page = PageId(3), .semantic = 0.1, .combined = 0.5};
  std::vector<Scored> pages = {second, first, nearer, best};
  std::ranges::sort(pages, ranks_before);
  EXPECT_EQ(pages[0].page, PageId(9));
  EXPECT_EQ(pages[1].page, PageId(7));
  EXPECT_EQ(pages[2].page, PageId(2));
  EXPECT_EQ(pages[3].page, PageId(3));
  EXPECT_FALSE(ranks_before(first, first));
}

// A generator that could not choose is not asked to again, whatever the page.
TEST(Judge, GoesOverToJsonForGood) {
  SmallAgency agency(scripted("molorag.relevance", {{"error", "no probabilities"}}) +
                     scripted("molorag.relevance_json", {{"relevance", 5}}) +
                     scripted("molorag.relevance_json", {{"relevance", 1}}));
  Judge judge(agency.context(), "How much?", {});
  EXPECT_EQ(judge.relevance(PageId(0)), 5);
  EXPECT_EQ(judge.relevance(PageId(1)), 1);
  EXPECT_EQ(agency.records().asked.size(), 3u);
  EXPECT_EQ(agency.context().usage.malformed, 0);
}

TEST(Judge, HasNoVerdictAtALimit) {
  SmallAgency agency(scripted("molorag.relevance", "2"), {.max_calls = 1});
  Judge judge(agency.context(), "How much?", {.reserve = {.calls = 1}});
  EXPECT_FALSE(judge.relevance(PageId(0)));
  EXPECT_TRUE(agency.records().asked.empty());
}

// A verdict reads the question behind what is the same for every question.
TEST(Judge, AsksEveryQuestionBehindTheSameWords) {
  SmallAgency agency(scripted("molorag.relevance", "2") + scripted("molorag.relevance", "4"));
  Judge(agency.context(), "How much?", {}).relevance(PageId(0));
  Judge(agency.context(), "Who signs?", {}).relevance(PageId(0));
  const models::Message& first = agency.asked(0).request.messages.back();
  const models::Message& second = agency.asked(1).request.messages.back();
  ASSERT_EQ(first.repeated, second.repeated);
  const std::size_t told = first.repeated.front();
  EXPECT_EQ(first.text.substr(0, told), second.text.substr(0, told));
  EXPECT_EQ(first.text.substr(told), "How much?");
}

TEST(Options, AreThoseOfThePaper) {
  const Options options;
  EXPECT_EQ(options.beam, 3);
  EXPECT_EQ(options.hops, 4);
  EXPECT_EQ(options.semantic_weight, 0.5);
}

}  // namespace
}  // namespace fineprint::pipelines::molorag
