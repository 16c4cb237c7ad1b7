// Runs the QA model, which reads a question and passages and points at the answer.
#include "nets/encoders/qa_model.h"

#include <cmath>
#include <utility>
#include <variant>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/threads.h"
#include "fineprint/nets/torch_errors.h"

#include "nets/encoders/batches.h"
#include "nets/encoders/passage_reading.h"

namespace fineprint::nets {
namespace {

// Tokens of a batch; sentence_encoder.cpp describes the trade-off.
constexpr std::size_t kQaBatchTokens = 512;
constexpr std::size_t kQaBatchTokensOnGpu = 8192;

}  // namespace

BertQaModel::BertQaModel(const models::ModelSpec& spec, const Device& device)
    : spec_(spec),
      device_(device),
      tokenizer_(tokenizer::Tokenizer::load(spec.tokenizer_path)),
      layout_(*tokenizer_, spec.prompt.max_tokens),
      checkpoint_(std::make_shared<models::Checkpoint>(spec)) {
  if (!spec.head.reads) {
    throw Error(ErrorCode::model, format("{}: {} models are not QA models", spec.dir, spec.family));
  }
  const Running running(device);
  checkpoint_->check_finite(device.threads);
  const Weights weights(checkpoint_, device);
  net_ = std::make_unique<QaNet>(
      std::get<models::TextEncoder>(spec.trunk), make_text_trunk(spec, weights),
      [&](const std::string& name) { return weights.take("reader", name); });
}

std::vector<models::PassageReading> BertQaModel::read(
    const std::string& question, std::span<const models::QaPassage> passages) const {
  return with_all_errors(name(), [&] {
    std::vector<models::QaTokens> sequences(passages.size());
    // Tokenising a few passages takes less time than starting threads.
    parallel_for(passages.size(), passages.size() < 8 ? 1 : device_.threads,
                 [&](std::size_t i) { sequences[i] = layout_.lay_out(question, passages[i]); });
    std::vector<std::size_t> lengths;
    for (const models::QaTokens& sequence : sequences) lengths.push_back(sequence.ids.size());
    const bool on_cpu = device_.device.is_cpu();
    const int side_by_side = on_cpu ? device_.threads : 1;
    const auto batches =
        make_batches(lengths, on_cpu ? kQaBatchTokens : kQaBatchTokensOnGpu, side_by_side);
    std::vector<models::PassageReading> readings(passages.size());
    parallel_for(batches.size(), side_by_side, [&](std::size_t b) {
      const Running running({device_.device, device_.dtype, 1});
      std::vector<models::QaTokens> batch;
      for (const std::size_t i : batches[b]) batch.push_back(sequences[i]);
      const QaNumbers numbers = net_->forward(batch);
      const at::Tensor of_passages = numbers.passages.cpu().contiguous();
      const at::Tensor of_tokens = numbers.tokens.cpu().contiguous();
      const float* passage = of_passages.const_data_ptr<float>();
      const float* token = of_tokens.const_data_ptr<float>();
      for (std::size_t n = 0; n < batch.size(); ++n) {
        readings[batches[b][n]] = passage_reading(batch[n], passage, token);
        passage += models::kQaPassageNumbers;
        token += batch[n].ids.size() * models::kQaTokenNumbers;
      }
    });
    return readings;
  });
}

// As a reranker, the QA model gives the probability that a passage is relevant.
std::vector<double> BertQaModel::score(const std::string& question,
                                       std::span<const std::string> passages) const {
  std::vector<models::QaPassage> texts(passages.size());
  for (std::size_t i = 0; i < passages.size(); ++i) texts[i].text = passages[i];
  std::vector<double> scores;
  for (const models::PassageReading& reading : read(question, texts)) {
    scores.push_back(1 / (1 + std::exp(-reading.relevance)));
  }
  return scores;
}

}  // namespace fineprint::nets
