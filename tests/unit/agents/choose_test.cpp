// Choices of agents with a scripted generator: what is asked, what is made of it, what it costs.
#include <cmath>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

#include "unit/agents/small_agency.h"

namespace fineprint::agents {
namespace {

const std::vector<std::string> kWords = {"yes", "no"};

Agent chooser() {
  return {.name = "a.role",
          .prompt = {"a.role", "Look.", "Is it on the page?\n\nQuestion: {question}"},
          .tier = session::Tier::low};
}

Turn about_page(std::uint32_t page) {
  return {.question = "How much?", .shown = {{.pages = {PageId(page)}}}};
}

std::string chosen(const Json& reply, const Json& more = {}) {
  return scripted("a.role", reply, more);
}

TEST(Choose, AsksOnceAboutThePage) {
  SmallAgency agency(chosen("no", {{"logprobs", {-0.25}}}));
  agency.records().cost.prompt_tokens = 70;
  agency.records().cost.image_tokens = 50;
  agency.records().cost.cached_tokens = 60;
  const TurnChoice choice = choose(agency.context(), chooser(), about_page(1), kWords);
  ASSERT_TRUE(choice.best);
  EXPECT_EQ(kWords[*choice.best], "no");
  EXPECT_NEAR(choice.probabilities[1], std::exp(-0.25), 1e-12);
  EXPECT_EQ(choice.usage.vlm_calls, 1);
  EXPECT_EQ(agency.context().usage.vlm_calls, 1);
  EXPECT_EQ(agency.context().usage.prompt_tokens, 70);
  EXPECT_EQ(agency.context().usage.image_tokens, 50);
  EXPECT_EQ(agency.context().usage.cached_tokens, 60);
  const models::Request& request = agency.asked(0).request;
  EXPECT_EQ(request.agent, "a.role");
  EXPECT_EQ(request.pages, std::vector<std::string>{"report.pdf:2"});
  EXPECT_TRUE(agency.said(0).ends_with("Question: How much?"));
  // What stands before the question is read once for all questions.
  EXPECT_EQ(request.messages.back().repeated,
            std::vector<std::size_t>{agency.said(0).find("How much?")});
}

TEST(Choose, IsInTheTrace) {
  SmallAgency agency(chosen("yes"));
  choose(agency.context(), chooser(), about_page(0), kWords);
  const Json trace = agency.trace();
  ASSERT_EQ(trace.size(), 1u);
  EXPECT_EQ(trace[0].at("step"), "call");
  EXPECT_EQ(trace[0].at("agent"), "a.role");
  EXPECT_EQ(trace[0].at("tier"), "low");
  EXPECT_EQ(trace[0].at("reply"), "yes");
  EXPECT_EQ(trace[0].at("probabilities"), Json({1.0, 0.0}));
  EXPECT_FALSE(trace[0].contains("problem"));
}

TEST(Choose, SaysWhatAGeneratorCannotDo) {
  SmallAgency agency(chosen("maybe") + chosen({{"error", "no top_logprobs"}}));
  const TurnChoice other = choose(agency.context(), chooser(), about_page(0), kWords);
  EXPECT_FALSE(other.best);
  EXPECT_NE(other.problem.find("is not one of the 2 candidates"), std::string::npos)
      << other.problem;
  const TurnChoice none = choose(agency.context(), chooser(), about_page(0), kWords);
  EXPECT_FALSE(none.best);
  EXPECT_NE(none.problem.find("no top_logprobs"), std::string::npos) << none.problem;
  EXPECT_EQ(agency.context().usage.vlm_calls, 2);  // they were made all the same
  EXPECT_TRUE(agency.context().limit.empty());
  EXPECT_TRUE(agency.trace()[1].contains("problem"));
}

TEST(Choose, DoesNotAskWhoIsKnownToTellNoProbabilities) {
  SmallAgency agency(chosen("yes"));
  agency.records().can_choose = false;
  const TurnChoice choice = choose(agency.context(), chooser(), about_page(0), kWords);
  EXPECT_FALSE(choice.best);
  EXPECT_FALSE(choice.problem.empty());
  EXPECT_TRUE(agency.records().asked.empty());
  EXPECT_EQ(agency.context().usage.vlm_calls, 0);
}

TEST(Choose, PassesOnThatAModelFails) {
  SmallAgency agency(chosen({{"error", "gone"}, {"code", "no_reply"}}));
  EXPECT_THROW(choose(agency.context(), chooser(), about_page(0), kWords), Error);
}

TEST(Choose, KeepsToTheBudgetAndItsReserve) {
  SmallAgency agency(chosen("yes"), {.max_calls = 2});
  Turn turn = about_page(0);
  turn.reserve = {.calls = 1};
  EXPECT_TRUE(choose(agency.context(), chooser(), turn, kWords).best);
  const TurnChoice refused = choose(agency.context(), chooser(), turn, kWords);
  EXPECT_FALSE(refused.best);
  EXPECT_NE(refused.budget_reason.find("--max-calls"), std::string::npos);
  EXPECT_EQ(agency.context().limit, refused.budget_reason);
  EXPECT_EQ(agency.records().asked.size(), 1u);
  EXPECT_EQ(agency.records().rasters.size(), 1u);
  EXPECT_EQ(agency.trace()[1].at("step"), "budget");
}

TEST(Choose, SpendsThePages) {
  SmallAgency agency(chosen("yes") + chosen("yes"), {.max_pages = 1});
  EXPECT_TRUE(choose(agency.context(), chooser(), about_page(0), kWords).best);
  EXPECT_FALSE(choose(agency.context(), chooser(), about_page(1), kWords).best);
}

TEST(Choose, EndsWhenTheQuestionIsCalledOff) {
  SmallAgency agency(chosen("yes"));
  agency.cut_with("yes");
  const TurnChoice choice = choose(agency.context(), chooser(), about_page(0), kWords);
  EXPECT_FALSE(choice.best);
  EXPECT_NE(choice.budget_reason.find("cancelled"), std::string::npos);
  EXPECT_TRUE(choice.problem.empty());
  EXPECT_EQ(choice.usage.vlm_calls, 1);
}

}  // namespace
}  // namespace fineprint::agents
