// Tests of the reader that knows all answers, by which pipelines are measured.
#include <set>

#include <gtest/gtest.h>

#include "fineprint/agents/agent.h"
#include "fineprint/agents/uncertainty.h"
#include "fineprint/core/json.h"
#include "fineprint/pipelines/pipeline.h"

#include "support/oracle_generator.h"

namespace fineprint::testing {
namespace {

const GoldAnswers kGold = {
    {"What was the profit?", {"6350", {"report.pdf:7"}}},
    {"Which ship is older?", {"the Gannet", {"report.pdf:2", "old fleet.pdf:3"}}},
    {"Who is the captain?", {"Not answerable", {}}},
};

models::Request asked(const std::string& agent, const std::string& question,
                      std::vector<std::string> pages, const std::string& text = "") {
  models::Request request;
  request.agent = agent;
  request.question = question;
  request.pages = std::move(pages);
  request.messages = {{models::Role::system, "Read.", {}}, {models::Role::user, text, {}}};
  return request;
}

class OracleTest : public ::testing::Test {
 protected:
  // The JSON of a reply that fits the agent's schema; null when it is malformed.
  Json reply(const std::string& agent, const std::string& question, std::vector<std::string> pages,
             const std::string& text = "") {
    const agents::Agent known = agents::load_agent(agent);
    if (!known.schema) throw Error(ErrorCode::internal, agent + " replies in free text");
    const models::Reply reply =
        oracle_.generate_json(asked(agent, question, std::move(pages), text), *known.schema, {});
    const auto json = grammar::json_in_reply(reply.text);
    if (!json) return {};
    EXPECT_EQ(known.schema->problem(*json), std::nullopt) << agent << ": " << *json;
    return parse_json(*json, "a reply");
  }

  double doubt(const std::string& question, std::vector<std::string> pages) {
    const models::Reply reply =
        oracle_.generate(asked("hkrag.judger", question, std::move(pages)), {});
    return agents::uncertainty(reply.tokens).value_or(-1);
  }

