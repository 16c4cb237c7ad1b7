// An encoder that is trained: texts and pictures in, unit vectors with gradients out.
#include "fineprint/nets/trained_encoder.h"

#include <utility>

#include <ATen/ops/cat.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/models/retriever.h"

#include "nets/encoders/page_encoder.h"
#include "nets/encoders/sentence_encoder.h"

namespace fineprint::nets {
namespace {

// Of pages, until they are drawn.
constexpr std::int64_t kTokensOfPage = 2048;

class TrainedTexts final : public TrainedEncoder {
 public:
  TrainedTexts(const models::ModelSpec& spec, const Device& device) : encoder_(spec, device) {}

  std::int64_t length(const EncoderInput& input) const override {
    return static_cast<std::int64_t>(tokens_of(input).size());
  }

  at::Tensor encode(std::span<const EncoderInput> inputs) const override {
    PackedTokens packed;
    for (const EncoderInput& input : inputs) {
      const std::vector<std::int64_t> ids = tokens_of(input);
      packed.ids.insert(packed.ids.end(), ids.begin(), ids.end());
      packed.offsets.push_back(static_cast<std::int64_t>(packed.ids.size()));
    }
    return encoder_.unit_vectors(packed);
  }

 private:
  std::vector<std::int64_t> tokens_of(const EncoderInput& input) const {
    if (input.text == nullptr) {
      throw Error(ErrorCode::usage, format("{} sees no pictures, but an example has {}",
                                           encoder_.name(), *input.image));
    }
    const models::Prompt& prompt = encoder_.spec().prompt;
    const bool asks = input.role == models::TextRole::query;
    return encoder_.token_ids((asks ? prompt.query_prefix : prompt.passage_prefix) + *input.text);
  }

  SentenceEncoder encoder_;
};

class TrainedPages final : public TrainedEncoder {
 public:
  TrainedPages(const models::ModelSpec& spec, const Device& device, Picture picture)
      : model_(spec, device), picture_(std::move(picture)) {}

  std::int64_t length(const EncoderInput& input) const override {
    if (input.text == nullptr) return kTokensOfPage;
    return std::ssize(ready_embedding(model_, filled(input), {}).tokens.ids);
  }

  at::Tensor encode(std::span<const EncoderInput> inputs) const override {
    const auto make = [&](std::size_t i) {
      const EncoderInput& input = inputs[i];
      return input.text != nullptr ? ready_embedding(model_, filled(input), {})
                                   : ready_page(model_, shown(*input.image));
    };
    return at::cat(unit_vectors(model_, inputs.size(), make));
  }

 private:
  std::string filled(const EncoderInput& input) const {
    const models::Prompt& prompt = model_.spec().prompt;
    return input.role == models::TextRole::query ? models::query_prompt(prompt, *input.text)
                                                 : models::passage_prompt(prompt, *input.text);
  }

  Image shown(const std::string& name) const {
    return models::shown_to(model_.spec().raster, picture_(name));
  }

  Multimodal model_;
  Picture picture_;
};

void check_trainable(const models::ModelSpec& spec, const Device& device) {
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorCode::model, format("{} cannot be trained: {}", spec.name, why));
  };
  if (spec.dir.ends_with(".gguf")) refuse("it is a GGUF file; its model's own folder can");
  if (spec.quantisation) refuse("its weights are codes; the folder that they were made of can");
  if (spec.adapter) refuse("it is an adapter; merge it into its model first");
  if (spec.head.pair) refuse("it is a cross-encoder and gives no vectors");
  if (spec.head.pooling == models::Pooling::every_token) {
    refuse("it gives a vector a token, and the losses want one a passage");
  }
  if (!device.trained->lora && !spec.head.dense.empty()) {
    refuse("its dense layers lie in files of their own; low-rank changes (lora-rank) can");
  }
  if (!device.trained->lora && device.dtype != at::kFloat) {
    throw Error(ErrorCode::usage,
                "every weight is trained in float32 only: use --dtype float32, "
                "or low-rank changes (lora-rank)");
  }
}

}  // namespace

std::unique_ptr<TrainedEncoder> open_trained_encoder(const models::ModelSpec& spec,
                                                     const models::DeviceOptions& options,
                                                     Trained* trained,
                                                     TrainedEncoder::Picture picture) {
  Device device = resolve_device(options);
  device.trained = trained;
  check_trainable(spec, device);
  const Running running(device);
  std::unique_ptr<TrainedEncoder> encoder;
  if (models::retriever_kind(spec) == models::RetrieverKind::text) {
    encoder = std::make_unique<TrainedTexts>(spec, device);
  } else {
    encoder = std::make_unique<TrainedPages>(spec, device, std::move(picture));
  }
  if (device.trained->tensors.empty()) {
    std::string names;
    for (const std::string& name : device.trained->lora->targets) names += " " + name;
    throw Error(ErrorCode::usage,
                format("{} has no module that is called one of:{}; name its own by lora-targets",
                       spec.name, names));
  }
  return encoder;
}

}  // namespace fineprint::nets
