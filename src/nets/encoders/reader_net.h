// The network of a reader: BERT over question and passage, and the numbers that are read off it.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "fineprint/models/reader_tokens.h"
#include "fineprint/nets/trained_reader.h"

#include "nets/encoders/text_trunk.h"
#include "nets/layers/layers.h"

namespace fineprint::nets {

class ReaderNet {
 public:
  // `take` gives the tensors of models::reader_tensors by name, in the device's format.
  using Take = std::function<at::Tensor(const std::string& name)>;
  ReaderNet(const models::TextEncoder& encoder, std::unique_ptr<TextTrunk> trunk, const Take& take);

  // Runs on the calling thread. Gradients go through where the tensors take them.
  ReaderNumbers forward(std::span<const models::ReaderTokens> sequences) const;

 private:
  // [layers, kinds, heads]
  at::Tensor relation_numbers() const;
  at::Tensor added(std::span<const models::ReaderTokens> sequences) const;

  std::unique_ptr<TextTrunk> trunk_;
  std::array<at::Tensor, models::kReaderFeatures> features_;  // [rows, hidden] each
  at::Tensor relations_;                                      // [kinds, layers * heads]
  std::int64_t layers_, heads_;
  Linear dense_, last_, token_;
};

}  // namespace fineprint::nets
