// BERT's normaliser and pre-tokenizer.
#include "text/bert_words.h"

#include <algorithm>

#include <unicode/uchar.h>
#include <unicode/unorm2.h>

#include "fineprint/text/unicode.h"

namespace fineprint::text {
namespace {

// The reference library sorts characters into categories by Unicode 8 and decomposes them by
// Unicode 9: later characters are nothing special to it.
constexpr int kCategoryVersion = 8;
constexpr int kDecompositionVersion = 9;

bool is_known_to(int version, char32_t c) {
  UVersionInfo age;
  u_charAge(static_cast<UChar32>(c), age);
  return age[0] <= version;
}

std::uint32_t category_mask(char32_t c) {
  switch (c) {  // these have moved since
    case 0x166D:
    case 0x111C9:
      return U_GC_PO_MASK;
    case 0x1734:
      return U_GC_MN_MASK;
    case 0x1885:
    case 0x1886:
      return U_GC_LO_MASK;
    case 0xA9BD:
      return U_GC_MC_MASK;
    default:
      break;
  }
  return is_known_to(kCategoryVersion, c) ? U_GET_GC_MASK(static_cast<UChar32>(c)) : 0;
}

int combining_class(char32_t c) {
  return is_known_to(kDecompositionVersion, c) ? u_getCombiningClass(static_cast<UChar32>(c)) : 0;
}

bool is_dropped_control(char32_t c) {
  if (c == '\t' || c == '\n' || c == '\r') return false;
  constexpr std::uint32_t kOther = U_GC_CC_MASK | U_GC_CF_MASK | U_GC_CO_MASK;
  return c == 0 || c == 0xFFFD || (category_mask(c) & kOther) != 0;
}

bool is_punctuation(char32_t c) {
  if (c < 0x80) return c > ' ' && c < 0x7F && !is_letter(c) && !is_digit(c);
  return (category_mask(c) & U_GC_P_MASK) != 0;
}

// The ranges of the reference library, which starts Extension E 256 characters late.
bool is_ideograph(char32_t c) {
  return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) ||
         (c >= 0x20000 && c <= 0x2A6DF) || (c >= 0x2A700 && c <= 0x2B73F) ||
         (c >= 0x2B740 && c <= 0x2B81F) || (c >= 0x2B920 && c <= 0x2CEAF) ||
         (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x2F800 && c <= 0x2FA1F);
}

const UNormalizer2* nfd() {
  static const UNormalizer2* instance = [] {
    UErrorCode status = U_ZERO_ERROR;
    return unorm2_getNFDInstance(&status);
  }();
  return instance;
}

// The full canonical decomposition of one character.
std::u32string decomposed(char32_t c) {
  if (!is_known_to(kDecompositionVersion, c)) return {c};
  UChar units[32];
  UErrorCode status = U_ZERO_ERROR;
  const int length = unorm2_getDecomposition(nfd(), static_cast<UChar32>(c), units, 32, &status);
  std::u32string out;
  if (length < 0 || U_FAILURE(status)) return {c};
  for (int i = 0; i < length;) {
    UChar32 next = 0;
    U16_NEXT(units, i, length, next);
    out.push_back(static_cast<char32_t>(next));
  }
  return out;
}

}  // namespace

BertSplitter::BertSplitter(const NormalizerOptions& options) : options_(options) {
  for (char32_t c = 0; c < 128; ++c) ascii_[c] = classify(c);
}

BertSplitter::Class BertSplitter::classify(char32_t c) const {
  if (options_.clean_text && is_dropped_control(c)) return Class::dropped;
  if (is_space(c)) return Class::blank;
  return is_punctuation(c) ? Class::punctuation : Class::word;
}

std::uint32_t BertSplitter::split(std::string_view utf8, std::uint32_t first,
                                  BertWords* out) const {
  std::uint32_t number = first;
  std::vector<Char> run;
  for (std::size_t at = 0; at < utf8.size();) {
    const auto byte = static_cast<unsigned char>(utf8[at]);
    if (byte < 0x80) {
      add_ascii(byte, number++, out);
      ++at;
      continue;
    }
    run.clear();
    while (at < utf8.size() && static_cast<unsigned char>(utf8[at]) >= 0x80) {
      run.push_back({next_code_point(utf8, &at), number++});
    }
    normalize(&run);
    for (const Char& item : run) add(classify(item.c), item.c, item.origin, out);
  }
  add(Class::blank, ' ', number, out);
  return number - first;
}

void BertSplitter::add_ascii(unsigned char c, std::uint32_t origin, BertWords* out) const {
  const Class cls = ascii_[c];
  if (options_.lowercase && c >= 'A' && c <= 'Z') c = static_cast<unsigned char>(c - 'A' + 'a');
  if (cls != Class::word) return add(cls, c, origin, out);
  out->text.push_back(static_cast<char>(c));
  out->origins.push_back(origin);
}

void BertSplitter::add(Class cls, char32_t c, std::uint32_t origin, BertWords* out) {
  const auto close_word = [out] {
    const auto size = static_cast<std::uint32_t>(out->text.size());
    if (size != (out->ends.empty() ? 0 : out->ends.back())) out->ends.push_back(size);
  };
  if (cls == Class::dropped) return;
  if (cls != Class::word) close_word();
  if (cls == Class::blank) return;
  append_utf8(c, &out->text);
  out->origins.resize(out->text.size(), origin);
  if (cls == Class::punctuation) close_word();
}

// Control characters go, blanks become ' ', ideographs get blanks around them.
void BertSplitter::clean(std::vector<Char>* run) const {
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

// Decomposes, brings marks into canonical order and drops the nonspacing ones.
void BertSplitter::strip_accents(std::vector<Char>* run) {
  std::vector<Char> out;
  for (const Char& item : *run) {
    bool inserted = false;
    for (const char32_t c : decomposed(item.c)) {
      out.push_back({c, item.origin, inserted});
      inserted = true;
    }
  }
  order_marks(&out);
  // The reference library hands origins out by place, not by character.
  std::size_t source = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (!out[i].inserted && i > 0) ++source;
    out[i].origin = (*run)[std::min(source, run->size() - 1)].origin;
  }
  std::erase_if(out, [](const Char& item) { return (category_mask(item.c) & U_GC_MN_MASK) != 0; });
  run->swap(out);
}

void BertSplitter::order_marks(std::vector<Char>* run) {
  const auto order = [](const Char& item) { return combining_class(item.c); };
  const auto is_mark = [&](const Char& item) { return order(item) != 0; };
  for (auto from = run->begin(); from != run->end();) {
    from = std::find_if(from, run->end(), is_mark);
    const auto to = std::find_if_not(from, run->end(), is_mark);
    std::stable_sort(from, to, [&](const Char& a, const Char& b) { return order(a) < order(b); });
    from = to;
  }
}

void BertSplitter::to_lower(std::vector<Char>* run) {
  std::vector<Char> out;
  for (const Char& item : *run) {
    out.push_back({static_cast<char32_t>(u_tolower(static_cast<UChar32>(item.c))), item.origin});
    if (item.c == 0x130) out.push_back({0x307, item.origin});  // the one letter that becomes two
  }
  run->swap(out);
}

void BertSplitter::normalize(std::vector<Char>* run) const {
  clean(run);
  if (options_.strip_accents) strip_accents(run);
  if (options_.lowercase) to_lower(run);
}

}  // namespace fineprint::text
