// BERT's normalizer and pre-tokenizer.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "tokenizer/normalizers.h"
#include "tokenizer/pre_tokenizers.h"

namespace fineprint::tokenizer {

// The options of BertNormalizer, with the names that tokenizer.json uses.
struct BertNormalizerOptions {
  bool clean_text = true;            // remove control characters, turn all white space into ' '
  bool handle_chinese_chars = true;  // put blanks around each ideograph
  bool strip_accents = true;         // decompose (NFD) and remove nonspacing marks
  bool lowercase = true;
};

// Cleans text, splits off ideographs, removes accents and lower-cases, as the options say.
class BertNormalizer : public Normalizer {
 public:
  explicit BertNormalizer(const BertNormalizerOptions& options) : options_(options) {}
  void apply(NormalText* text) const override;

 private:
  struct Char {
    char32_t c = 0;
    Origin origin;
    bool inserted = false;  // has no character of its own in the input
  };

  void add_ascii(char c, Origin origin, NormalText* out) const;
  void normalize(std::vector<Char>* run) const;
  void clean(std::vector<Char>* run) const;
  static void strip_accents(std::vector<Char>* run);
  static void order_marks(std::vector<Char>* run);
  static void to_lower(std::vector<Char>* run);

  BertNormalizerOptions options_;
};

// Splits at blanks. Each punctuation mark is a word of its own.
class BertPreTokenizer : public PreTokenizer {
 public:
  BertPreTokenizer();
  void apply(Pieces* pieces) const override;

 private:
  enum class Class : std::uint8_t { word, blank, punctuation };
  static Class classify(char32_t c);

  std::array<Class, 128> ascii_{};
};

}  // namespace fineprint::tokenizer