  std::shared_ptr<OracleErrors> errors_ = std::make_shared<OracleErrors>();
  OracleGenerator oracle_{kGold,
                          errors_,
                          {{bare_text("Profit was 6,350."), "report.pdf:7"},
                           {bare_text("was 6,350."), "report.pdf:9"},
                           {bare_text("Sales rose."), "report.pdf:8"}}};
};

TEST_F(OracleTest, PrunesUntilAllEvidenceWasSeen) {
  const std::string question = "Which ship is older?";
  const Json first = reply("hkrag.pruner", question, {"report.pdf:2"});
  ASSERT_EQ(first["facts"].size(), 1U);
  EXPECT_EQ(first["facts"][0]["kind"], "fine_print");
  EXPECT_FALSE(first["sufficient"]);
  const std::string notes = "| " + first["facts"][0]["text"].get<std::string>() + "\n";

  const Json other = reply("hkrag.pruner", question, {"report.pdf:4"}, notes);
  EXPECT_TRUE(other["facts"].empty());
  EXPECT_FALSE(other["sufficient"]);
  EXPECT_TRUE(reply("hkrag.pruner", question, {"report.pdf:2"}, notes)["facts"].empty());
  const Json last = reply("hkrag.pruner", question, {"old fleet.pdf:3"}, notes);
  EXPECT_EQ(last["facts"].size(), 1U);
  EXPECT_TRUE(last["sufficient"]);
}

TEST_F(OracleTest, IsCertainWhenTheEvidenceIsShown) {
  EXPECT_LT(doubt("What was the profit?", {"report.pdf:1", "report.pdf:7"}), 0.1);
  EXPECT_GT(doubt("What was the profit?", {"report.pdf:1"}), 0.9);
  EXPECT_GT(doubt("Who is the captain?", {"report.pdf:1"}), 0.9);
}

TEST_F(OracleTest, MinesWhatTheNotesMissAndSortsWhatTheyHold) {
  const std::string question = "What was the profit?";
  const std::vector<std::string> pages = {"report.pdf:1", "report.pdf:7"};
  const Json mined = reply("hkrag.decoupler_mine_zoom", question, pages);
  ASSERT_EQ(mined["details"].size(), 1U);
  EXPECT_EQ(mined["details"][0]["page"], 1);
  const std::string known = "| page 1: " + mined["details"][0]["text"].get<std::string>();
  EXPECT_TRUE(reply("hkrag.decoupler_mine", question, pages, known)["details"].empty());
  EXPECT_TRUE(reply("hkrag.decoupler_mine_text", question, {})["details"].empty());

  EXPECT_TRUE(reply("hkrag.decoupler_separate", question, {}, known)["answerable"]);
  EXPECT_EQ(reply("hkrag.decoupler_separate", question, {}, known)["fine_print"].size(), 1U);
  EXPECT_FALSE(reply("hkrag.decoupler_separate", question, {})["answerable"]);
}

TEST_F(OracleTest, AnswersWhenAllEvidenceIsShown) {
  const std::string question = "Which ship is older?";
  for (const char* agent : {"hkrag.summarizer", "hkrag.summarizer_draft", "answer.pages"}) {
    const Json right = reply(agent, question, {"old fleet.pdf:3", "a b.pdf:1", "report.pdf:2"});
    EXPECT_EQ(right["answer"], "the Gannet") << agent;
    EXPECT_EQ(right["pages"], Json({0, 2})) << agent;
    const Json half = reply(agent, question, {"report.pdf:2"});
    EXPECT_FALSE(half["answerable"]) << agent;
    EXPECT_TRUE(half["pages"].empty()) << agent;
    EXPECT_FALSE(reply(agent, "Who is the captain?", {"report.pdf:2"})["answerable"]) << agent;
  }
  const Json noted = reply("hkrag.summarizer", "What was the profit?", {"report.pdf:1"},
                           "| 6350 (stands on report.pdf:7.)");
  EXPECT_EQ(noted["answer"], "6350");
}

TEST_F(OracleTest, SeeksTheEvidenceAndInspectsItUntilAllIsThere) {
  const std::string question = "Which ship is older?";
  const Json first = reply("vidorag.seeker", question, {"a.pdf:1 old fleet.pdf:3 report.pdf:2"});
  EXPECT_EQ(first["choice"], Json({1, 2}));
  const std::string again = "| " + first["summary"].get<std::string>();
  EXPECT_EQ(reply("vidorag.seeker", question, {"a.pdf:1"})["choice"], Json::array({0}));
  EXPECT_TRUE(reply("vidorag.seeker", question, {"a.pdf:1"}, again)["choice"].empty());

  const Json half = reply("vidorag.inspector", question, {"a.pdf:1", "report.pdf:2"});
  EXPECT_EQ(half["verdict"], "need_more");
  EXPECT_EQ(half["keep"], Json::array({1}));
  const Json all = reply("vidorag.inspector", question, {"report.pdf:2", "old fleet.pdf:3"});
  EXPECT_EQ(all["answer"], "the Gannet");
  EXPECT_EQ(all["reference"], Json({0, 1}));
  EXPECT_EQ(reply("vidorag.answer", question, {"old fleet.pdf:3", "report.pdf:2"})["answer"],
            "the Gannet");

  errors_->agent = 1;
  EXPECT_EQ(reply("vidorag.seeker", question, {"a.pdf:1 report.pdf:2"})["choice"],
            Json::array({0}));
  EXPECT_EQ(reply("vidorag.inspector", question, {"a.pdf:1"})["answer"],
            std::string(kNotAnswerable));
  EXPECT_TRUE(
      reply("vidorag.inspector", question, {"report.pdf:2", "old fleet.pdf:3"})["keep"].empty());
}

TEST_F(OracleTest, CountsPagesThroughMosaics) {
  const Json right = reply("answer.pages", "Which ship is older?",
                           {"a.pdf:1 old fleet.pdf:3", "report.pdf:1 report.pdf:2"});
  EXPECT_EQ(right["pages"], Json({1, 3}));
}

TEST_F(OracleTest, KnowsPassagesAgainAsPromptsQuoteThem) {
  const std::string prompt =
      "Passages from documents:\nPassage 0:\n| Report, page 8\n| Sales rose.\n"
      "Passage 1:\n| Report: Accounts\n| Profit was\n| 6,350.\n\nQuestion: ...";
  const Json right = reply("answer.chunks", "What was the profit?", {}, prompt);
  EXPECT_EQ(right["answer"], "6350");
  EXPECT_EQ(right["chunks"], Json::array({1}));
  const std::string without = prompt.substr(0, prompt.find("Passage 1"));
  EXPECT_FALSE(reply("answer.chunks", "What was the profit?", {}, without)["answerable"]);
  const models::Reply text =
      oracle_.generate(asked("answer.chunks_text", "What was the profit?", {}, prompt), {});
  EXPECT_EQ(text.text, "6350");
}

TEST_F(OracleTest, ErringAgentsMisleadAndReadersMisread) {
  const std::string question = "What was the profit?";
  errors_->agent = 1;
  EXPECT_TRUE(reply("hkrag.pruner", question, {"report.pdf:7"})["facts"].empty());
  EXPECT_FALSE(reply("hkrag.pruner", question, {"report.pdf:7"})["sufficient"]);
  EXPECT_TRUE(reply("hkrag.pruner", question, {"report.pdf:1"})["sufficient"]);
  EXPECT_GT(doubt(question, {"report.pdf:7"}), 0.9);
  EXPECT_TRUE(reply("hkrag.decoupler_mine", question, {"report.pdf:7"})["details"].empty());
  EXPECT_TRUE(reply("hkrag.decoupler_separate", question, {})["answerable"]);
  EXPECT_EQ(reply("hkrag.summarizer", question, {"report.pdf:7"})["answer"], "6350");

  *errors_ = {.reader = 1};
  const Json wrong = reply("hkrag.summarizer", question, {"report.pdf:7"});
  EXPECT_NE(wrong["answer"], "6350");
  EXPECT_TRUE(wrong["answerable"]);
  EXPECT_TRUE(reply("hkrag.pruner", question, {"report.pdf:7"})["sufficient"]);

  *errors_ = {.malformed = 1};
  EXPECT_TRUE(reply("answer.pages", question, {"report.pdf:7"}).is_null());
}

TEST_F(OracleTest, DrawsErrorsAtTheirRateAndTheSameForTheSameCall) {
  *errors_ = {.reader = 0.1};
  int wrong = 0, differ = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    errors_->seed = seed;
    const Json once = reply("answer.pages", "What was the profit?", {"report.pdf:7"});
    wrong += once["answer"] == "6350" ? 0 : 1;
    differ += once == reply("answer.pages", "What was the profit?", {"report.pdf:7"}) ? 0 : 1;
  }
  EXPECT_NEAR(wrong, 200, 50);
  EXPECT_EQ(differ, 0);

