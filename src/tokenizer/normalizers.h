// The normalizers of the tokenizers format. They change a text before it is split.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tokenizer/normal_text.h"
#include "tokenizer/token_pattern.h"
#include "tokenizer/unicode_forms.h"

namespace fineprint::tokenizer {

// Changes a text in place. Immutable and thread-safe.
class Normalizer {
 public:
  virtual ~Normalizer() = default;
  virtual void apply(NormalText* text) const = 0;
};

// Applies several normalizers in order.
class NormalizerSequence : public Normalizer {
 public:
  explicit NormalizerSequence(std::vector<std::unique_ptr<Normalizer>> steps)
      : steps_(std::move(steps)) {}
  void apply(NormalText* text) const override;

 private:
  std::vector<std::unique_ptr<Normalizer>> steps_;
};

// Brings text into one of Unicode's normal forms.
class FormNormalizer : public Normalizer {
 public:
  explicit FormNormalizer(UnicodeForm form) : form_(form) {}
  void apply(NormalText* text) const override { bring_into_form(form_, text); }

 private:
  UnicodeForm form_;
};

// Lower-cases text character by character, without context.
class LowercaseNormalizer : public Normalizer {
 public:
  void apply(NormalText* text) const override;
};

// Removes white space at the ends.
class StripNormalizer : public Normalizer {
 public:
  StripNormalizer(bool left, bool right) : left_(left), right_(right) {}
  void apply(NormalText* text) const override;

 private:
  bool left_, right_;
};

// Removes combining marks, without decomposing characters first.
class StripAccentsNormalizer : public Normalizer {
 public:
  void apply(NormalText* text) const override;
};

// Puts a string before a text that is not empty.
class PrependNormalizer : public Normalizer {
 public:
  explicit PrependNormalizer(std::string prefix) : prefix_(std::move(prefix)) {}
  void apply(NormalText* text) const override;

 private:
  std::string prefix_;
};

// Replaces each match of a pattern by `content`.
class ReplaceNormalizer : public Normalizer {
 public:
  ReplaceNormalizer(TokenPattern pattern, std::string content)
      : pattern_(std::move(pattern)), content_(std::move(content)) {}
  void apply(NormalText* text) const override;

 private:
  TokenPattern pattern_;
  std::string content_;
};

// Inserts `prefix` at the start. Its characters get the origin of the text's first character.
void prepend(std::string_view prefix, NormalText* text);

}  // namespace fineprint::tokenizer
