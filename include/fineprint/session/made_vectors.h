// Vectors of chunks that a store lacks, made when a question needs them.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <vector>

#include "fineprint/core/matrix.h"
#include "fineprint/models/encoder.h"
#include "fineprint/session/corpus.h"

namespace fineprint::session {

// Of one set. Safe from several threads; one embeds at a time.
class MadeVectors {
 public:
  // `corpus` must outlive it.
  explicit MadeVectors(const Corpus& corpus) : corpus_(corpus) {}

  // The vectors of these chunks (dense numbers), a row each. Those that were made before are
  // remembered. Throws Error(model) when the encoder gives anything but one vector a text.
  Matrix of(const models::Encoder& encoder, std::span<const std::uint32_t> chunks);
  // All of them, neighbouring chunks joined.
  std::vector<store::NewVectors> parts() const;

 private:
  void embed(const models::Encoder& encoder, std::span<const std::uint32_t> chunks);

  const Corpus& corpus_;
  mutable std::mutex mutex_;                               // guards the next
  std::map<std::uint32_t, std::vector<float>> vector_of_;  // by dense number
};

}  // namespace fineprint::session
