// Tests of what a BERT begins with when it becomes a QA model.
#include "fineprint/nets/trained_qa_model.h"

#include <cmath>

#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>

#include "fineprint/models/qa_tokens.h"
#include "fineprint/nets/trained.h"

#include "nets/encoders/qa_model.h"
#include "support/temp_dir.h"
#include "train/gradients/qa_folder.h"

namespace fineprint::train {
namespace {

double spread(const at::Tensor& tensor) {
  return std::sqrt(tensor.detach().square().mean().item<double>());
}

constexpr double kWordsOfMiniLm = 0.0396;  // spread of all-MiniLM-L6-v2's word embeddings

// What is added to a token's word may not drown it: BERT has learned from words alone.
TEST(TrainedQaModel, BeginsWithWordsThatAreHeard) {
  nets::Trained trained;
  const auto model = nets::open_trained_qa_model(
      models::read_model(FINEPRINT_TEST_DATA "/bert_mean_a/model"), {"cpu"}, &trained);
  double squares = 0;
  for (const std::string_view name : models::kQaFeatureNames) {
    const at::Tensor rows = trained.tensors.at("reader." + std::string(name) + ".weight");
    EXPECT_TRUE(rows[0].eq(0).all().item<bool>()) << name << ": 0 says nothing";
    EXPECT_GT(spread(rows), 0) << name;
    squares += std::pow(spread(rows) * models::kQaFeatureFactor, 2);
  }
  EXPECT_LT(std::sqrt(squares), kWordsOfMiniLm);
  EXPECT_TRUE(trained.tensors.at("reader.attention.weight").eq(0).all().item<bool>());
}

// The layers that are trained and those that read are others.
TEST(TrainedQaModel, IsReadAsItWasTrained) {
  const models::ModelSpec base = models::read_model(FINEPRINT_TEST_DATA "/bert_mean_a/model");
  nets::Trained trained;
  const auto model = nets::open_trained_qa_model(base, {"cpu"}, &trained);
  at::Tensor& relations = trained.tensors.at("reader.attention.weight");
  relations.set_requires_grad(false);
  const std::string question = "the sales of 2021";
  models::QaPassage table;
  table.rows = {{"", "2020", "2021"}, {"sales", "5", "4"}, {"costs", "3", "9"}};
  const auto relevance = [&] {
    const std::vector<models::QaTokens> sequences = {model->lay_out(question, table)};
    return model->read(sequences).passages[0][0].item<double>();
  };
  const double without = relevance();
  for (int i = 0; i < relations.numel(); ++i) relations.view(-1)[i] = 0.1 * std::sin(i);
  const double with = relevance();
  EXPECT_GT(std::abs(with - without), 1e-4);
  const testing::TempDir dir;
  write_trained_qa_model(dir.path(), base, trained);
  const nets::BertQaModel saved(models::read_model(dir.path()), nets::resolve_device({"cpu"}));
  EXPECT_NEAR(saved.read(question, std::vector{table}).front().relevance, with, 1e-4);
}

}  // namespace
}  // namespace fineprint::train
