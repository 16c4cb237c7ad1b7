// Retrieval encoders over page images and texts, with one vector or many. Free of LibTorch.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "fineprint/core/image.h"
#include "fineprint/core/matrix.h"
#include "fineprint/models/embedder.h"

namespace fineprint::models {

// Rows have unit length. Safe to call from several threads.
class Encoder {
 public:
  virtual ~Encoder() = default;
  virtual std::string name() const = 0;
  virtual std::string hash() const = 0;
  virtual std::size_t dim() const = 0;
  virtual bool many_vectors() const = 0;  // a matrix a page (late interaction), else one row
  virtual bool sees() const = 0;          // takes images
  // Calls worth having under way at a time: on a GPU a second one prepares its images while the
  // first computes; on the cpu one call uses all its threads.
  virtual int calls_at_a_time() const { return 1; }
  // One matrix an image or text, in order. Throws Error(usage) for images when it cannot see.
  virtual std::vector<Matrix> embed_images(std::span<const Image> pages) const = 0;
  virtual std::vector<Matrix> embed_texts(std::span<const std::string> texts,
                                          TextRole role) const = 0;
};

}  // namespace fineprint::models
