// A vision-language model as the engine drives it: several sequences read together.
#pragma once

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "fineprint/serving/engine.h"

#include "nets/generation/page_states.h"
#include "nets/generation/sequence.h"
#include "nets/multimodal.h"

namespace fineprint::nets {

// Sequences are of class Sequence.
class SequenceNetwork final : public serving::StepNetwork {
 public:
  SequenceNetwork(const Multimodal& model, PageStates& states) : model_(model), states_(states) {}

  // Looks for a kept state, then makes one image's features a call. While another sequence is
  // reading the same pages, waits for what that will keep.
  serving::Prepared prepare(serving::EngineSequence& sequence) override;
  std::int64_t smallest_part(const serving::EngineSequence& sequence) const override;
  std::int64_t largest_part(const serving::EngineSequence& sequence) const override;
  bool reserve(serving::EngineSequence& sequence, std::int64_t count) override;
  void release(serving::EngineSequence& sequence) override;
  bool drop_kept() override { return states_.drop_oldest(); }
  void step(std::span<const serving::StepPart> parts) override;

 private:
  // Others need not wait for it any more: it has ended, or is to be read again later.
  void forget(const Sequence& sequence);
  bool look_for_state(Sequence& sequence);
  void need_features(Sequence& sequence, std::size_t image);
  DecoderInput embed(std::span<const serving::StepPart> parts);
  void read(std::span<const serving::StepPart> parts);
  void keep_logits(std::span<const serving::StepPart> parts, const at::Tensor& hidden);
  void advance(Sequence& sequence, std::int64_t count);

  const Multimodal& model_;
  PageStates& states_;
  std::mutex mutex_;
  std::map<std::string, const Sequence*> reading_;  // key of a border -> who is on the way to it
};

}  // namespace fineprint::nets
