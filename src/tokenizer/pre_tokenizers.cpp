// The pre-tokenizers.
#include "tokenizer/pre_tokenizers.h"

#include <algorithm>
#include <array>

#include "fineprint/core/unicode.h"

#include "tokenizer/byte_alphabet.h"
#include "tokenizer/unicode_classes.h"

namespace fineprint::tokenizer {
namespace {

// GPT-2's regular expression for words. Source: GPT-2's encoder.
constexpr const char* kGpt2Words =
    R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

// Turns the spans of one piece, in order, into smaller pieces.
class Splitter {
 public:
  Splitter(SplitBehavior behavior, std::vector<Range>* out) : behavior_(behavior), out_(out) {}

  // Spans are never joined across pieces.
  void begin_piece() {
    first_ = out_->size();
    is_previous_match_ = false;
    merges_next_ = false;
  }

  void add(Range range, bool is_match) {
    switch (behavior_) {
      case SplitBehavior::removed:
        if (!is_match) out_->push_back(range);
        break;
      case SplitBehavior::isolated:
        out_->push_back(range);
        break;
      // Neighbouring matches form one piece.
      case SplitBehavior::contiguous:
        join_or_push(range, is_match == is_previous_match_);
        break;
      case SplitBehavior::merged_with_previous:
        join_or_push(range, is_match && !is_previous_match_);
        break;
      case SplitBehavior::merged_with_next:
        // If several matches follow each other, only the last is joined with the text after it.
        join_or_push(range, !is_match && merges_next_);
        merges_next_ = is_match;
        break;
    }
    is_previous_match_ = is_match;
  }

 private:
  // Extends the last piece of this text, or adds a new one.
  void join_or_push(Range range, bool joins) {
    if (joins && out_->size() > first_) {
      out_->back().end = range.end;
    } else {
      out_->push_back(range);
    }
  }

