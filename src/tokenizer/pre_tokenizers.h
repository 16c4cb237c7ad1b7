// The pre-tokenizers of the tokenizers format. They split a normalized text into pieces; the model
// processes each piece alone.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tokenizer/normal_text.h"
#include "tokenizer/token_pattern.h"

namespace fineprint::tokenizer {

// Pieces of a text, in order. Text between them is dropped. No piece is empty.
struct Pieces {
  NormalText text;
  std::vector<Range> ranges;
};

// What happens to the matches of a pattern at which a text is split.
enum class SplitBehavior { removed, isolated, merged_with_previous, merged_with_next, contiguous };

// Splits pieces into smaller ones. Immutable and thread-safe.
class PreTokenizer {
 public:
  virtual ~PreTokenizer() = default;
  virtual void apply(Pieces* pieces) const = 0;
};

// Applies several pre-tokenizers in order.
class PreTokenizerSequence : public PreTokenizer {
 public:
  explicit PreTokenizerSequence(std::vector<std::unique_ptr<PreTokenizer>> steps)
      : steps_(std::move(steps)) {}
  void apply(Pieces* pieces) const override;

 private:
  std::vector<std::unique_ptr<PreTokenizer>> steps_;
};

// Splits at the matches of a pattern, or, with `invert`, at the text between them.
class PatternSplit : public PreTokenizer {
 public:
  PatternSplit(TokenPattern pattern, SplitBehavior behavior, bool invert)
      : pattern_(std::move(pattern)), behavior_(behavior), invert_(invert) {}
  void apply(Pieces* pieces) const override;

 private:
  TokenPattern pattern_;
  SplitBehavior behavior_;
  bool invert_;
};

// Splits at the characters of a class.
class ClassSplit : public PreTokenizer {
 public:
  using Predicate = bool (*)(char32_t);
  ClassSplit(Predicate is_match, SplitBehavior behavior)
      : is_match_(is_match), behavior_(behavior) {}
  void apply(Pieces* pieces) const override;

 private:
  Predicate is_match_;
  SplitBehavior behavior_;
};

// Makes pieces of runs of word characters and of runs of other characters; drops blanks.
class WordSplit : public PreTokenizer {
 public:
  void apply(Pieces* pieces) const override;
};

// Splits by GPT-2's regular expression, if asked to, and writes each byte as a printable character.
class ByteLevelPreTokenizer : public PreTokenizer {
 public:
  ByteLevelPreTokenizer(bool add_prefix_space, bool use_regex);
  void apply(Pieces* pieces) const override;

 private:
  bool add_prefix_space_;
  std::unique_ptr<PatternSplit> split_;
};

// Writes blanks as a visible character and splits before each of them.
class MetaspacePreTokenizer : public PreTokenizer {
 public:
  enum class Prepend { always, never, first };
  MetaspacePreTokenizer(const std::string& replacement, Prepend prepend, bool split);
  void apply(Pieces* pieces) const override;

 private:
  std::string replacement_;
  Prepend prepend_;
  std::unique_ptr<PatternSplit> split_;
};

}  // namespace fineprint::tokenizer
