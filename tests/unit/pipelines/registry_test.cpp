// Tests of finding pipelines by name.
#include <algorithm>
#include <filesystem>
#include <set>

#include <gtest/gtest.h>

#include "fineprint/agents/agent.h"
#include "fineprint/core/error.h"
#include "fineprint/core/json.h"
#include "fineprint/docmap/map_builder.h"
#include "fineprint/pipelines/pipeline.h"

namespace fineprint::pipelines {
namespace {

TEST(Registry, FindsEachPipelineByItsName) {
  ASSERT_FALSE(all().empty());
  for (const Pipeline& pipeline : all()) {
    EXPECT_EQ(&find(pipeline.info.name), &pipeline);
    EXPECT_NE(pipeline.run, nullptr) << pipeline.info.name;
  }
}

TEST(Registry, OnePipelineAnswersWhereAGeneratorOfASizeAloneIsNamed) {
  int defaults = 0, small_defaults = 0;
  for (const Pipeline& pipeline : all()) {
    const PipelineInfo& info = pipeline.info;
    defaults += info.default_of_generators ? 1 : 0;
    small_defaults += info.default_of_small_generators ? 1 : 0;
    const bool answers = info.default_of_generators || info.default_of_small_generators;
    EXPECT_TRUE(info.generates || !answers) << info.name;
  }
  EXPECT_EQ(defaults, 1);
  EXPECT_EQ(small_defaults, 1);
}

TEST(Registry, HoldsPipelinesOfAFileAndOfAFolder) {
  for (const char* name : {"direct", "extractive", "hkrag", "textrag"}) {
    EXPECT_EQ(find(name).info.name, name);
  }
  EXPECT_THROW(find("reading"), Error);  // a folder that is no pipeline
}

TEST(Agents, HavePromptsThatNameTheirFieldsAndMarkData) {
  for (const Pipeline& pipeline : all()) {
    EXPECT_EQ(pipeline.agents.empty(), !pipeline.info.generates) << pipeline.info.name;
    for (const std::string& name : pipeline.agents) {
      const agents::Agent agent = agents::load_agent(name);
      // One of them writes questions, to pages of a mark.
      const char* asked = name == "molorag.question" ? "{mark}" : "{question}";
      EXPECT_NE(agent.prompt.user.find(asked), std::string::npos) << name;
      EXPECT_NE(agent.prompt.system.find("\"| \""), std::string::npos) << name;
      EXPECT_LT(agent.prompt.system.size() + agent.prompt.user.size(), 1800u) << name;
      if (!agent.schema) continue;
      const Json schema = parse_json(agent.schema->text(), name);
      for (const Json& object : schema.value("oneOf", Json::array({schema}))) {
        for (const auto& [field, ignored] : object.at("properties").items()) {
          EXPECT_NE(agent.prompt.user.find('"' + field + '"'), std::string::npos) << name << field;
        }
      }
    }
  }
}

TEST(Agents, ThatAreAskedDependOnTheSettings) {
  using Names = std::vector<std::string>;
  const auto asked = [](const std::string& name, OptionTexts own) {
    return asked_agents(find(name), {.own = std::move(own)});
  };
  EXPECT_EQ(asked("direct", {}), Names{"answer.pages"});
  EXPECT_EQ(asked("extractive", {}), Names{});
  EXPECT_EQ(
      asked("mdocagent", {{"critical", {"off"}}, {"free-replies", {"on"}}}),
      (Names{"mdocagent.general", "mdocagent.text", "mdocagent.image", "mdocagent.summarise"}));
  EXPECT_EQ(asked("hkrag", {{"no-pruner", {"true"}}}),
            (Names{"hkrag.summarizer", "hkrag.judger", "hkrag.decoupler_mine",
                   "hkrag.decoupler_separate"}));
  EXPECT_EQ(asked("hkrag", {{"no-pruner", {"true"}}, {"no-decoupler", {"true"}}}),
            Names{"hkrag.summarizer"});
  EXPECT_EQ(
      asked("hkrag", {{"seek", {"true"}}, {"no-pruner", {"true"}}, {"no-decoupler", {"true"}}}),
      (Names{"hkrag.summarizer", "vidorag.seeker"}));
  EXPECT_EQ(asked("molorag", {{"no-logic", {"true"}}}), Names{"answer.pages"});
  EXPECT_EQ(asked("molorag", {}), (Names{"answer.pages", "molorag.relevance"}));
  // Every name that can be asked is that of an agent with a prompt.
  for (const Pipeline& pipeline : all()) {
    for (const std::string& name : asked_agents(pipeline, {})) {
      EXPECT_EQ(std::ranges::count(pipeline.agents, name), 1) << name;
    }
  }
}

TEST(Registry, FindsThePipelineThatAScorerNames) {
  EXPECT_EQ(finder("map"), &find("dmap"));
  EXPECT_EQ(finder("molorag"), &find("molorag"));
  EXPECT_EQ(finder("dmap"), nullptr);  // the pipeline has another name than its scorer
  EXPECT_EQ(finder(""), nullptr);
}

TEST(Registry, HasWhatOtherPipelinesAndTheGateUse) {
  EXPECT_EQ(&gate_keeper(), &find("hkrag"));
  EXPECT_EQ(&reflector(), &find("dmap"));
  EXPECT_EQ(&page_choice(), &find("vidorag").choice);
}

TEST(Agents, OfAScorerAreAskedToo) {
  PipelineOptions options;
  options.search.scorers = {"map:2", "bm25"};
  options.search.rankers =
      page_rankers({}, [](const std::string&) { return OptionTexts{}; }, agents::Reserve{});
  EXPECT_EQ(asked_agents(find("direct"), options),
            (std::vector<std::string>{"answer.pages", "dmap.locate", "dmap.locate_sections"}));
}

// A prompt without an agent that asks by it, or an agent that is declared nowhere, is a slip.
TEST(Agents, AreThoseThatHavePrompts) {
  std::set<std::string> declared, written;
  for (const Pipeline& pipeline : all()) {
    declared.insert(pipeline.agents.begin(), pipeline.agents.end());
  }
  declared.insert(std::string(docmap::kMapBuilder));  // which `index --map` asks
  declared.insert(std::string(docmap::kTextMapBuilder));
  for (const auto& folder :
       std::filesystem::directory_iterator(FINEPRINT_TEST_DATA "/../../configs/prompts")) {
    // Those of `bench`, of `train corpus-questions` and of conversations, which ask them
    // themselves.
    const std::string name = folder.path().filename().string();
    if (name == "judges" || name == "questions" || name == "dialogue") continue;
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
      const std::string role = file.path().stem().string();
      if (role != "system") written.insert(name + "." + role);
    }
  }
  EXPECT_EQ(declared, written);
}

TEST(Registry, NamesThoseThatExist) {
  try {
    find("oracle");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    EXPECT_NE(std::string(error.what()).find("extractive"), std::string::npos);
  }
}

}  // namespace
}  // namespace fineprint::pipelines
