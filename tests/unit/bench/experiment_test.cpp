// Experiments: what a file may hold, and the table that comes of it.
#include "fineprint/bench/experiment.h"

#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"
#include "fineprint/core/json.h"

#include "support/expect_mentions.h"

namespace fineprint::bench {
namespace {

using testing::expect_mentions;

// Two pipelines at two values of K, their mean and the gain of the second.
Json small_experiment() {
  return parse_json(R"({
    "title": "A table", "paper": "Paper, Table 1", "decimals": 2, "heads": ["Type", "Method"],
    "layout": "A remark.",
    "needs": {"data": "folder", "models": "one", "gpu-hours": 2, "reason": "measured",
              "train": ["train it"]},
    "roles": {"reader": "Paper-7B", "judge": "Judge-1"},
    "all": {"data": "folder", "measure": "score.mean", "scale": 100, "options": {"rerank": "none"},
            "models": {"judge": "judge"}},
    "column": [{"label": "K = 1", "options": {"k": 1}}, {"label": "K = 5", "options": {"k": 5}},
               {"label": "Mean", "mean": ["K = 1", "K = 5"]}],
    "row": [{"label": ["A", "Quotes"], "pipeline": "extractive", "published": [40, 50, 45]},
            {"label": ["B", "RAG"], "pipeline": "textrag",
             "models": {"generator": "reader", "agent-generator": ["answer.chunks=reader"]}},
            {"label": ["", "Gain"], "improvement": ["B / RAG", "A / Quotes"],
             "published": [10, 20, 15.5]}]})",
                    "a test");
}

Experiment parsed(const Json& toml) { return parse_experiment("small", "small.toml", toml); }

std::string refusal(const Json& toml) {
  try {
    parsed(toml);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage) << error.what();
    return error.what();
  }
  ADD_FAILURE() << "accepted: " << toml.dump();
  return {};
}

TEST(Experiments, RowsAndColumnsMakeRuns) {
  const Experiment experiment = parsed(small_experiment());
  EXPECT_EQ(experiment.name, "small");
  EXPECT_EQ(experiment.needs.gpu_hours, 2);
  ASSERT_EQ(experiment.runs.size(), 4U);
  const ExperimentRun& run = experiment.runs[3];
  EXPECT_EQ(run.dataset, "folder");
  EXPECT_EQ(run.folder, "folder");
  EXPECT_EQ(run.pipeline, "textrag");
  EXPECT_EQ(run.options, (OptionTexts{{"k", {"5"}}, {"rerank", {"none"}}}));
  EXPECT_EQ(run.models, (OptionTexts{{"agent-generator", {"answer.chunks=reader"}},
                                     {"generator", {"reader"}},
                                     {"judge", {"judge"}}}));
  EXPECT_EQ(experiment.cells[1][1].run, 3U);
  EXPECT_EQ(experiment.cells[1][1].measure, "score.mean");
  EXPECT_EQ(experiment.cells[0][1].published, 50);
  EXPECT_FALSE(experiment.cells[0][2].run);
}

// Cells of one run differ in the measure only.
TEST(Experiments, CellsShareARun) {
  Json toml = small_experiment();
  toml["all"].erase("measure");
  toml["column"] = parse_json(R"([{"label": "R", "measure": "ranking.R@{at}.mean"},
                                  {"label": "N", "measure": "ranking.nDCG@{at}.mean + failed"}])",
                              "a test");
  toml["row"] = parse_json(R"([{"label": ["1", "x"], "at": "1", "pipeline": "textrag"},
                               {"label": ["5", "x"], "at": "5", "pipeline": "textrag"}])",
                           "a test");
  toml["roles"].erase("reader");
  const Experiment experiment = parsed(toml);
  EXPECT_EQ(experiment.runs.size(), 1U);
  EXPECT_EQ(experiment.cells[1][0].measure, "ranking.R@5.mean");
  EXPECT_EQ(experiment.cells[0][1].measure, "ranking.nDCG@1.mean + failed");
  toml["row"][1].erase("at");
  expect_mentions(refusal(toml), {"row \"5 / x\"", "{at}", "at = \"...\" is missing"});
}

TEST(Experiments, RefusesWhatNobodyWouldRead) {
  Json toml = small_experiment();
  toml["rows"] = Json::array();
  expect_mentions(refusal(toml), {"small.toml", "there is no key rows"});
  toml = small_experiment();
  toml["row"][0]["scorer"] = "bm25";
  expect_mentions(refusal(toml), {"[[row]] 1", "there is no key scorer"});
  toml = small_experiment();
  toml["row"][2]["pipeline"] = "direct";
  expect_mentions(refusal(toml), {"row \" / Gain\"", "computed from others"});
  toml = small_experiment();
  toml["roles"]["third"] = "Nobody";
  expect_mentions(refusal(toml), {"[roles]", "third"});
  toml["roles"].erase("third");
  toml["roles"].erase("reader");
  expect_mentions(refusal(toml), {"[roles]", "reader is missing"});
}

