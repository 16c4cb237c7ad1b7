// The interface of encoders of page images and texts, with one vector or many. Does not use
// LibTorch.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "fineprint/core/image.h"
#include "fineprint/core/matrix.h"
#include "fineprint/models/text_only_encoder.h"

namespace fineprint::models {

// An encoder for retrieval. All vectors have unit length. Thread-safe.
class Encoder {
 public:
  virtual ~Encoder() = default;
  // Name for people, hash of weights and configuration, length of the vectors.
  virtual std::string name() const = 0;
  virtual std::string hash() const = 0;
  virtual std::size_t dim() const = 0;
  virtual bool many_vectors() const = 0;  // a matrix for each page (late interaction), else one row
  virtual bool sees() const = 0;          // takes images
  // Returns whether the weights were trained with HKRAG's mask (ModelSpec::trained_mask).
  virtual bool trained_mask() const { return false; }
  // Returns how many calls are worth running at a time. On a GPU a second call prepares its images
  // while the first one computes; on a CPU one call uses all threads.
  virtual int calls_at_a_time() const { return 1; }
  // Returns one matrix for each image or text, in order. Throws Error(usage) for images if `sees()`
  // is false.
  virtual std::vector<Matrix> embed_images(std::span<const Image> pages) const = 0;
  virtual std::vector<Matrix> embed_texts(std::span<const std::string> texts,
                                          TextRole role) const = 0;
  // As TextOnlyEncoder::same_in_company().
  virtual bool same_in_company() const { return false; }
};

}  // namespace fineprint::models
