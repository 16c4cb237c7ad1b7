// Tests of what a BERT begins with when it becomes a reader.
#include "fineprint/nets/trained_reader.h"

#include <cmath>

#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>

#include "fineprint/models/reader_tokens.h"
#include "fineprint/nets/trained.h"

#include "nets/encoders/reader.h"
#include "support/temp_dir.h"
#include "train/gradients/reader_folder.h"

namespace fineprint::train {
namespace {

double spread(const at::Tensor& tensor) {
  return std::sqrt(tensor.detach().square().mean().item<double>());
}

constexpr double kWordsOfMiniLm = 0.0396;  // spread of all-MiniLM-L6-v2's word embeddings

// What is added to a token's word may not drown it: BERT has learned from words alone.
TEST(TrainedReader, BeginsWithWordsThatAreHeard) {
  nets::Trained trained;
  const auto reader = nets::open_trained_reader(
      models::read_model(FINEPRINT_TEST_DATA "/bert_mean_a/model"), {"cpu"}, &trained);
  double squares = 0;
  for (const std::string_view name : models::kReaderFeatureNames) {
    const at::Tensor rows = trained.tensors.at("reader." + std::string(name) + ".weight");
    EXPECT_TRUE(rows[0].eq(0).all().item<bool>()) << name << ": 0 says nothing";
    EXPECT_GT(spread(rows), 0) << name;
    squares += std::pow(spread(rows) * models::kReaderFeatureFactor, 2);
  }
  EXPECT_LT(std::sqrt(squares), kWordsOfMiniLm);
  EXPECT_TRUE(trained.tensors.at("reader.attention.weight").eq(0).all().item<bool>());
}

// The layers that are trained and those that read are others.
TEST(TrainedReader, IsReadAsItWasTrained) {
  const models::ModelSpec base = models::read_model(FINEPRINT_TEST_DATA "/bert_mean_a/model");
  nets::Trained trained;
  const auto reader = nets::open_trained_reader(base, {"cpu"}, &trained);
  at::Tensor& relations = trained.tensors.at("reader.attention.weight");
  relations.set_requires_grad(false);
  const std::string question = "the sales of 2021";
  models::ReaderPassage table;
  table.rows = {{"", "2020", "2021"}, {"sales", "5", "4"}, {"costs", "3", "9"}};
  const auto relevance = [&] {
    const std::vector<models::ReaderTokens> sequences = {reader->lay_out(question, table)};
    return reader->read(sequences).passages[0][0].item<double>();
  };
  const double without = relevance();
  for (int i = 0; i < relations.numel(); ++i) relations.view(-1)[i] = 0.1 * std::sin(i);
  const double with = relevance();
  EXPECT_GT(std::abs(with - without), 1e-4);
  const testing::TempDir dir;
  write_trained_reader(dir.path(), base, trained);
  const nets::BertReader saved(models::read_model(dir.path()), nets::resolve_device({"cpu"}));
  EXPECT_NEAR(saved.read(question, std::vector{table}).front().relevance, with, 1e-4);
}

}  // namespace
}  // namespace fineprint::train
