// The normalizers of the tokenizers format: what happens to a text before it is cut.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tokenizer/normal_text.h"
#include "tokenizer/token_pattern.h"
#include "tokenizer/unicode_forms.h"

namespace fineprint::tokenizer {

// Immutable, safe to share.
class Normalizer {
 public:
  virtual ~Normalizer() = default;
  virtual void apply(NormalText* text) const = 0;
};

class NormalizerSequence : public Normalizer {
 public:
  explicit NormalizerSequence(std::vector<std::unique_ptr<Normalizer>> steps)
      : steps_(std::move(steps)) {}
  void apply(NormalText* text) const override;

 private:
  std::vector<std::unique_ptr<Normalizer>> steps_;
};

class FormNormalizer : public Normalizer {
 public:
  explicit FormNormalizer(UnicodeForm form) : form_(form) {}
  void apply(NormalText* text) const override { bring_into_form(form_, text); }

 private:
  UnicodeForm form_;
};

class LowercaseNormalizer : public Normalizer {
 public:
  void apply(NormalText* text) const override;
};

// White space at the ends goes.
class StripNormalizer : public Normalizer {
 public:
  StripNormalizer(bool left, bool right) : left_(left), right_(right) {}
  void apply(NormalText* text) const override;

 private:
  bool left_, right_;
};

// Combining marks go; nothing is decomposed first.
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

class ReplaceNormalizer : public Normalizer {
 public:
  ReplaceNormalizer(TokenPattern pattern, std::string content)
      : pattern_(std::move(pattern)), content_(std::move(content)) {}
  void apply(NormalText* text) const override;

 private:
  TokenPattern pattern_;
  std::string content_;
};

// The inserted characters come from the first one of the text.
void prepend(std::string_view prefix, NormalText* text);

}  // namespace fineprint::tokenizer
