// Unicode's normal forms from ICU's tables, limited to the version that the reference library
// knows.
#include "tokenizer/unicode_forms.h"

#include <algorithm>

#include <unicode/uchar.h>
#include <unicode/unorm2.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/unicode.h"

#include "tokenizer/unicode_classes.h"

namespace fineprint::tokenizer {
namespace {

using Instance = const UNormalizer2* (*)(UErrorCode*);

const UNormalizer2* open(Instance get) {
  UErrorCode status = U_ZERO_ERROR;
  const UNormalizer2* instance = get(&status);
  if (U_FAILURE(status)) {
    throw Error(ErrorCode::internal, fineprint::format("ICU has no normalization data ({}): "
                                                       "reinstall libicu",
                                                       u_errorName(status)));
  }
  return instance;
}

const UNormalizer2* instance_of(UnicodeForm form) {
  static const UNormalizer2* const kInstances[] = {
      open(unorm2_getNFCInstance), open(unorm2_getNFDInstance), open(unorm2_getNFKCInstance),
      open(unorm2_getNFKDInstance)};
  return kInstances[static_cast<int>(form)];
}

// Returns the first character that normalizing can change, or that may not start a segment of its
// own.
char32_t first_odd(UnicodeForm form) {
  switch (form) {
    case UnicodeForm::nfc:
      return 0x300;
    case UnicodeForm::nfd:
      return 0xC0;
    default:
      return 0xA0;
  }
}

// A character of the result. `change` is 1 if it is additional, else minus the number of further
// source characters that it replaces.
struct Changed {
  char32_t c = 0;
  int change = 0;
};

// Returns the composition of two characters; 0 if there is none.
char32_t composed(char32_t first, char32_t second) {
  const UChar32 joined = unorm2_composePair(
      instance_of(UnicodeForm::nfc), static_cast<UChar32>(first), static_cast<UChar32>(second));
  if (joined < 0) return 0;
  const auto c = static_cast<char32_t>(joined);
  return is_known_to(kDecompositionVersion, c) ? c : 0;
}

// Sorts each run of marks by combining class; the sort must be stable (Unicode's canonical
// ordering).
void order_combining_marks(std::vector<Changed>* run) {
  const auto order = [](const Changed& item) { return combining_class(item.c); };
  const auto is_mark = [&](const Changed& item) { return order(item) != 0; };
  for (auto from = run->begin(); from != run->end();) {
    from = std::find_if(from, run->end(), is_mark);
    const auto to = std::find_if_not(from, run->end(), is_mark);
    std::stable_sort(from, to,
                     [&](const Changed& a, const Changed& b) { return order(a) < order(b); });
    from = to;
  }
}

// Composes characters in place. Source: Unicode Standard, D117 (canonical composition).
void compose(std::vector<Changed>* run) {
  std::size_t kept = 0;
  std::size_t starter = run->size();
  int last_class = -1;  // class of the last character kept since the starter; -1 for none
  for (const Changed item : *run) {
    const int cls = combining_class(item.c);
    const bool has_starter = starter < run->size();
    // A mark is blocked from the starter by one of the same or a higher class in between.
    if (has_starter && (last_class < cls || last_class < 0)) {
      Changed& base = (*run)[starter];
      if (const char32_t joined = composed(base.c, item.c); joined != 0) {
        base = {joined, base.change + item.change - 1};
        continue;
      }
    }
    if (cls == 0) {
      starter = kept;
      last_class = -1;
    } else if (has_starter) {
      last_class = cls;
    }
    (*run)[kept++] = item;
  }
  run->resize(kept);
}

// Brings one text into a form. Only segments that may change are processed; most text has none.
class Former {
 public:
  Former(UnicodeForm form, const NormalText& source)
      : form_(form), instance_(instance_of(form)), source_(source) {}

  // Returns the start of the first segment from `at` on that may change; the end of the text if
  // there is none.
  std::size_t next_segment(std::size_t at) const {
    const std::string& text = source_.text;
    const char32_t odd = first_odd(form_);
    const auto odd_lead = static_cast<unsigned char>(odd < 0x100 ? 0xC2 : 0xCC);
    std::size_t before = at;
    while (at < text.size()) {
      // UTF-8 keeps the order of characters, so comparing first bytes is enough.
      if (static_cast<unsigned char>(text[at]) < odd_lead) {
        before = at++;
        while (at < text.size() && (text[at] & 0xC0) == 0x80) ++at;
        continue;
      }
      std::size_t next = at;
      const auto c = static_cast<UChar32>(next_code_point(text, &next));
      if (unorm2_isInert(instance_, c) == 0) {
        return unorm2_hasBoundaryBefore(instance_, c) != 0 ? at : before;
      }
      before = at;
      at = next;
    }
    return text.size();
  }

