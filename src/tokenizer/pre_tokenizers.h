// The pre-tokenizers of the tokenizers format: they cut a normalized text into pieces that the
// model never looks beyond.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tokenizer/normal_text.h"
#include "tokenizer/token_pattern.h"

namespace fineprint::tokenizer {

// Pieces of a text, in order; what lies between them is dropped. None is empty.
struct Pieces {
  NormalText text;
  std::vector<Range> ranges;
};

// What becomes of the matches of a pattern that cuts a text.
enum class SplitBehavior { removed, isolated, merged_with_previous, merged_with_next, contiguous };

// Immutable, safe to share.
class PreTokenizer {
 public:
  virtual ~PreTokenizer() = default;
  virtual void apply(Pieces* pieces) const = 0;
};

class PreTokenizerSequence : public PreTokenizer {
 public:
  explicit PreTokenizerSequence(std::vector<std::unique_ptr<PreTokenizer>> steps)
      : steps_(std::move(steps)) {}
  void apply(Pieces* pieces) const override;

 private:
  std::vector<std::unique_ptr<PreTokenizer>> steps_;
};

// Cuts at the matches of a pattern, or with `invert` at what lies between them.
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

// Cuts at the characters of a class.
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

// Runs of word characters and runs of what is neither word nor blank; blanks go.
class WordSplit : public PreTokenizer {
 public:
  void apply(Pieces* pieces) const override;
};

// Cuts by GPT-2's expression, if asked to, and writes each byte as a printable character.
class ByteLevelPreTokenizer : public PreTokenizer {
 public:
  ByteLevelPreTokenizer(bool add_prefix_space, bool use_regex);
  void apply(Pieces* pieces) const override;

 private:
  bool add_prefix_space_;
  std::unique_ptr<PatternSplit> split_;
};

// Writes blanks as a visible character and cuts before each.
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
