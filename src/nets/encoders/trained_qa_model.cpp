// Trains QA models: questions and passages in, outputs with gradients out.
#include "fineprint/nets/trained_qa_model.h"

#include <algorithm>
#include <variant>

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/models/checkpoint.h"
#include "fineprint/tokenizer/tokenizer.h"

#include "nets/encoders/bert.h"
#include "nets/encoders/qa_net.h"

namespace fineprint::nets {
namespace {

constexpr double kFirstSpread = 0.02;  // as in BERT
// A quarter of the spread of MiniLM's word embeddings: the features of cells must be noticed
// without drowning out the words.
constexpr double kFirstSpreadOfFeatures = 0.01 / models::kQaFeatureFactor;

void check_becomes_qa_model(const models::ModelSpec& spec) {
  const auto* bert = std::get_if<models::TextEncoder>(&spec.trunk);
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorCode::model, format("cannot train {} as a QA model: {}", spec.name, why));
  };
  if (bert == nullptr || bert->distance_kinds > 0 || bert->first_position > 0 ||
      bert->type_vocab_size < 2) {
    refuse("it must be a BERT with two types of tokens, such as all-MiniLM-L6-v2");
  }
  if (spec.dir.ends_with(".gguf"))
    refuse("it is a GGUF file; use the folder that it was made from");
  // A QA model's own folder has 8-bit codes, which further training widens and starts from.
  if (spec.quantisation && !spec.head.reads) {
    refuse("its weights are codes; use the folder that they were made from");
  }
  if (spec.adapter) refuse("it is an adapter; merge it into its model first");
}

// Adds the tensors that a BERT lacks, at random or zero.
void add_new_tensors(const models::TextEncoder& bert, const at::Device& device, Trained* trained) {
  const models::PartTensors part = models::qa_tensors(bert);
  at::Generator random = at::detail::createCPUGenerator(trained->seed);
  for (const models::TensorSpec& spec : part.tensors) {
    const auto options = at::TensorOptions(at::kFloat);
    const bool is_feature =
        std::ranges::find(models::kQaFeatureNames, spec.name.substr(0, spec.name.find('.'))) !=
        models::kQaFeatureNames.end();
    const double spread = is_feature ? kFirstSpreadOfFeatures : kFirstSpread;
    // With zeros, attention is at first exactly BERT's.
    at::Tensor first = spec.name.ends_with("bias") || spec.name.starts_with("attention")
                           ? at::zeros(spec.shape, options)
                           : at::randn(spec.shape, random, options) * spread;
    if (is_feature) first[0] = 0;  // row 0 means that a token lacks the feature
    trained->tensors[part.prefixes.front() + spec.name] = first.to(device).set_requires_grad(true);
  }
}

class TrainedBertQaModel final : public TrainedQaModel {
 public:
  TrainedBertQaModel(const models::ModelSpec& spec, const Device& device)
      : device_(device),
        tokenizer_(tokenizer::Tokenizer::load(spec.tokenizer_path)),
        layout_(*tokenizer_, std::get<models::TextEncoder>(spec.trunk).max_positions) {
    const Running running(device_);
    const auto& bert = std::get<models::TextEncoder>(spec.trunk);
    const auto checkpoint = std::make_shared<models::Checkpoint>(spec);
    checkpoint->check_finite(device.threads);
    const Weights weights(checkpoint, device);
    if (!spec.head.reads) add_new_tensors(bert, device.device, device.trained);
    const auto take = [&](const std::string& name) {
      return spec.head.reads ? weights.take("reader", name)
                             : device.trained->tensors.at("reader." + name);
    };
    net_ = std::make_unique<QaNet>(bert, std::make_unique<Bert>(bert, weights), take);
  }

  models::QaTokens lay_out(const std::string& question,
                           const models::QaPassage& passage) const override {
    return layout_.lay_out(question, passage);
  }

  QaNumbers read(std::span<const models::QaTokens> sequences) const override {
    // Callers run several of these at once, one thread each.
    Device alone = device_;
    if (alone.device.is_cpu()) alone.threads = 1;
    const Running running(alone);
    return net_->forward(sequences);
  }

  int side_by_side() const override { return device_.device.is_cpu() ? device_.threads : 1; }

 private:
  Device device_;
  std::unique_ptr<tokenizer::Tokenizer> tokenizer_;
  models::QaLayout layout_;
  std::unique_ptr<QaNet> net_;
};

}  // namespace

std::unique_ptr<TrainedQaModel> open_trained_qa_model(const models::ModelSpec& spec,
                                                      const models::DeviceOptions& options,
                                                      Trained* trained) {
  check_becomes_qa_model(spec);
  Device device = resolve_device(options);
  device.trained = trained;
  return std::make_unique<TrainedBertQaModel>(spec, device);
}

}  // namespace fineprint::nets