  // Returns the end of the segment: the next character that no character before it can change.
  std::size_t segment_end(std::size_t at) const {
    next_code_point(source_.text, &at);
    while (at < source_.text.size()) {
      std::size_t next = at;
      const auto c = static_cast<UChar32>(next_code_point(source_.text, &next));
      if (unorm2_hasBoundaryBefore(instance_, c) != 0) break;
      at = next;
    }
    return at;
  }

  void form(std::size_t begin, std::size_t end, NormalText* out) const {
    const bool by_compatibility = form_ == UnicodeForm::nfkc || form_ == UnicodeForm::nfkd;
    std::vector<Changed> run;
    std::vector<Origin> origins;  // of the segment's characters
    std::u32string parts;
    for (std::size_t at = begin; at < end;) {
      origins.push_back(source_.origins[at]);
      parts.clear();
      decompose(next_code_point(source_.text, &at), by_compatibility, &parts);
      for (std::size_t i = 0; i < parts.size(); ++i) run.push_back({parts[i], i == 0 ? 0 : 1});
    }
    order_combining_marks(&run);
    if (form_ == UnicodeForm::nfc || form_ == UnicodeForm::nfkc) compose(&run);
    const Origin start{source_.first, source_.first};
    append(run, origins, begin > 0 ? source_.origins[begin - 1] : start, out);
  }

 private:
  // Assigns origins by position, as the reference library does.
  static void append(const std::vector<Changed>& run, const std::vector<Origin>& origins,
                     Origin before, NormalText* out) {
    std::size_t place = 0;
    for (const Changed& item : run) {
      const std::size_t from = item.change > 0 ? place : place + 1;
      const Origin origin = from == 0 ? before : origins[std::min(from, origins.size()) - 1];
      out->append(item.c, origin);
      if (item.change <= 0) place += 1 + static_cast<std::size_t>(-item.change);
    }
  }

  UnicodeForm form_;
  const UNormalizer2* instance_;
  const NormalText& source_;
};

}  // namespace

int combining_class(char32_t c) {
  if (c < 0x300) return 0;
  return is_known_to(kDecompositionVersion, c) ? u_getCombiningClass(static_cast<UChar32>(c)) : 0;
}

void decompose(char32_t c, bool by_compatibility, std::u32string* out) {
  // Below U+00A0 nothing decomposes.
  if (c < 0xA0 || !is_known_to(kDecompositionVersion, c)) return out->push_back(c);
  UChar units[64];
  UErrorCode status = U_ZERO_ERROR;
  const int length =
      unorm2_getDecomposition(instance_of(by_compatibility ? UnicodeForm::nfkd : UnicodeForm::nfd),
                              static_cast<UChar32>(c), units, 64, &status);
  if (length < 0 || U_FAILURE(status)) return out->push_back(c);
  for (int i = 0; i < length;) {
    UChar32 next = 0;
    U16_NEXT(units, i, length, next);
    out->push_back(static_cast<char32_t>(next));
  }
}

void bring_into_form(UnicodeForm form, NormalText* text) {
  const Former former(form, *text);
  std::size_t begin = former.next_segment(0);
  if (begin == text->text.size()) return;
  NormalText out;
  out.first = text->first;
  out.text.reserve(text->text.size());
  out.origins.reserve(text->text.size());
  std::size_t done = 0;
  while (begin < text->text.size()) {
    const std::size_t end = former.segment_end(begin);
    out.append(*text, {static_cast<std::uint32_t>(done), static_cast<std::uint32_t>(begin)});
    former.form(begin, end, &out);
    done = end;
    begin = former.next_segment(done);
  }
  out.append(*text,
             {static_cast<std::uint32_t>(done), static_cast<std::uint32_t>(text->text.size())});
  *text = std::move(out);
}

}  // namespace fineprint::tokenizer