  *errors_ = {.malformed = 0.5};
  int mended = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    errors_->seed = seed;
    if (!reply("answer.pages", "What was the profit?", {"report.pdf:7"}).is_null()) continue;
    mended +=
        reply("answer.pages", "What was the profit?", {"report.pdf:7"}, "again").is_null() ? 0 : 1;
  }
  EXPECT_GT(mended, 10);  // a retry is another prompt
}

TEST_F(OracleTest, HasAReplyForEachAgentOfTheMethodsItMeasures) {
  std::set<std::string> names;
  for (const char* pipeline : {"hkrag", "direct", "textrag"}) {
    const std::vector<std::string>& agents = pipelines::find(pipeline).agents;
    names.insert(agents.begin(), agents.end());
  }
  ASSERT_EQ(names.size(), 12u);
  for (const std::string& name : names) {
    const agents::Agent agent = agents::load_agent(name);
    const models::Request request = asked(name, "What was the profit?", {"report.pdf:7"});
    if (!agent.schema) {
      EXPECT_FALSE(oracle_.generate(request, {}).text.empty()) << name;
    } else {
      EXPECT_FALSE(reply(name, "What was the profit?", {"report.pdf:7"}).is_null()) << name;
    }
  }
}

TEST_F(OracleTest, SaysToOthersWhatItsStreamHolds) {
  const auto says = [&](const char* agent, std::vector<std::string> pages,
                        const std::string& text) {
    return reply(agent, "What was the profit?", std::move(pages), text).at("answer");
  };
  const std::string seventh = "Text 0:\n| report.pdf, page 7\n| Profit was 6,350.\n";
  const std::string& right = kGold.at("What was the profit?").answer;
  EXPECT_EQ(says("mdocagent.text", {}, seventh), right);
  EXPECT_EQ(says("mdocagent.text", {}, "Text 0:\n| report.pdf, page 8\n"), kNotAnswerable);
  EXPECT_EQ(says("mdocagent.image", {"report.pdf:7"}, ""), right);
  EXPECT_EQ(says("mdocagent.general", {"report.pdf:8"}, seventh), right);
  const std::string weighed = "x\n| Not answerable\n\ny\n| " + right + "\n";
  EXPECT_EQ(says("mdocagent.summarise", {}, weighed), right);
  EXPECT_EQ(says("mdocagent.summarise", {}, "x\n| Not answerable\n"), kNotAnswerable);
  *errors_ = {.agent = 1};
  EXPECT_EQ(says("mdocagent.text", {}, seventh), kNotAnswerable);
  EXPECT_EQ(says("mdocagent.image", {}, ""), "a misread value");
  EXPECT_EQ(says("mdocagent.summarise", {}, weighed), right);
  *errors_ = {.reader = 1};
  EXPECT_EQ(says("mdocagent.summarise", {}, weighed), "a misread value");
  EXPECT_EQ(reply("mdocagent.critical", "What was the profit?", {}).size(), 2u);
  EXPECT_EQ(
      oracle_.generate(asked("mdocagent.text_free", "What was the profit?", {}, seventh), {}).text,
      right);
}

