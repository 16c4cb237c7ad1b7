// From settings to what sessions and budgets are made of.
#include "cli/wiring.h"

#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "fineprint/answering/method_options.h"
#include "fineprint/core/error.h"

#include "cli/options.h"
#include "support/temp_dir.h"

namespace fineprint::cli {
namespace {

Settings with(const OptionTexts& values) {
  Settings settings(options());
  settings.lay_over(values, "--flags");
  return settings;
}

BudgetLimits limits_of(const Settings& settings) { return settings.read(budget_options()); }

TEST(BudgetLimits, AreUnlimitedButForCalls) {
  const BudgetLimits limits = Settings(options()).read(budget_options());
  EXPECT_EQ(limits.max_calls, 64);
  EXPECT_EQ(limits.max_image_tokens, std::numeric_limits<long>::max());
  EXPECT_EQ(limits.max_pages, std::numeric_limits<int>::max());
  EXPECT_EQ(limits.max_seconds, std::numeric_limits<double>::infinity());
  EXPECT_EQ(limits.max_calls, BudgetLimits().max_calls);
}

TEST(BudgetLimits, AreThoseOfTheFlags) {
  const BudgetLimits limits = limits_of(with({{"max-calls", {"0"}},
                                              {"max-image-tokens", {"5000000"}},
                                              {"max-pages", {"7"}},
                                              {"max-seconds", {"2.5"}}}));
  EXPECT_EQ(limits.max_calls, 0);
  EXPECT_EQ(limits.max_image_tokens, 5'000'000);
  EXPECT_EQ(limits.max_pages, 7);
  EXPECT_EQ(limits.max_seconds, 2.5);
}

TEST(BudgetLimits, RefuseWhatIsNoTime) {
  for (const std::string seconds : {"0", "-1"}) {
    try {
      limits_of(with({{"max-seconds", {seconds}}}));
      FAIL() << seconds;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::usage);
      EXPECT_NE(std::string(error.what()).find("--max-seconds"), std::string::npos);
    }
  }
}

TEST(SearchOptions, KnowHowVectorsAreFetched) {
  EXPECT_EQ(answering::search_options(Settings(options())).late_tokens, 0);
  EXPECT_TRUE(answering::search_options(Settings(options())).late_rescore);
  const auto options =
      answering::search_options(with({{"late-tokens", {"4"}}, {"late-rescore", {"off"}}}));
  EXPECT_EQ(options.late_tokens, 4);
  EXPECT_FALSE(options.late_rescore);
}

TEST(PipelineOptions, HoldEveryOptionOfTheirMethod) {
  const Settings settings = with({{"prompts", {"/my/prompts"}},
                                  {"iterations", {"5"}},
                                  {"hkrag.judger-threshold", {"0.25"}},
                                  {"no-pruner", {"true"}},
                                  {"answer-format", {"text"}},
                                  {"min-confidence", {"0.5"}}});
  const pipelines::PipelineOptions options = answering::pipeline_options(settings, "hkrag");
  for (const Option& option : pipelines::find("hkrag").options) {
    EXPECT_TRUE(options.own.contains(option.name)) << option.name;
  }
  EXPECT_EQ(options.own.size(), pipelines::find("hkrag").options.size());
  EXPECT_EQ(options.own.at("iterations"), std::vector<std::string>{"5"});
  EXPECT_EQ(options.own.at("judger-threshold"), std::vector<std::string>{"0.25"});
  EXPECT_EQ(options.own.at("no-pruner"), std::vector<std::string>{"true"});
  EXPECT_EQ(options.own.at("no-decoupler"), std::vector<std::string>{"false"});
  EXPECT_EQ(options.answer.prompts, "/my/prompts");
  EXPECT_EQ(options.answer.min_confidence, 0.5);
  EXPECT_TRUE(options.answer.free_text);
}

TEST(AnsweringOptions, NameTheGeneratorAndWhatItKeeps) {
  const testing::TempDir dir;
  const auto sent = std::make_shared<remote::SentPages>();
  const Settings settings = with({{"generator", {"script:replies.jsonl"}},
                                  {"api-key-file", {dir.write("key", "secret\n")}},
                                  {"api-retries", {"2"}},
                                  {"cache-bytes", {"3MB"}},
                                  {"prompt-lookup", {"off"}},
                                  {"keep-states", {"true"}},
                                  {"password", {"open"}},
                                  {"password-file", {dir.write("list", "a.pdf\tsesame\n")}}});
  const session::SessionOptions options = answering_options(settings, dir.file("store"), sent);
  EXPECT_EQ(options.generator, "script:replies.jsonl");
  EXPECT_EQ(options.model.openai.api_key, "secret");
  EXPECT_EQ(options.model.openai.retries, 2);
  EXPECT_EQ(options.model.openai.sent, sent);
  EXPECT_EQ(options.model.keep.cache_bytes, 3'000'000U);
  EXPECT_NE(options.model.keep.shelf, nullptr);
  EXPECT_FALSE(options.model.lookup.on);
  EXPECT_EQ(options.read.passwords, std::vector<std::string>{"open"});
  ASSERT_EQ(options.read.listed.size(), 1U);
  EXPECT_EQ(options.read.listed[0].text, "sesame");
  EXPECT_THROW(answering_options(settings, ""), Error);  // nowhere to keep states
}

TEST(AnsweringOptions, WithoutAGeneratorAskForNothingOfItsOwn) {
  const Settings settings = with({{"api-key-file", {"/no/such/file"}}, {"keep-states", {"true"}}});
  const session::SessionOptions options = answering_options(settings, "");
  EXPECT_TRUE(options.generator.empty());
  EXPECT_EQ(options.model.keep.shelf, nullptr);
}

TEST(AnsweringOptions, ReadTheKeyForEncodersAndRerankersOnServers) {
  const testing::TempDir dir;
  const std::string key = dir.write("key", "secret\n");
  for (const auto& [option, spec] : std::vector<std::pair<std::string, std::string>>{
           {"retriever", "page:openai:http://a/v1#m"}, {"rerank", "tei:http://a"}}) {
    const Settings settings =
        with({{option, {spec}}, {"api-key-file", {key}}, {"api-retries", {"2"}}});
    const session::ModelOptions model = answering_options(settings, "").model;
    EXPECT_EQ(model.openai.api_key, "secret") << option;
    EXPECT_EQ(model.openai.retries, 2) << option;
  }
  EXPECT_EQ(encoder_options(with({{"api-key-file", {"/no/such/file"}}})).openai.api_key, "");
}

}  // namespace
}  // namespace fineprint::cli
