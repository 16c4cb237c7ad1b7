// BERT's normalizer and pre-tokenizer.
#include "tokenizer/bert_words.h"

#include <algorithm>

#include <unicode/uchar.h>

#include "fineprint/core/unicode.h"

#include "tokenizer/unicode_classes.h"

namespace fineprint::tokenizer {
namespace {

bool is_dropped_control(char32_t c) {
  if (c == '\t' || c == '\n' || c == '\r') return false;
  if (c < 0x80) return c < ' ' || c == 0x7F;
  constexpr std::uint32_t kOther = U_GC_CC_MASK | U_GC_CF_MASK | U_GC_CO_MASK;
  return c == 0xFFFD || (category_mask(c) & kOther) != 0;
}

// The ranges of the reference library. It starts Extension E 256 characters late, and results must
// be equal.
bool is_ideograph(char32_t c) {
  return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) ||
         (c >= 0x20000 && c <= 0x2A6DF) || (c >= 0x2A700 && c <= 0x2B73F) ||
         (c >= 0x2B740 && c <= 0x2B81F) || (c >= 0x2B920 && c <= 0x2CEAF) ||
         (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x2F800 && c <= 0x2FA1F);
}

}  // namespace

void BertNormalizer::apply(NormalText* text) const {
  NormalText out;
  out.first = text->first;
  out.text.reserve(text->text.size());
  out.origins.reserve(text->text.size());
  std::vector<Char> run;
  for (std::size_t at = 0; at < text->text.size();) {
    // ASCII needs no tables, and most text is ASCII. Other characters are processed in runs,
    // because marks may change places.
    const char byte = text->text[at];
    if ((byte & 0x80) == 0) {
      add_ascii(byte, text->origins[at], &out);
      ++at;
      continue;
    }
    run.clear();
    while (at < text->text.size() && (text->text[at] & 0x80) != 0) {
      const Origin origin = text->origins[at];
      run.push_back({next_code_point(text->text, &at), origin});
    }
    normalize(&run);
    for (const Char& item : run) out.append(item.c, item.origin);
  }
  *text = std::move(out);
}

void BertNormalizer::add_ascii(char c, Origin origin, NormalText* out) const {
  const auto code = static_cast<unsigned char>(c);
  if (options_.clean_text && (code < ' ' || code == 0x7F)) {
    if (is_dropped_control(code)) return;
    c = ' ';
  }
  if (options_.lowercase && c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  out->text.push_back(c);
  out->origins.push_back(origin);
}

// Removes control characters, turns white space into ' ', and puts blanks around ideographs.
void BertNormalizer::clean(std::vector<Char>* run) const {
  std::vector<Char> out;
  out.reserve(run->size());
  for (Char item : *run) {
    if (options_.clean_text && is_dropped_control(item.c)) continue;
    if (options_.clean_text && is_space(item.c)) item.c = ' ';
    const bool apart = options_.handle_chinese_chars && is_ideograph(item.c);
    if (apart) out.push_back({' ', item.origin});
    out.push_back(item);
    if (apart) out.push_back({' ', item.origin});
  }
  run->swap(out);
}

// Decomposes characters, sorts marks into canonical order and removes the nonspacing ones.
void BertNormalizer::strip_accents(std::vector<Char>* run) {
  std::vector<Char> out;
  std::u32string parts;
  for (const Char& item : *run) {
    parts.clear();
    decompose(item.c, false, &parts);
    for (std::size_t i = 0; i < parts.size(); ++i) out.push_back({parts[i], item.origin, i > 0});
  }
  order_marks(&out);
  // The reference library assigns origins by position, not by character.
  std::size_t source = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (!out[i].inserted && i > 0) ++source;
    out[i].origin = (*run)[std::min(source, run->size() - 1)].origin;
  }
  std::erase_if(out, [](const Char& item) { return (category_mask(item.c) & U_GC_MN_MASK) != 0; });
  run->swap(out);
}

// Sorts each run of marks by combining class; the sort must be stable (Unicode's canonical
// ordering).
void BertNormalizer::order_marks(std::vector<Char>* run) {
  const auto order = [](const Char& item) { return combining_class(item.c); };
  const auto is_mark = [&](const Char& item) { return order(item) != 0; };
  for (auto from = run->begin(); from != run->end();) {
    from = std::find_if(from, run->end(), is_mark);
    const auto to = std::find_if_not(from, run->end(), is_mark);
    std::stable_sort(from, to, [&](const Char& a, const Char& b) { return order(a) < order(b); });
    from = to;
  }
}

void BertNormalizer::to_lower(std::vector<Char>* run) {
  std::vector<Char> out;
  out.reserve(run->size());
  for (const Char& item : *run) {
    out.push_back({static_cast<char32_t>(u_tolower(static_cast<UChar32>(item.c))), item.origin});
    if (item.c == 0x130) out.push_back({0x307, item.origin});  // the only letter that becomes two
  }
  run->swap(out);
}

void BertNormalizer::normalize(std::vector<Char>* run) const {
  clean(run);
  if (options_.strip_accents) strip_accents(run);
  if (options_.lowercase) to_lower(run);
}

BertPreTokenizer::BertPreTokenizer() {
  for (char32_t c = 0; c < 128; ++c) ascii_[c] = classify(c);
}

BertPreTokenizer::Class BertPreTokenizer::classify(char32_t c) {
  if (is_space(c)) return Class::blank;
  return is_punctuation(c) ? Class::punctuation : Class::word;
}

void BertPreTokenizer::apply(Pieces* pieces) const {
  const std::string_view text = pieces->text.text;
  std::vector<Range> out;
  out.reserve(text.size() / 4);
  for (const Range piece : pieces->ranges) {
    std::uint32_t word = piece.begin;
    const auto close_word = [&](std::uint32_t end) {
      if (end > word) out.push_back({word, end});
    };
    for (std::size_t at = piece.begin; at < piece.end;) {
      const auto begin = static_cast<std::uint32_t>(at);
      const auto byte = static_cast<unsigned char>(text[at]);
      // A table for ASCII avoids ICU for most characters.
      const Class cls = byte < 0x80 ? ascii_[byte] : classify(next_code_point(text, &at));
      if (byte < 0x80) ++at;
      if (cls == Class::word) continue;
      close_word(begin);
      word = static_cast<std::uint32_t>(at);
      if (cls == Class::punctuation) out.push_back({begin, word});
    }
    close_word(piece.end);
  }
  pieces->ranges = std::move(out);
}

}  // namespace fineprint::tokenizer