  SplitBehavior behavior_;
  std::vector<Range>* out_;
  std::size_t first_ = 0;  // index of the first piece of this text
  bool is_previous_match_ = false;
  bool merges_next_ = false;
};

// Rewrites the text of each piece by `write(piece, out)`.
template <typename Write>
void rewrite(Pieces* pieces, Write write) {
  Pieces out;
  out.text.first = pieces->text.first;
  // A quarter more: byte-level text is longer than its input.
  out.text.text.reserve(pieces->text.text.size() + pieces->text.text.size() / 4);
  out.text.origins.reserve(out.text.text.capacity());
  out.ranges.reserve(pieces->ranges.size());
  for (const Range piece : pieces->ranges) {
    const auto begin = static_cast<std::uint32_t>(out.text.text.size());
    write(piece, &out.text);
    out.ranges.push_back({begin, static_cast<std::uint32_t>(out.text.text.size())});
  }
  *pieces = std::move(out);
}

}  // namespace

void PreTokenizerSequence::apply(Pieces* pieces) const {
  for (const auto& step : steps_) step->apply(pieces);
}

void PatternSplit::apply(Pieces* pieces) const {
  std::vector<Range> out;
  out.reserve(pieces->text.text.size() / 4);
  Splitter splitter(behavior_, &out);
  for (const Range piece : pieces->ranges) {
    splitter.begin_piece();
    pattern_.scan(pieces->text.view(piece), [&](const PatternSpan& span) {
      splitter.add({piece.begin + span.range.begin, piece.begin + span.range.end},
                   span.is_match != invert_);
    });
  }
  std::erase_if(out, [](Range range) { return range.begin == range.end; });  // from empty matches
  pieces->ranges = std::move(out);
}

void ClassSplit::apply(Pieces* pieces) const {
  const std::string_view text = pieces->text.text;
  std::vector<Range> out;
  Splitter splitter(behavior_, &out);
  for (const Range piece : pieces->ranges) {
    splitter.begin_piece();
    std::uint32_t done = piece.begin;
    for (std::size_t at = piece.begin; at < piece.end;) {
      const auto begin = static_cast<std::uint32_t>(at);
      // Characters outside the class are collected until the next match.
      if (!is_match_(next_code_point(text, &at))) continue;
      if (begin > done) splitter.add({done, begin}, false);
      done = static_cast<std::uint32_t>(at);
      splitter.add({begin, done}, true);
    }
    if (done < piece.end) splitter.add({done, piece.end}, false);
  }
  pieces->ranges = std::move(out);
}

void WordSplit::apply(Pieces* pieces) const {
  enum class Class { blank, word, other };
  const auto classify = [](char32_t c) {
    if (is_space(c)) return Class::blank;
    return is_word_character(c) ? Class::word : Class::other;
  };
  const std::string_view text = pieces->text.text;
  std::vector<Range> out;
  for (const Range piece : pieces->ranges) {
    Class previous = Class::blank;
    for (std::size_t at = piece.begin; at < piece.end;) {
      const auto begin = static_cast<std::uint32_t>(at);
      const Class cls = classify(next_code_point(text, &at));
      if (cls != Class::blank) {
        // A new class begins a new piece; a blank only ends the last one.
        if (cls != previous) out.push_back({begin, begin});
        out.back().end = static_cast<std::uint32_t>(at);
      }
      previous = cls;
    }
  }
  pieces->ranges = std::move(out);
}

ByteLevelPreTokenizer::ByteLevelPreTokenizer(bool add_prefix_space, bool use_regex)
    : add_prefix_space_(add_prefix_space) {
  if (!use_regex) return;
  split_ = std::make_unique<PatternSplit>(TokenPattern::expression(kGpt2Words),
                                          SplitBehavior::isolated, false);
}

void ByteLevelPreTokenizer::apply(Pieces* pieces) const {
  if (add_prefix_space_) {
    // Each piece gets the blank, as in the reference library, not only the first.
    rewrite(pieces, [&](Range piece, NormalText* out) {
      if (pieces->text.text[piece.begin] != ' ') {
        out->append(" ", pieces->text.origins[piece.begin]);
      }
      out->append(pieces->text, piece);
    });
  }
  if (split_ != nullptr) split_->apply(pieces);
  rewrite(pieces, [&](Range piece, NormalText* out) {
    for (std::uint32_t i = piece.begin; i < piece.end; ++i) {
      const auto byte = static_cast<unsigned char>(pieces->text.text[i]);
      // Printable ASCII represents itself, so it needs no table.
      if (byte > ' ' && byte < 0x7F) {
        out->text.push_back(static_cast<char>(byte));
        out->origins.push_back(pieces->text.origins[i]);
      } else {
        out->append(character_of_byte(byte), pieces->text.origins[i]);
      }
    }
  });
}

MetaspacePreTokenizer::MetaspacePreTokenizer(const std::string& replacement, Prepend prepend,
                                             bool split)
    : replacement_(replacement), prepend_(prepend) {
  if (!split) return;
  // Each mark stays with the text after it, so a piece is a word with its blank.
  split_ = std::make_unique<PatternSplit>(TokenPattern::literal(replacement),
                                          SplitBehavior::merged_with_next, false);
}

void MetaspacePreTokenizer::apply(Pieces* pieces) const {
  rewrite(pieces, [&](Range piece, NormalText* out) {
    const NormalText& text = pieces->text;
    const std::string_view view = text.view(piece);
    const Origin origin = text.origins[piece.begin];
    // A text that begins with a blank or the mark gets no second one.
    const bool has_it = view.starts_with(' ') || view.starts_with(replacement_);
    // "first" means the first piece of the input, not of each part between added tokens.
    const bool is_wanted =
        prepend_ == Prepend::always || (prepend_ == Prepend::first && origin.begin == 0);
    if (is_wanted && !has_it) out->append(replacement_, origin);
    for (std::uint32_t i = piece.begin; i < piece.end; ++i) {
      const char c = text.text[i];
      if (c == ' ') {
        out->append(replacement_, text.origins[i]);
      } else {
        out->text.push_back(c);
        out->origins.push_back(text.origins[i]);
      }
    }
  });
  if (split_ != nullptr) split_->apply(pieces);
}

}  // namespace fineprint::tokenizer
