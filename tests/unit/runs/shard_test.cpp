// Which questions belong to which part of a batch.
#include "fineprint/runs/shard.h"

#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fineprint/core/error.h"

namespace fineprint::runs {
namespace {

using Variables = std::map<std::string, std::string>;

Shard parse(const std::string& text, const Variables& variables = {}) {
  return parse_shard(text, [&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::string() : found->second;
  });
}

void expect_shard(const Shard& shard, int index, int count) {
  EXPECT_EQ(shard.index, index);
  EXPECT_EQ(shard.count, count);
}

// The message of the Error(usage) that parsing must throw.
std::string refusal(const std::string& text, const Variables& variables = {}) {
  try {
    parse(text, variables);
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::usage) << text;
    return error.what();
  }
  ADD_FAILURE() << "accepted: " << text;
  return {};
}

TEST(ParseShard, CountsPartsFromOne) {
  expect_shard(parse("1/1"), 0, 1);
  expect_shard(parse("3/7"), 2, 7);
  expect_shard(parse("7/7"), 6, 7);
}

TEST(ParseShard, RefusesEverythingElseAndNamesIt) {
  for (const char* text :
       {"",      "3",     "/",   "1/",    "/2",   "0/3",  "4/3",  "-1/3", "1/-3",
        "1/0",   "1/2/3", "a/b", "1.5/2", "1/2x", " 1/2", "1/ 2", "+1/2", "99999999999/2",
        "SLURM", "slurm "}) {
    const std::string message = refusal(text);
    EXPECT_NE(message.find("--shard"), std::string::npos) << message;
    EXPECT_NE(message.find(text), std::string::npos) << message;
    EXPECT_NE(message.find("I/N"), std::string::npos) << message;
  }
}

TEST(ParseShard, ReadsTheJobArrayOfSlurm) {
  expect_shard(parse("slurm", {{"SLURM_ARRAY_TASK_ID", "0"}, {"SLURM_ARRAY_TASK_COUNT", "4"}}), 0,
               4);
  // --array=5-8
  expect_shard(parse("slurm", {{"SLURM_ARRAY_TASK_ID", "8"},
                               {"SLURM_ARRAY_TASK_MIN", "5"},
                               {"SLURM_ARRAY_TASK_COUNT", "4"}}),
               3, 4);
  // --array=1-9:4 runs the tasks 1, 5 and 9.
  expect_shard(parse("slurm", {{"SLURM_ARRAY_TASK_ID", "9"},
                               {"SLURM_ARRAY_TASK_MIN", "1"},
                               {"SLURM_ARRAY_TASK_STEP", "4"},
                               {"SLURM_ARRAY_TASK_COUNT", "3"}}),
               2, 3);
}

TEST(ParseShard, ReadsTheIndexedJobOfKubernetes) {
  expect_shard(parse("kubernetes/4", {{"JOB_COMPLETION_INDEX", "0"}}), 0, 4);
  expect_shard(parse("kubernetes/4", {{"JOB_COMPLETION_INDEX", "3"}}), 3, 4);
}

TEST(ParseShard, RefusesAnIndexThatTheJobCannotHave) {
  EXPECT_NE(refusal("kubernetes/4").find("JOB_COMPLETION_INDEX"), std::string::npos);
  const std::string message = refusal("kubernetes/4", {{"JOB_COMPLETION_INDEX", "4"}});
  EXPECT_NE(message.find("completions"), std::string::npos) << message;
  for (const char* text : {"kubernetes/", "kubernetes/0", "kubernetes/x", "kubernetes"}) {
    refusal(text, {{"JOB_COMPLETION_INDEX", "0"}});
  }
}

TEST(ParseShard, RefusesSlurmVariablesThatAreMissingOrContradict) {
  EXPECT_NE(refusal("slurm").find("SLURM_ARRAY_TASK_ID"), std::string::npos);
  refusal("slurm", {{"SLURM_ARRAY_TASK_ID", "1"}});
  refusal("slurm", {{"SLURM_ARRAY_TASK_COUNT", "1"}});
  refusal("slurm", {{"SLURM_ARRAY_TASK_ID", "x"}, {"SLURM_ARRAY_TASK_COUNT", "4"}});
  refusal("slurm", {{"SLURM_ARRAY_TASK_ID", "4"}, {"SLURM_ARRAY_TASK_COUNT", "4"}});
  refusal("slurm", {{"SLURM_ARRAY_TASK_ID", "0"}, {"SLURM_ARRAY_TASK_COUNT", "0"}});
  // --array=0,5,7: the tasks are not evenly spaced.
  refusal("slurm", {{"SLURM_ARRAY_TASK_ID", "7"},
                    {"SLURM_ARRAY_TASK_MIN", "0"},
                    {"SLURM_ARRAY_TASK_COUNT", "3"}});
  // --array=0,6,9: 9 would be the part of another task.
  refusal("slurm", {{"SLURM_ARRAY_TASK_ID", "9"},
                    {"SLURM_ARRAY_TASK_MIN", "0"},
                    {"SLURM_ARRAY_TASK_STEP", "4"},
                    {"SLURM_ARRAY_TASK_COUNT", "3"}});
}

TEST(InShard, EveryIdIsInExactlyOnePart) {
  for (int count = 1; count <= 7; ++count) {
    std::vector<int> sizes(static_cast<std::size_t>(count));
    for (int id = 0; id < 1000; ++id) {
      int parts = 0;
      for (int index = 0; index < count; ++index) {
        if (!in_shard("question-" + std::to_string(id), {index, count})) continue;
        ++parts;
        ++sizes[static_cast<std::size_t>(index)];
      }
      ASSERT_EQ(parts, 1) << id << " of " << count;
    }
    for (const int size : sizes) {
      EXPECT_GT(size, 700 / count);
      EXPECT_LT(size, 1300 / count + 1);
    }
  }
}

}  // namespace
}  // namespace fineprint::runs
