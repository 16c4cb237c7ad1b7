// Text encoders as the rest of the program sees them: free of LibTorch.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "fineprint/core/matrix.h"
#include "fineprint/models/device.h"
#include "fineprint/tokenizer/tokenizer.h"

namespace fineprint::models {

enum class TextRole { query, passage };

// Turns texts into vectors of unit length. Safe to call from several threads.
class Embedder {
 public:
  virtual ~Embedder() = default;
  virtual std::size_t dim() const = 0;
  // For people ("all-MiniLM-L6-v2") and for comparison (hash of weights and configuration).
  virtual std::string name() const = 0;
  virtual std::string hash() const = 0;
  virtual const tokenizer::Tokenizer& tokenizer() const = 0;
  // One row a text, in order. Texts over the model's limit are cut.
  virtual Matrix embed(std::span<const std::string> texts, TextRole role) const = 0;
};

}  // namespace fineprint::models
