// The table of published models: rows that can be run here, and commands that can be typed.
#include "fineprint/models/published_models.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "models/families/family.h"

namespace fineprint::models {
namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

TEST(PublishedModels, AreOfFamiliesThatRunHere) {
  std::vector<std::string> known;
  for (const Family& family : families()) known.push_back(family.name);
  for (const PublishedModel& model : published_models()) {
    EXPECT_TRUE(contains(known, model.family)) << model.name << ": " << model.family;
  }
}

TEST(PublishedModels, SayWhatTheyAre) {
  std::set<std::string> names, uses;
  for (const PublishedModel& model : published_models()) {
    EXPECT_TRUE(names.insert(model.name).second) << model.name << " is there twice";
    EXPECT_TRUE(contains(model_uses(), model.use)) << model.name << ": " << model.use;
    uses.insert(model.use);
    EXPECT_EQ(std::ranges::count(model.repository, '/'), 1) << model.repository;
    EXPECT_EQ(model.repository.find(' '), std::string::npos) << model.repository;
    EXPECT_FALSE(model.licence.empty()) << model.name;
    EXPECT_TRUE(model.file.empty() || model.file.ends_with(".gguf")) << model.file;
    // From a fraction of a byte to four bytes a parameter.
    EXPECT_GT(model.bytes, model.parameters / 3) << model.name;
    EXPECT_LE(model.bytes, model.parameters * 43 / 10) << model.name;
    const bool generates = model.use.ends_with("generator");
    EXPECT_TRUE(!generates || model.kv_numbers > 0) << model.name;
    EXPECT_EQ(model.use.starts_with("page"), model.page_tokens > 0) << model.name;
    EXPECT_GT(needed_memory(model), model.bytes) << model.name;
  }
  EXPECT_EQ(uses.size(), model_uses().size()) << "a use without a model";
}

TEST(PublishedModels, NeedTheirWeightsAndAPage) {
  PublishedModel model;
  model.bytes = 1000;
  model.parameters = 500;
  EXPECT_EQ(needed_memory(model), 1100);
  model.kv_numbers = 10;
  model.page_tokens = 500;
  EXPECT_EQ(needed_memory(model), 1100 + 10 * 4 * 1500);
  model.stored = "FP8";  // held in 16 bits
  model.parameters = 800;
  EXPECT_EQ(needed_memory(model), 1760 + 10 * 4 * 1500);
}

TEST(PublishedModels, CommandsAreWhole) {
  PublishedModel model;
  model.use = "text generator";
  model.repository = "org/name-GGUF";
  model.file = "name-q4.gguf";
  EXPECT_EQ(download_command(model), "hf download org/name-GGUF name-q4.gguf");
  EXPECT_EQ(other_command(model),
            "curl -L -O https://huggingface.co/org/name-GGUF/resolve/main/name-q4.gguf");
  EXPECT_EQ(usage_of(model), "--generator org/name-GGUF");
  model.use = "reranker";
  model.file = "";
  EXPECT_EQ(download_command(model), "hf download org/name-GGUF");
  EXPECT_EQ(other_command(model),
            "git lfs install && git clone https://huggingface.co/org/name-GGUF");
  EXPECT_EQ(usage_of(model), "--rerank org/name-GGUF");
  model.use = "page retriever";
  EXPECT_EQ(usage_of(model), "--retriever org/name-GGUF");
}

}  // namespace
}  // namespace fineprint::models
