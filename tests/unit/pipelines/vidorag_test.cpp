// ViDoRAG's agents: their schemas, what is taken from their replies, what a refusal looks like.
#include <string>

#include <gtest/gtest.h>

#include "fineprint/core/files.h"
#include "fineprint/core/json.h"
#include "fineprint/pipelines/pipeline.h"

#include "pipelines/vidorag/agents.h"
#include "support/ids.h"
#include "unit/agents/small_agency.h"

namespace fineprint::pipelines::vidorag {
namespace {

using agents::load_agent;
using agents::scripted;
using agents::SmallAgency;

std::string seeker_scripted(const Json& choice) {
  return scripted("vidorag.seeker", {{"reason", ""}, {"summary", "S2"}, {"choice", choice}});
}

TEST(VidoragAgents, HaveTheSchemasOfTheMethod) {
  const Json schemas = parse_json(read_file(FINEPRINT_TEST_DATA "/schemas.json"), "schemas");
  EXPECT_EQ(find("vidorag").agents, agent_names());
  for (const std::string& name : agent_names()) {
    const agents::Agent agent = load_agent(name);
    EXPECT_EQ(agent.retries, 2) << name;
    ASSERT_TRUE(agent.schema) << name;
    EXPECT_EQ(parse_json(agent.schema->text(), name), schemas.at(name)) << name;
  }
  EXPECT_EQ(load_agent("vidorag.seeker").tier, session::Tier::thumb);
  EXPECT_EQ(load_agent("vidorag.inspector").tier, session::Tier::fine);
  EXPECT_EQ(load_agent("vidorag.answer").tier, session::Tier::fine);
}

// Pages stand behind the system part: agents must share it to share what was read of them.
TEST(VidoragAgents, ShareTheirSystemPart) {
  for (const std::string& name : agent_names()) {
    EXPECT_EQ(load_agent(name).prompt.system, load_agent("vidorag.seeker").prompt.system) << name;
  }
}

TEST(PagesNamed, AreInTheOrderShownAndOnce) {
  const std::vector<std::size_t> indices = {3, 1, 0, 1, 9};
  const Pages pages = testing::ids<PageId>({7, 4, 9, 2});
  EXPECT_EQ(pages_named(indices, pages), testing::ids<PageId>({7, 4, 2}));
  EXPECT_EQ(pages_named({}, pages), Pages{});
}

TEST(Seek, TakesChoiceAndSummary) {
  SmallAgency agency(seeker_scripted({1, 0}));
  const Options options;
  const Pages pages = testing::ids<PageId>({2, 0});
  const Sought sought =
      Agents(agency.context(), "How much?", options, "").seek(pages, {"S1", "F1"}, true, 1);
  EXPECT_EQ(sought.selected, pages);
  EXPECT_EQ(sought.summary, "S2");
  EXPECT_FALSE(sought.refused);
  EXPECT_EQ(agency.asked(0).request.pages, std::vector<std::string>{"report.pdf:3 report.pdf:1"});
}

TEST(Seek, MayChooseNothingButInTheFirstRound) {
  SmallAgency agency(seeker_scripted(Json::array()) + seeker_scripted(Json::array()) +
                     seeker_scripted({1}));
  const Options options;
  const Agents asked(agency.context(), "How much?", options, "");
  const Pages pages = testing::ids<PageId>({2, 0});
  EXPECT_EQ(asked.seek(pages, {}, false, 1).selected, Pages{});
  EXPECT_EQ(asked.seek(pages, {}, true, 1).selected, testing::ids<PageId>({0}));
  EXPECT_EQ(agency.context().usage.malformed, 1);
}

TEST(Seek, LeavesTheAnswerAgentItsPages) {
  BudgetLimits limits;
  limits.max_pages = 3;
  SmallAgency agency("", limits);
  const Options options;
  const Pages pages = testing::ids<PageId>({2, 0});
  EXPECT_TRUE(Agents(agency.context(), "?", options, "").seek(pages, {}, true, 2).refused);
  EXPECT_EQ(agency.context().usage.vlm_calls, 0);
}

TEST(Inspect, KeepsAllWhenTheReplyIsNoUse) {
  const std::string bad = scripted("vidorag.inspector", "?");
  SmallAgency agency(bad + bad + bad);
  const Options options;
  const Pages pages = testing::ids<PageId>({2, 0});
  const Inspected seen = Agents(agency.context(), "How much?", options, "").inspect(pages);
  EXPECT_FALSE(seen.answers);
  EXPECT_FALSE(seen.refused);
  EXPECT_EQ(seen.named, pages);
  EXPECT_EQ(seen.feedback, "");
}

TEST(Inspect, FeedsBackItsEvaluationAndWhatIsMissing) {
  const auto inspected = [](const char* verdict, const Json& reference, const char* missing) {
    return scripted("vidorag.inspector", {{"reason", "Only the unit is there."},
                                          {"verdict", verdict},
                                          {"answer", ""},
                                          {"reference", reference},
                                          {"missing", missing},
                                          {"keep", {1}}});
  };
  SmallAgency agency(inspected("need_more", Json::array(), "the amount") +
                     inspected("need_more", Json::array(), ""));
  const Options options;
  const Pages pages = testing::ids<PageId>({2, 0});
  const Agents asked(agency.context(), "How much?", options, "");
  const Inspected seen = asked.inspect(pages);
  EXPECT_FALSE(seen.answers);
  EXPECT_EQ(seen.named, testing::ids<PageId>({0}));
  EXPECT_EQ(seen.feedback, "Only the unit is there.\nMissing: the amount");
  EXPECT_EQ(asked.inspect(pages).feedback, "Only the unit is there.");
}

}  // namespace
}  // namespace fineprint::pipelines::vidorag
