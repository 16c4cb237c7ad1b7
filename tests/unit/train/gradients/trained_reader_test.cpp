// Tests of what a BERT begins with when it becomes a reader.
#include "fineprint/nets/trained_reader.h"

#include <cmath>

#include <ATen/TensorOperators.h>
#include <gtest/gtest.h>

#include "fineprint/models/reader_tokens.h"
#include "fineprint/nets/trained.h"

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
    squares += std::pow(spread(rows), 2);
  }
  EXPECT_LT(std::sqrt(squares), kWordsOfMiniLm);
}

}  // namespace
}  // namespace fineprint::train
