// Runs a vision-language model for the engine: several sequences in one step.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "fineprint/serving/engine.h"

#include "nets/generation/prefix_cache.h"
#include "nets/generation/sequence.h"
#include "nets/multimodal.h"

namespace fineprint::nets {

// The engine's sequences must be of class Sequence. serving/engine.h gives the contracts.
class SequenceNetwork final : public serving::StepNetwork {
 public:
  SequenceNetwork(const Multimodal& model, PrefixCache& prefixes)
      : model_(model), prefixes_(prefixes) {}

  // Searches the prefix cache first, then computes the features of one image for each call. While
  // another sequence reads the same pages, it waits for the state that the other one will keep.
  serving::Prepared prepare(serving::EngineSequence& sequence) override;
  std::int64_t smallest_part(const serving::EngineSequence& sequence) const override;
  std::int64_t largest_part(const serving::EngineSequence& sequence) const override;
  bool reserve(serving::EngineSequence& sequence, std::int64_t count) override;
  void release(serving::EngineSequence& sequence) override;
  bool drop_kept() override { return prefixes_.drop_oldest(); }
  void step(std::span<const serving::StepPart> parts) override;

 private:
  // Lets others no longer wait for this sequence, because it has ended or was released.
  void forget(const Sequence& sequence);
  // Returns false if the sequence should wait for another that reads the same pages.
  bool look_for_state(Sequence& sequence);
  // Makes the features of an image available: from the prefix cache, or by running the vision
  // tower.
  void need_features(Sequence& sequence, std::size_t image);
  DecoderInput embed(std::span<const serving::StepPart> parts);
  void read(std::span<const serving::StepPart> parts);
  void keep_logits(std::span<const serving::StepPart> parts, const at::Tensor& hidden);
  // Counts tokens as read, and keeps the state if a fork point was reached. A step with proposals
  // is counted by Sequence::settle instead.
  void advance(Sequence& sequence, std::int64_t count);

  const Multimodal& model_;
  PrefixCache& prefixes_;
  std::mutex mutex_;
  // Key of a fork point -> the sequence that is on its way there.
  std::map<std::string, const Sequence*> reading_;
};

}  // namespace fineprint::nets
