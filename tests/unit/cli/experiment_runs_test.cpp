// The experiments that are built in: every file loads, and its runs have valid settings.
#include "cli/experiment_runs.h"

#include <algorithm>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

#include "cli/bench_runs.h"
#include "cli/options.h"
#include "support/expect_mentions.h"

namespace fineprint::cli {
namespace {

using testing::expect_mentions;

// Flags of a user who has a model for every role and no data.
Settings given_for(const bench::Experiment& experiment, const OptionTexts& more = {}) {
  OptionTexts flags = {{"data", {"/nowhere"}}, {"out", {"/nowhere/out"}}, {"experiment-model", {}}};
  for (const bench::ExperimentRole& role : experiment.roles) {
    flags["experiment-model"].push_back(role.name + "=models/" + role.name);
  }
  for (const auto& [name, texts] : more) flags[name] = texts;
  Settings given(options());
  given.lay_over(flags, std::string(settings::kFlagsOrigin));
  return given;
}

std::vector<PreparedRun> prepared(const std::string& name, const OptionTexts& more = {}) {
  const bench::Experiment experiment = load_experiment(name);
  return prepare_runs(experiment, experiment_origin(name), given_for(experiment, more));
}

std::string refusal(const std::string& name, const OptionTexts& more) {
  try {
    prepared(name, more);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "accepted: " << name;
  return {};
}

TEST(ExperimentRuns, EveryTableOfThePapersIsThere) {
  const std::vector<std::string> names = experiment_names();
  std::set<std::string> wanted = {"hkrag-figure3",     "hkrag-figure4",    "vidorag-table2",
                                  "vidorag-retrieval", "vidorag-ablation", "vidorag-latency",
                                  "molorag-figure4",   "molorag-figure6",  "molorag-figure7"};
  for (int i = 2; i <= 6; ++i) {
    wanted.insert("hkrag-table" + std::to_string(i));
    wanted.insert("dmap-table" + std::to_string(i));
  }
  for (int i = 2; i <= 16; ++i) wanted.insert("molorag-table" + std::to_string(i));
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()), wanted);
}

// Benchmarks, options and their values, presets, and the agents that they ask.
TEST(ExperimentRuns, EveryRunCanBeginOnceItsDataAreThere) {
  for (const std::string& name : experiment_names()) {
    SCOPED_TRACE(name);
    const bench::Experiment experiment = load_experiment(name);
    EXPECT_FALSE(experiment.needs.data.empty());
    EXPECT_GT(experiment.needs.gpu_hours, 0);
    std::set<std::string> folders;
    for (const PreparedRun& run : prepared(name)) {
      SCOPED_TRACE(run.folder);
      ASSERT_EQ(run.missing.size(), 1U);
      expect_mentions(run.missing.front(), {"no data of"});
      EXPECT_NO_THROW(check_bench_run(run.settings));
      EXPECT_TRUE(folders.insert(run.folder).second);
    }
  }
}

TEST(ExperimentRuns, RolesBecomeModels) {
  const std::vector<PreparedRun> runs = prepared("molorag-table7");
  ASSERT_EQ(runs.size(), 4U);  // two presets over two benchmarks
  const Settings& settings = runs[0].settings;
  EXPECT_EQ(settings.text("generator"), "models/qwen-vl-7b");
  EXPECT_EQ(settings.list("agent-generator"),
            std::vector<std::string>{"molorag.relevance=models/trained-judge"});
  EXPECT_EQ(settings.list("retriever"), std::vector<std::string>{"models/colpali"});
  EXPECT_EQ(settings.text("judge"), "models/judge");
  EXPECT_EQ(settings.arguments, std::vector<std::string>{"mmlongbench"});
  EXPECT_TRUE(settings.flag("molorag.logic-only"));
  // All index alike, so the runs over one benchmark share a store.
  EXPECT_EQ(runs[0].settings.text("store"), runs[1].settings.text("store"));
  EXPECT_NE(runs[0].settings.text("store"), runs[2].settings.text("store"));
}

// With one --out, the tables of a paper share what is the same in both.
TEST(ExperimentRuns, TablesShareRuns) {
  const auto folders = [](const std::string& name) {
    std::set<std::string> all;
    for (const PreparedRun& run : prepared(name)) all.insert(run.folder);
    return all;
  };
  const std::set<std::string> whole = folders("molorag-table2"), fine = folders("molorag-table12");
  EXPECT_TRUE(std::ranges::includes(whole, fine));
  const std::set<std::string> other = folders("molorag-table11");
  EXPECT_FALSE(std::ranges::includes(whole, other));
}

TEST(ExperimentRuns, NamesEveryRoleWithoutAModel) {
  const std::vector<PreparedRun> runs =
      prepared("dmap-table5", {{"experiment-model", {"reader=mine"}}});
  ASSERT_FALSE(runs.empty());
  std::string missing;
  for (const std::string& one : runs[0].missing) missing += one + "\n";
  expect_mentions(missing, {"no data of mmlongbench", "--model colbert=MODEL", "ColPali"});
  EXPECT_EQ(missing.find("role reader"), std::string::npos);
}

TEST(ExperimentRuns, ARoleOfAnAgentMayLackItsModel) {
  const bench::Experiment experiment = load_experiment("molorag-table7");
  Settings given = given_for(experiment);
  given.lay_over({{"experiment-model", {"qwen-vl-7b=m", "colpali=c", "judge=j"}}},
                 std::string(settings::kFlagsOrigin));
  for (const PreparedRun& run :
       prepare_runs(experiment, experiment_origin("molorag-table7"), given)) {
    EXPECT_NE(run.missing.back().find("--model trained-judge=MODEL"), std::string::npos);
  }
}

TEST(ExperimentRuns, RefusesFlagsThatTheExperimentSets) {
  expect_mentions(refusal("dmap-table4", {{"k", {"7"}}}), {"--k", "dmap-table4.toml"});
  expect_mentions(refusal("dmap-table4", {{"pipeline", {"dmap"}}}), {"--pipeline"});
  expect_mentions(refusal("dmap-table4", {{"experiment-model", {"nobody=x"}}}),
                  {"--model nobody=x", "colbert, colpali, judge, reader"});
  expect_mentions(refusal("dmap-table4", {{"experiment-model", {"reader=x", "reader=y"}}}),
                  {"reader=y", "already given"});
  // A sample may be smaller than the paper's.
  for (const PreparedRun& run : prepared("dmap-table4", {{"sample", {"10"}}})) {
    EXPECT_EQ(run.settings.integer("sample"), 10);
    // Its answers are kept apart from those to all questions.
    EXPECT_NE(run.folder, prepared("dmap-table4").front().folder);
  }
}

TEST(ExperimentRuns, UnknownNamesListAll) {
  try {
    load_experiment("molorag-table1");
    ADD_FAILURE() << "found";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage);
    expect_mentions(error.what(), {"molorag-table1", "dmap-table2", "TOML file"});
  }
}

}  // namespace
}  // namespace fineprint::cli