TEST_F(OracleTest, LocatesAndJudgesForDmap) {
  const std::string question = "Which ship is older?";
  EXPECT_EQ(reply("dmap.locate", question, {})["location"], Json({"Page 2", "Page 3"}));
  EXPECT_TRUE(reply("dmap.locate_sections", question, {})["sections"].empty());
  EXPECT_TRUE(reply("dmap.reflect", question, {})["addressed"]);
  const std::string texts = "Text 0:\n| report.pdf, page 2\n| The Gannet sails.\n";
  EXPECT_FALSE(reply("dmap.text", question, {}, texts)["answerable"]);
  EXPECT_EQ(reply("dmap.general", question, {"old fleet.pdf:3"}, texts)["answer"], "the Gannet");
  EXPECT_EQ(reply("dmap.summarise", question, {}, "x\n| the Gannet\n")["answer"], "the Gannet");
  EXPECT_EQ(reply("dmap.critical", question, {}).size(), 2u);
  errors_->agent = 1;
  EXPECT_TRUE(reply("dmap.locate", question, {})["location"].empty());
  EXPECT_FALSE(reply("dmap.reflect", question, {})["addressed"]);
  EXPECT_EQ(reply("dmap.image", question, {"report.pdf:2", "old fleet.pdf:3"})["answer"],
            kNotAnswerable);
}

TEST_F(OracleTest, JudgesEvidencePagesByTheHighestMark) {
  const std::vector<std::string> marks = {"1", "2", "3", "4", "5"};
  const auto mark = [&](const std::string& page) {
    const std::string question = "What was the profit?";
    const models::Choice choice =
        oracle_.choose(asked("molorag.relevance", question, {page}), marks);
    EXPECT_EQ(choice.probabilities.at(choice.best), 1);
    const Json written = reply("molorag.relevance_json", question, {page});
    return marks.at(choice.best) + " " + dump_json(written);
  };
  EXPECT_EQ(mark("report.pdf:7"), R"(5 {"relevance":5})");
  EXPECT_EQ(mark("report.pdf:1"), R"(1 {"relevance":1})");
  const models::Request request = asked("molorag.relevance", "What was the profit?", {"a.pdf:1"});
  errors_->agent = 1;
  EXPECT_EQ(oracle_.choose(request, marks).best, 4u);
}

TEST_F(OracleTest, RefusesWhatItDoesNotKnow) {
  EXPECT_THROW(oracle_.generate(asked("hkrag.judger", "Why?", {}), {}), Error);
  EXPECT_THROW(oracle_.choose(asked("hkrag.judger", "Why?", {}), {}), Error);
}

TEST(GoldAnswersTest, NamesPagesByTheirDocument) {
  const Question one =
      parse_question(R"({"id":"1","question":"A?","doc":"a.pdf","answer":7,"evidence_pages":[2]})");
  const Question two = parse_question(
      R"({"id":"2","question":"B?","answer":"x","evidence_pages":[{"doc":"b.pdf","page":3}]})");
  const GoldAnswers gold = gold_answers({one, two});
  EXPECT_EQ(gold.at("A?").answer, "7");
  EXPECT_EQ(gold.at("A?").pages, std::vector<std::string>{"a.pdf:2"});
  EXPECT_EQ(gold.at("B?").pages, std::vector<std::string>{"b.pdf:3"});
}

}  // namespace
}  // namespace fineprint::testing
