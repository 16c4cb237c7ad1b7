// Trains a language model to reply.
#include "fineprint/nets/trained_generator.h"

#include <ATen/ops/log_softmax.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/tensor.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/serving/prefix_cache.h"

#include "nets/encoders/prompt_batches.h"
#include "nets/generation/written_text.h"
#include "nets/weights/trainable.h"

namespace fineprint::nets {
namespace {

// Bytes of the features of pages that are kept: some 30 pages of Phi-3-vision.
constexpr std::size_t kPageFeatureBytes = std::size_t{1} << 30;

struct PageFeatures : serving::CachedContent {
  explicit PageFeatures(ImageFeatures made) : features(std::move(made)) {}
  std::size_t bytes() const override { return features.depths.nbytes(); }

  ImageFeatures features;
};

// Reads requests as NativeGenerator does, but keeps gradients and no states.
class TrainedReplies final : public TrainedGenerator {
 public:
  TrainedReplies(const models::ModelSpec& spec, const Device& device)
      : model_(spec, device), is_tower_fixed_(device.trained->lora.has_value()) {}

  // Planned sizes are enough, so images are not processed to find the length.
  std::int64_t length(const WantedReply& wanted) const override {
    std::vector<preprocess::PixelInput> plans;
    for (const Image* image : images_of(wanted.request)) {
      plans.push_back(
          preprocess::plan_pixels(model_.spec().processor, image->width, image->height));
    }
    return std::ssize(tokens_of(wanted.request, plans).ids) + std::ssize(reply_ids(wanted.reply));
  }

  at::Tensor surprise(std::span<const WantedReply> wanted) const override {
    const auto make = [&](std::size_t i) {
      ReadyPrompt prompt = ready(wanted[i].request);
      append_text(model_, reply_ids(wanted[i].reply), &prompt.tokens);
      return prompt;
    };
    std::vector<at::Tensor> all;
    // read_prompts calls back in the order of the prompts, so all.size() is the current one.
    read_prompts(model_, wanted.size(), make, [&](const at::Tensor& hidden) {
      all.push_back(surprise_of(model_, hidden, reply_ids(wanted[all.size()].reply)));
    });
    return at::stack(all);
  }

  // Only the first tokens are compared, so replies should differ there.
  at::Tensor log_odds(const models::Request& request,
                      std::span<const std::string> replies) const override {
    std::vector<std::int64_t> first;
    for (const std::string& reply : replies) first.push_back(reply_ids(reply).front());
    at::Tensor odds;
    read_prompts(
        model_, 1, [&](std::size_t) { return ready(request); },
        [&](const at::Tensor& hidden) {
          const at::Tensor logits = model_.logits(hidden.narrow(0, hidden.size(0) - 1, 1));
          const at::Tensor ids = at::tensor(first, at::kLong).to(hidden.device());
          odds = at::log_softmax(logits[0], -1).index_select(0, ids);
        });
    return odds;
  }

 private:
  // Returns the images in the order of their places in the prompt.
  std::vector<const Image*> images_of(const models::Request& request) const {
    std::vector<const Image*> images;
    for (const models::Message& message : request.messages) {
      for (const std::size_t index : message.images) {
        images.push_back(&static_cast<const Image&>(request.images.at(index)));
      }
    }
    if (!images.empty() && !model_.spec().sees()) {
      throw Error(ErrorCode::model,
                  format("cannot train {} on pictures, because it takes none", model_.spec().name));
    }
    return images;
  }

  models::TokenSequence tokens_of(const models::Request& request,
                                  std::span<const preprocess::PixelInput> images) const {
    const models::Prompt& prompt = model_.spec().prompt;
    return model_.tokenize(models::chat_text(prompt, model_.tokenizer(), request.messages), images);
  }

  ReadyPrompt ready(const models::Request& request) const {
    std::vector<preprocess::PixelInput> pixels;
    for (const Image* image : images_of(request)) {
      pixels.push_back(preprocess::process_image(model_.spec().processor, *image));
    }
    ReadyPrompt prompt{tokens_of(request, pixels), {}};
    const std::vector<std::string> names = page_names_of(request);
    for (std::size_t i = 0; i < pixels.size(); ++i) {
      prompt.features.push_back(features_of(pixels[i], names.empty() ? "" : names[i]));
    }
    return prompt;
  }

  // Returns the names of the pages in the order of images_of(); empty if not all images have one.
  static std::vector<std::string> page_names_of(const models::Request& request) {
    std::vector<std::string> names;
    if (request.pages.size() != request.images.size()) return names;
    for (const models::Message& message : request.messages) {
      for (const std::size_t index : message.images) names.push_back(request.pages.at(index));
    }
    return names;
  }

  // A page that several questions share, or that comes again in the next epoch, has the same
  // features as long as the tower is not trained.
  ImageFeatures features_of(const preprocess::PixelInput& pixels, const std::string& name) const {
    if (name.empty() || !is_tower_fixed_) return model_.image_features(pixels);
    if (const auto kept = kept_.find(name)) {
      return std::static_pointer_cast<const PageFeatures>(kept)->features;
    }
    const auto made = std::make_shared<const PageFeatures>(model_.image_features(pixels));
    kept_.put(name, made);
    return made->features;
  }

  // Returns the reply's tokens and the one that ends it: the first token after replies in the
  // template, else the model's end token. So the model learns to stop.
  std::vector<std::int64_t> reply_ids(const std::string& reply) const {
    const tokenizer::Tokenizer& tokenizer = model_.tokenizer();
    std::vector<std::int64_t> ids;
    for (const tokenizer::Token& token : tokenizer.encode(reply, false)) ids.push_back(token.id);
    const auto after_reply = tokenizer.encode(model_.spec().prompt.chat.after_assistant, false);
    const std::vector<std::int64_t>& ends = model_.spec().generation.end_tokens;
    if (!after_reply.empty()) {
      ids.push_back(after_reply.front().id);
    } else if (!ends.empty()) {
      ids.push_back(ends.front());
    }
    for (const std::int64_t id : ids) model_.check_token(id);
    return ids;
  }

  Multimodal model_;
  bool is_tower_fixed_ = false;
  mutable serving::ContentCache kept_{kPageFeatureBytes};
};

}  // namespace

std::unique_ptr<TrainedGenerator> open_trained_generator(const models::ModelSpec& spec,
                                                         const models::DeviceOptions& options,
                                                         Trained* trained) {
  Device device = resolve_device(options);
  device.trained = trained;
  check_trainable(spec, device);
  if (!spec.head.generates || spec.head.pooling == models::Pooling::every_token) {
    throw Error(ErrorCode::model, format("{}: {} models make vectors and cannot write replies",
                                         spec.dir, spec.family));
  }
  const Running running(device);
  auto generator = std::make_unique<TrainedReplies>(spec, device);
  check_targets(spec, *trained);
  return generator;
}

}  // namespace fineprint::nets
