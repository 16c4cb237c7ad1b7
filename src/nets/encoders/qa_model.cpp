// Runs the QA model, which reads a question and passages and points at the answer.
#include "nets/encoders/qa_model.h"

#include <utility>
#include <variant>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/nets/torch_errors.h"

#include "nets/encoders/qa_batches.h"

namespace fineprint::nets {
namespace {

// Tokens of a batch; sentence_encoder.cpp describes the trade-off.
constexpr std::size_t kQaBatchTokens = 512;
constexpr std::size_t kQaBatchTokensOnGpu = 8192;

std::vector<float> plain(const at::Tensor& numbers) {
  const at::Tensor values = numbers.cpu().contiguous();
  const float* first = values.const_data_ptr<float>();
  return {first, first + values.numel()};
}

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
    const bool on_cpu = device_.device.is_cpu();
    const QaBatching batching = {on_cpu ? kQaBatchTokens : kQaBatchTokensOnGpu, device_.threads,
                                 on_cpu ? device_.threads : 1};
    return read_in_batches(layout_, question, passages, batching,
                           [&](std::span<const models::QaTokens> batch) {
                             const Running running({device_.device, device_.dtype, 1});
                             const QaNumbers numbers = net_->forward(batch);
                             return QaOutputs{plain(numbers.passages), plain(numbers.tokens)};
                           });
  });
}

std::vector<double> BertQaModel::score(const std::string& question,
                                       std::span<const std::string> passages) const {
  return relevances(*this, question, passages);
}

}  // namespace fineprint::nets
