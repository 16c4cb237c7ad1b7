// Replies of a vision-language model, one sequence at a time.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fineprint/models/generator.h"
#include "fineprint/models/sampling.h"

#include "nets/multimodal.h"

namespace fineprint::nets {

// A prompt that has been read: what is needed to go on after it.
struct ReadPrompt {
  std::unique_ptr<SequenceState> state;
  std::vector<std::int64_t> ids;  // as the decoder read them: image slots as their token
  std::int64_t next_position = 0;
  std::int64_t image_tokens = 0;
  std::vector<float> logits;  // of the next token, [vocabulary]
};

// Reads a text with image markers.
ReadPrompt read_prompt(const Multimodal& model, const std::string& text,
                       std::span<const models::PixelInput> images);
// Appends one token; its successor's logits replace those of before.
void read_token(const Multimodal& model, std::int64_t id, ReadPrompt* prompt);

class NativeGenerator final : public models::Generator {
 public:
  NativeGenerator(const models::ModelSpec& spec, const Device& device);

  std::string name() const override { return model_.spec().name; }
  std::string hash() const override { return model_.hash(); }
  models::Reply generate(const models::Request& request,
                         const models::SamplingOptions& options) const override;
  models::Choice choose(const models::Request& request,
                        std::span<const std::string> candidates) const override;

 private:
  models::Reply reply_to(const models::Request& request,
                         const models::SamplingOptions& options) const;
  models::Choice score(const models::Request& request,
                       std::span<const std::string> candidates) const;
  ReadPrompt read(const models::Request& request) const;
  double log_probability(const ReadPrompt& prompt, const std::string& candidate) const;
  bool ends(std::int64_t id) const;

  Multimodal model_;
};

}  // namespace fineprint::nets