TEST(Experiments, RefusesCellsThatCannotBe) {
  Json toml = small_experiment();
  toml["row"][0]["published"].push_back(1);
  expect_mentions(refusal(toml), {"row \"A / Quotes\"", "4 values", "3 columns"});
  toml = small_experiment();
  toml["row"][0]["label"] = "Quotes";
  expect_mentions(refusal(toml), {"1 labels", "2 heads"});
  toml = small_experiment();
  toml["row"][1]["label"] = toml["row"][0]["label"];
  expect_mentions(refusal(toml), {"row \"A / Quotes\"", "occurs twice"});
  toml = small_experiment();
  toml["row"][2]["improvement"][0] = "RAG";
  expect_mentions(refusal(toml), {"\"RAG\" is not the label"});
  toml = small_experiment();
  toml["row"][0]["options"] = {{"k", 3}};
  expect_mentions(refusal(toml), {"row \"A / Quotes\"", "k is also set by", "column \"K = 1\""});
  toml = small_experiment();
  toml["all"]["measure"] = "scores.mean";
  expect_mentions(refusal(toml), {"results have no \"scores.mean\"", "published_ranking"});
  toml = small_experiment();
  toml["row"][0].erase("pipeline");
  expect_mentions(refusal(toml), {"pipeline = \"...\" is missing"});
}

TEST(Experiments, MeasuresAreSumsOfNumbersOfTheResults) {
  const Json entry = parse_json(
      R"({"score": {"mean": 0.5}, "splits": {"reflected": {"true": {"correct": 3, "wrong": 4}}},
          "slices": {"source_type": {"2d_Layout": {"score": 0.25}}}, "judged_pages": null})",
      "a test");
  EXPECT_EQ(experiment_measure(entry, "score.mean"), 0.5);
  EXPECT_EQ(
      experiment_measure(entry, "splits.reflected.true.correct + splits.reflected.true.wrong"), 7);
  EXPECT_EQ(experiment_measure(entry, "slices.source_type.2d_layout.score"), 0.25);
  EXPECT_FALSE(experiment_measure(entry, "judged_pages.share"));
  EXPECT_FALSE(experiment_measure(entry, "score"));
  EXPECT_FALSE(experiment_measure(Json(), "score.mean"));
}

Json entry_of_score(double score) { return {{"score", {{"mean", score}}}}; }

// By hand: the means of 42 and 48, and of 63 and 60; 63 is 50% more than 42, 60 is 25% more than
// 48, and 61.5 is 36.7% more than 45.
TEST(Experiments, TablesHaveOursTheirsAndTheDifference) {
  const Experiment experiment = parsed(small_experiment());
  const ExperimentValues values = experiment_values(
      experiment,
      {entry_of_score(0.42), entry_of_score(0.48), entry_of_score(0.63), entry_of_score(0.6)});
  const std::string table = experiment_markdown(
      experiment, values, {.models = {"judge:1", "mine"}, .remarks = {"Note."}});
  expect_mentions(
      table,
      {"# A table\n", "| Type | Method | K = 1 | K = 5 | Mean |\n|---|---|---|---|---|\n",
       "| A | Quotes | 42.00 (40.00, +2.00) | 48.00 (50.00, -2.00) | 45.00 (45.00, +0.00) |\n",
       "| B | RAG | 63.00 | 60.00 | 61.50 |\n",
       "|  | Gain | 50.0 (10.0, +40.0) | 25.0 (20.0, +5.0) | 36.7 (15.5, +21.2) |\n",
       "\nA remark.\n", "| judge | Judge-1 | judge:1 |\n", "| reader | Paper-7B | mine |\n",
       "- Note.\n"});
}

TEST(Experiments, ColumnsMayHaveDigitsOfTheirOwn) {
  Json toml = small_experiment();
  toml["column"][0]["decimals"] = 0;
  const Experiment experiment = parsed(toml);
  const std::vector<Json> entries(4, entry_of_score(0.426));
  expect_mentions(experiment_markdown(experiment, experiment_values(experiment, entries),
                                      {.models = {"", ""}, .remarks = {}}),
                  {"| A | Quotes | 43 (40, +3) | 42.60 (50.00, -7.40) |"});
  toml["column"][0]["decimals"] = 7;
  expect_mentions(refusal(toml), {"[[column]] 1", "decimals"});
}

TEST(Experiments, CellsWithoutARunStayEmpty) {
  Json toml = small_experiment();
  toml["row"][0]["published"][1] = std::numeric_limits<double>::quiet_NaN();
  const Experiment experiment = parsed(toml);
  const ExperimentValues values =
      experiment_values(experiment, {entry_of_score(0.42), Json(), Json(), entry_of_score(0.6)});
  const ExperimentReport report = {.models = {"", "mine"}, .remarks = {}};
  expect_mentions(
      experiment_markdown(experiment, values, report),
      {"| A | Quotes | 42.00 (40.00, +2.00) | - | - (45.00) |\n", "| B | RAG | - | 60.00 | - |\n",
       "|  | Gain | - (10.0) | - (20.0) | - (15.5) |", "| judge | Judge-1 | - |\n"});
  const Json record = experiment_json(experiment, values, report);
  EXPECT_EQ(record.at("rows").at(0).at("cells").at(0).at("value"), 42);
  EXPECT_EQ(record.at("rows").at(0).at("cells").at(0).at("difference"), 2);
  EXPECT_TRUE(record.at("rows").at(0).at("cells").at(1).at("published").is_null());
  EXPECT_TRUE(record.at("rows").at(1).at("cells").at(0).at("value").is_null());
}

TEST(Experiments, RowsSayWhatTheyLack) {
  Json toml = small_experiment();
  toml["row"][0] = {{"label", {"A", "Quotes"}}, {"lacks", "no such tool"}};
  const Experiment experiment = parsed(toml);
  EXPECT_EQ(experiment.runs.size(), 2U);
  EXPECT_EQ(experiment.cells[0][0].lacks, "no such tool");
  EXPECT_FALSE(experiment.cells[0][0].run);
}

}  // namespace
}  // namespace fineprint::bench
