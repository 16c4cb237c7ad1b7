// The interface of text encoders. Does not use LibTorch.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "fineprint/core/matrix.h"
#include "fineprint/models/device.h"
#include "fineprint/tokenizer/tokenizer.h"

namespace fineprint::models {

// Which prefix a text gets: that of questions or that of passages.
enum class TextRole { query, passage };

// A text encoder: turns texts into vectors of unit length. Thread-safe.
class TextOnlyEncoder {
 public:
  virtual ~TextOnlyEncoder() = default;
  // Returns the length of the vectors.
  virtual std::size_t dim() const = 0;
  // Return a name for people, for example "all-MiniLM-L6-v2", and a hash of weights and
  // configuration, by which a store recognises the encoder of its vectors.
  virtual std::string name() const = 0;
  virtual std::string hash() const = 0;
  // Returns the tokenizer, for counting tokens; valid while the encoder exists.
  virtual const tokenizer::Tokenizer& tokenizer() const = 0;
  // Returns one row for each text, in order. Texts over the model's limit are cut.
  virtual Matrix embed(std::span<const std::string> texts, TextRole role) const = 0;
  // Returns whether a text gets exactly the same vector, whatever other texts it is embedded with.
  // Then questions of several people can be embedded together.
  virtual bool same_in_company() const { return false; }
};

}  // namespace fineprint::models
