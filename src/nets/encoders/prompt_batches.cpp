// Reads full prompts in batches; no prompt sees another.
#include "nets/encoders/prompt_batches.h"

#include <utility>

#include "fineprint/core/threads.h"

namespace fineprint::nets {
namespace {

// Tokens of a batch.
constexpr std::int64_t kTokensTogether = 4096;

std::int64_t length_of(const ReadyPrompt& prompt) {
  return static_cast<std::int64_t>(prompt.tokens.ids.size());
}

// Reads all prompts of a batch in one pass through the trunk.
void read_together(const Multimodal& model, std::span<const ReadyPrompt> batch,
                   const std::function<void(const at::Tensor&)>& use) {
  std::vector<EmbeddedPrompt> prompts;
  for (const ReadyPrompt& one : batch) {
    prompts.push_back({one.tokens, model.embed(one.tokens, one.features), one.summed_up});
  }
  const at::Tensor hidden = model.read_apart(prompts);
  std::int64_t begin = 0;
  for (const ReadyPrompt& one : batch) {
    use(hidden.narrow(0, begin, length_of(one)));
    begin += length_of(one);
  }
}

}  // namespace

ReadyPrompt ready_prompt(const Multimodal& model, models::TokenSequence tokens,
                         std::span<const preprocess::PixelInput> images) {
  ReadyPrompt prompt{std::move(tokens), {}};
  for (const preprocess::PixelInput& image : images) {
    prompt.features.push_back(model.image_features(image));
  }
  return prompt;
}

void read_prompts(const Multimodal& model, std::size_t count,
                  const std::function<ReadyPrompt(std::size_t)>& make,
                  const std::function<void(const at::Tensor&)>& use) {
  const Running running(model.device());
  std::vector<ReadyPrompt> batch;
  std::int64_t tokens = 0;
  const auto flush = [&] {
    if (!batch.empty()) read_together(model, batch, use);
    batch.clear();
    tokens = 0;
  };
  for (std::size_t i = 0; i < count; ++i) {
    // Made one by one, because the image features of all prompts could exceed the memory.
    throw_if_interrupted();
    ReadyPrompt one = make(i);
    if (tokens + length_of(one) > kTokensTogether) flush();
    tokens += length_of(one);
    batch.push_back(std::move(one));
  }
  flush();
}

}  // namespace fineprint::nets
