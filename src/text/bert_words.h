// BERT's normaliser and pre-tokenizer: a text into plain words that know where they come from.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fineprint::text {

struct NormalizerOptions {
  bool clean_text = true;            // control characters go, all blanks become ' '
  bool handle_chinese_chars = true;  // each ideograph is a word
  bool strip_accents = true;         // decomposed (NFD), nonspacing marks go
  bool lowercase = true;
};

// Words laid end to end. Word i is text[ends[i - 1], ends[i]).
struct BertWords {
  std::string text;                    // UTF-8, normalised, without blanks
  std::vector<std::uint32_t> origins;  // a byte of `text` -> code point of the input
  std::vector<std::uint32_t> ends;     // in bytes of `text`
};

// Immutable, safe to share.
class BertSplitter {
 public:
  explicit BertSplitter(const NormalizerOptions& options);

  // `first` is the number of the input's first code point. Returns the number of code points.
  std::uint32_t split(std::string_view utf8, std::uint32_t first, BertWords* out) const;

 private:
  enum class Class : std::uint8_t { word, blank, punctuation, dropped };
  struct Char {
    char32_t c = 0;
    std::uint32_t origin = 0;
    bool inserted = false;  // has no character of its own in the input
  };

  Class classify(char32_t c) const;
  void normalize(std::vector<Char>* run) const;
  void clean(std::vector<Char>* run) const;
  static void strip_accents(std::vector<Char>* run);
  static void order_marks(std::vector<Char>* run);
  static void to_lower(std::vector<Char>* run);
  void add_ascii(unsigned char c, std::uint32_t origin, BertWords* out) const;
  static void add(Class cls, char32_t c, std::uint32_t origin, BertWords* out);

  NormalizerOptions options_;
  std::array<Class, 128> ascii_{};
};

}  // namespace fineprint::text
