// HKRAG's agents: what they are shown, what is taken from their replies, what a refusal looks like.
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/pipelines/pipeline.h"

#include "pipelines/hkrag/agents.h"
#include "pipelines/reading/regions.h"
#include "support/ids.h"
#include "unit/agents/small_agency.h"
#include "unit/pipelines/case_run.h"

namespace fineprint::pipelines::hkrag {
namespace {

using agents::load_agent;
using agents::scripted;
using agents::SmallAgency;

std::string role_scripted(const std::string& role, const Json& reply, const Json& more = {}) {
  return scripted("hkrag." + role, reply, more);
}

TEST(Regions, AreHalvesQuartersAndTheMiddle) {
  EXPECT_EQ(region_box("top", 100, 200), (Box{0, 0, 100, 100}));
  EXPECT_EQ(region_box("right", 100, 200), (Box{50, 0, 100, 200}));
  EXPECT_EQ(region_box("bottom left", 100, 200), (Box{0, 100, 50, 200}));
  EXPECT_EQ(region_box("middle", 100, 200), (Box{25, 50, 75, 150}));
  EXPECT_THROW(region_box("everywhere", 100, 200), Error);
}

TEST(Regions, AreThoseOfTheSchema) {
  const auto schema = load_agent("hkrag.decoupler_mine_zoom").schema;
  ASSERT_TRUE(schema);
  for (const char* name : {"top", "bottom", "left", "right", "top left", "top right", "bottom left",
                           "bottom right", "middle"}) {
    EXPECT_NO_THROW(region_box(name, 100, 200));
    const Json reply = {{"details", Json::array()}, {"look", {{{"page", 0}, {"where", name}}}}};
    EXPECT_FALSE(schema->problem(reply.dump())) << name;
  }
  const Json other = {{"details", Json::array()}, {"look", {{{"page", 0}, {"where", "edge"}}}}};
  EXPECT_TRUE(schema->problem(other.dump()));
}

TEST(Notes, NameTheirPageByItsPlaceInTheCall) {
  const auto pages = testing::ids<PageId>({7, 4});
  EXPECT_EQ(note_line({"Unaudited.", PageId(4), "footnote 2", true}, pages),
            "page 1, footnote 2: Unaudited.");
  EXPECT_EQ(note_line({"Unaudited.", PageId(5), "", true}, pages), "Unaudited.");
  const std::vector<Note> notes = {{"a", PageId(7), "", false}, {"b", PageId(4), "", true}};
  EXPECT_EQ(statements_of(notes, pages).salient, std::vector<std::string>{"page 0: a"});
  EXPECT_EQ(statements_of(notes, pages).fine_print, std::vector<std::string>{"page 1: b"});
}

TEST(Claims, AreTheNotesOfThePagesThatTheReplyNames) {
  const auto pages = testing::ids<PageId>({7, 4, 9});
  const std::vector<Note> notes = {{"a", PageId(7), "", false}, {"b", PageId(4), "", true}};
  const auto named = claims_of({"x", true, 0.5, {1, 2}}, true, pages, notes);
  ASSERT_EQ(named.size(), 2u);
  EXPECT_EQ(named[0].quote, "b");
  EXPECT_EQ(named[1].page, PageId(9));
  EXPECT_EQ(named[1].quote, "");
  EXPECT_EQ(claims_of({"x", true, 0.5, {}}, false, pages, notes).size(), 3u);
  EXPECT_TRUE(claims_of({"x", false, 0.5, {1}}, true, pages, notes).empty());
}

TEST(Mine, ShowsPartsOfPagesBehindThePages) {
  const Json details = {{{"text", "in thousands"}, {"page", 2}, {"where", "head"}}};
  const Json look = {{{"page", 1}, {"where", "top"}}, {{"page", 0}, {"where", "left"}}};
  SmallAgency agency(role_scripted("decoupler_mine_zoom", {{"details", details}, {"look", look}}));
  const Agents asked(agency.context(), "How much?", "");
  const auto pages = testing::ids<PageId>({2, 0});
  const std::vector<Region> regions = {{PageId(2), "bottom"}};
  const Mined mined = asked.mine(pages, regions, {{"fact"}, {}}, {true, 1});
  EXPECT_EQ(agency.asked(0).request.pages,
            (std::vector<std::string>{"report.pdf:3", "report.pdf:1", "report.pdf:3"}));
  EXPECT_EQ(agency.asked(0).request.messages.back().image_labels,
            (std::vector<std::string>{"Page 0: ", "Page 1: ", "Page 2 (bottom of page 0): "}));
  EXPECT_LT(agency.asked(0).request.images[2]->height, agency.asked(0).request.images[2]->width);
  ASSERT_EQ(mined.details.size(), 1u);
  EXPECT_EQ(mined.details[0].page, PageId(2));  // that of the part
  EXPECT_TRUE(mined.details[0].fine_print);
  ASSERT_EQ(mined.regions.size(), 1u);  // no more than may be asked for
  EXPECT_EQ(mined.regions[0].page, PageId(0));
}

TEST(Mine, RefusesPagesThatWereNotShown) {
  const Json details = {{{"text", "x"}, {"page", 2}, {"where", ""}}};
  const std::string bad = role_scripted("decoupler_mine", {{"details", details}});
  SmallAgency agency(bad + bad + bad);
  const Agents asked(agency.context(), "How much?", "");
  const auto pages = testing::ids<PageId>({2, 0});
  EXPECT_TRUE(asked.mine(pages, {}, {}, {true, 0}).details.empty());
  EXPECT_EQ(agency.context().usage.malformed, 3);
}

TEST(Prune, LeavesTheSummarizerItsCall) {
  BudgetLimits limits;
  limits.max_calls = 1;
  SmallAgency agency("", limits);
  const Agents asked(agency.context(), "How much?", "");
  EXPECT_TRUE(asked.prune(PageId(0), {}, 1).refused);
  EXPECT_EQ(agency.context().usage.vlm_calls, 0);
}

TEST(Prune, LeavesTheSummarizerItsPagesAndTheirTokens) {
  BudgetLimits pages;
  pages.max_pages = 2;
  SmallAgency by_pages("", pages);
  EXPECT_TRUE(Agents(by_pages.context(), "?", "").prune(PageId(0), {}, 2).refused);
  BudgetLimits tokens;
  tokens.max_image_tokens = 1280;  // a page of the tier `page`
  SmallAgency by_tokens("", tokens);
  EXPECT_TRUE(Agents(by_tokens.context(), "?", "").prune(PageId(0), {}, 1).refused);
}

TEST(Judge, TellsTheUncertaintyOfTheTrial) {
  SmallAgency agency(role_scripted("judger", "12", {{"entropy", 2.0}}) +
                     role_scripted("judger", "12"));
  const Agents asked(agency.context(), "How much?", "");
  const auto pages = testing::ids<PageId>({0});
  EXPECT_DOUBLE_EQ(*asked.judge(pages, {}, {}).uncertainty, 1 - std::exp(-2.0));
  ::testing::internal::CaptureStderr();
  EXPECT_FALSE(asked.judge(pages, {}, {}).uncertainty);
  testing::logged_so_far() += ::testing::internal::GetCapturedStderr();
  EXPECT_FALSE(agency.asked(0).json);
  EXPECT_EQ(agency.asked(0).options.max_new_tokens, 64);
}

TEST(Separate, KeepsWhatThereWasWhenTheReplyIsNoUse) {
  const std::string bad = role_scripted("decoupler_separate", "?");
  SmallAgency agency(bad + bad + bad);
  const Agents asked(agency.context(), "How much?", "");
  const Separated separated = asked.separate({{"a"}, {"b"}}, 1);
  EXPECT_EQ(separated.statements.salient, std::vector<std::string>{"a"});
  EXPECT_EQ(separated.statements.fine_print, std::vector<std::string>{"b"});
  EXPECT_FALSE(separated.answerable);
  EXPECT_FALSE(separated.refused);
}

TEST(HkragAgents, AreAllDeclared) {
  EXPECT_EQ(find("hkrag").agents, agent_names());
  EXPECT_EQ(agent_names().size(), 8u);
  EXPECT_THROW(load_agent("hkrag.nobody"), Error);
}

TEST(HkragAgents, HaveTheSchemasOfTheMethod) {
  const Json schemas = parse_json(read_file(FINEPRINT_TEST_DATA "/schemas.json"), "schemas");
  // Variants with another prompt, or of our own.
  const std::map<std::string, std::string> same_as = {
      {"hkrag.decoupler_mine_text", "hkrag.decoupler_mine"},
      {"hkrag.summarizer_draft", "hkrag.summarizer"}};
  for (const std::string& name : agent_names()) {
    const agents::Agent agent = load_agent(name);
    EXPECT_EQ(agent.name, name);
    EXPECT_EQ(agent.retries, 2);
    if (name == "hkrag.decoupler_mine_zoom") continue;  // no paper has it
    const std::string method = same_as.contains(name) ? same_as.at(name) : name;
    EXPECT_EQ(agent.schema.has_value(), schemas.contains(method)) << name;
    if (!agent.schema) continue;
    EXPECT_EQ(parse_json(agent.schema->text(), name), schemas.at(method));
  }
  EXPECT_EQ(load_agent("hkrag.judger").max_new_tokens, 64);
  EXPECT_EQ(load_agent("hkrag.pruner").max_new_tokens, 1792);
  EXPECT_EQ(load_agent("hkrag.decoupler_mine").tier, session::Tier::fine);
  EXPECT_EQ(load_agent("hkrag.decoupler_separate").tier, session::Tier::page);
}

// Pages stand behind the system part: all agents must share it to share what was read of them.
TEST(HkragAgents, ShareTheirSystemPart) {
  for (const std::string& name : agent_names()) {
    EXPECT_EQ(load_agent(name).prompt.system, load_agent("hkrag.pruner").prompt.system) << name;
  }
}

}  // namespace
}  // namespace fineprint::pipelines::hkrag
