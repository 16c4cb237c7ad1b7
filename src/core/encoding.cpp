// Decodes text with ICU's converters.
#include "fineprint/core/encoding.h"

#include <algorithm>
#include <memory>

#include <unicode/ucnv.h>

#include "fineprint/core/letter_case.h"
#include "fineprint/core/unicode.h"

#include "core/encoding_guess.h"

namespace fineprint {
namespace {

using namespace std::string_view_literals;
using Converter = std::unique_ptr<UConverter, void (*)(UConverter*)>;

constexpr char32_t kNoCharacter = 0xFFFD;

// An encoding and the wider one that is sent under its name. Source: the labels of the WHATWG's
// Encoding Standard.
struct WiderEncoding {
  const char* name;
  const char* wider;
};
constexpr WiderEncoding kWider[] = {
    {"iso-8859-1", "windows-1252"},
    {"latin1", "windows-1252"},
    {"iso-8859-9", "windows-1254"},
    {"iso-8859-11", "windows-874"},
    {"tis-620", "windows-874"},
    {"gb2312", "gb18030"},
    {"gb_2312-80", "gb18030"},
    {"gbk", "gb18030"},
    {"x-gbk", "gb18030"},
    {"euc-cn", "gb18030"},
    {"euc-kr", "windows-949"},
    {"ks_c_5601-1987", "windows-949"},
    {"cp949", "windows-949"},
    {"uhc", "windows-949"},
    {"shift_jis", "ibm-943_P15A-2003"},
    {"x-sjis", "ibm-943_P15A-2003"},
    {"windows-31j", "ibm-943_P15A-2003"},
    {"cp932", "ibm-943_P15A-2003"},
    {"ms932", "ibm-943_P15A-2003"},
    {"big5", "Big5-HKSCS"},
    {"koi8-r", "KOI8-U"},
    {"iso-8859-8-i", "windows-1255"},
    {"utf-16", "UTF-16LE"},
};

std::string wider_name(std::string_view declared) {
  std::string name(declared);
  for (const WiderEncoding& row : kWider) {
    if (ucnv_compareNames(row.name, name.c_str()) == 0) return row.wider;
  }
  return name;
}

// Returns a converter, or null if ICU has none of this name.
Converter converter_of(const std::string& name) {
  UErrorCode status = U_ZERO_ERROR;
  // ICU takes an empty name for the encoding of this machine.
  Converter out(name.empty() ? nullptr : ucnv_open(name.c_str(), &status), ucnv_close);
  if (U_FAILURE(status)) out.reset();
  return out;
}

struct Decoded {
  std::string text;
  std::size_t wrong = 0;  // characters that are U+FFFD
  std::size_t right = 0;  // other characters beyond ASCII
};

// Returns nullopt if ICU does not know the encoding.
std::optional<Decoded> decode_from(std::string_view bytes, const std::string& name) {
  const Converter converter = converter_of(name);
  if (converter == nullptr) return std::nullopt;
  Decoded out;
  out.text.reserve(bytes.size() + bytes.size() / 2);
  UErrorCode status = U_ZERO_ERROR;
  const char* at = bytes.data();
  const char* end = at + bytes.size();
  while (at < end) {
    // Never ends within a character, because the converter keeps unfinished bytes only until then.
    const UChar32 c = ucnv_getNextUChar(converter.get(), &at, end, &status);
    if (status == U_INDEX_OUTOFBOUNDS_ERROR) break;  // shifts at the end
    const bool fits = U_SUCCESS(status) && static_cast<char32_t>(c) != kNoCharacter;
    append_utf8(fits ? static_cast<char32_t>(c) : kNoCharacter, &out.text);
    out.wrong += fits ? 0 : 1;
    out.right += fits && c >= 0x80 ? 1 : 0;
    status = U_ZERO_ERROR;
  }
  return out;
}

// Counts the characters of several bytes, and the bytes that belong to none.
struct Utf8Count {
  std::size_t characters = 0, stray = 0;
};

Utf8Count count_utf8(std::string_view bytes) {
  Utf8Count count;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t begin = at;
    if (next_code_point(bytes, &at) < 0x80) continue;
    if (at - begin > 1) {
      ++count.characters;
    } else {
      ++count.stray;
    }
  }
  return count;
}

// Returns UTF-8 with stray bytes as valid UTF-8. A line in which no character is UTF-8 comes from
// another file, most often a Western one.
std::string mended_utf8(std::string_view bytes) {
  std::string out;
  while (!bytes.empty()) {
    const std::string_view line = bytes.substr(0, std::min(bytes.find('\n'), bytes.size() - 1) + 1);
    bytes.remove_prefix(line.size());
    const Utf8Count count = count_utf8(line);
    const bool is_foreign = count.characters == 0 && count.stray > 0;
    out += is_foreign ? decode_from(line, "windows-1252")->text : valid_utf8(line);
  }
  return out;
}

// Returns the encoding that the first bytes announce, and removes them; "" if they do not.
std::string take_mark(std::string_view* bytes) {
  struct Mark {
    std::string_view bytes;
    const char* name;
  };
  constexpr Mark kMarks[] = {{"\xef\xbb\xbf"sv, "UTF-8"},
                             {"\xff\xfe\0\0"sv, "UTF-32LE"},
                             {"\0\0\xfe\xff"sv, "UTF-32BE"},
                             {"\xff\xfe"sv, "UTF-16LE"},
                             {"\xfe\xff"sv, "UTF-16BE"}};
  for (const Mark& mark : kMarks) {
    if (!bytes->starts_with(mark.bytes)) continue;
    bytes->remove_prefix(mark.bytes.size());
    return mark.name;
  }
  return "";
}

// Returns the encoding of seven bits that the bytes switch on by an escape sequence; "" if none.
std::string escaped_encoding(std::string_view bytes) {
  for (const std::string_view escape : {"\x1b$B"sv, "\x1b$@"sv, "\x1b(J"sv, "\x1b(I"sv}) {
    if (bytes.find(escape) != std::string_view::npos) return "ISO-2022-JP-2";
  }
  if (bytes.find("\x1b$)C"sv) != std::string_view::npos) return "ISO-2022-KR";
  return "";
}

// Returns the text in the declared encoding if most bytes fit it; else nullopt.
std::optional<std::string> as_declared(std::string_view bytes, std::string_view declared) {
  const std::string name = wider_name(declared);
  // A declaration that can be read as ASCII is not in UTF-16. Under "us-ascii" all other bytes are
  // wrong, so it says nothing.
  if (name.starts_with("UTF-16") && bytes.find('\0') == std::string_view::npos) {
    return std::nullopt;
  }
  std::optional<Decoded> found = decode_from(bytes, name);
  if (!found || found->wrong * 20 > found->right + found->wrong) return std::nullopt;
  return std::move(found->text);
}

bool is_western(std::string_view declared) { return wider_name(declared) == "windows-1252"; }

// Returns UTF-8 as it is, if the bytes are that and more than ASCII. A few characters of two bytes
// may be so by chance: then another declaration counts more.
bool is_utf8_text(std::string_view bytes, const Utf8Count& count, std::string_view declared) {
  constexpr std::size_t kByChance = 3;
  if (count.characters == 0 || count.stray > 0) return false;
  return count.characters > kByChance || !is_known_encoding(declared) || is_western(declared) ||
         !as_declared(bytes, declared);
}

// Finds the value of the next declaration from `*at` on, and moves `*at` past it.
std::string_view next_declared(std::string_view markup, const std::string& lower, std::size_t* at) {
  constexpr auto kNone = std::string_view::npos;
  while (true) {
    const std::size_t tag = std::min(lower.find("<meta", *at), lower.find("<?xml ", *at));
    const std::size_t comment = lower.find("<!--", *at);
    if (tag == kNone) return {};
    if (comment < tag) {
      *at = lower.find("-->", comment);
      if (*at == kNone) return {};
      continue;
    }
    const std::size_t end = std::min(lower.find('>', tag), lower.size());
    *at = end;
    const std::string_view key = lower[tag + 1] == '?' ? "encoding" : "charset";
    std::size_t begin = lower.find(key, tag);
    if (begin >= end) continue;
    begin = lower.find_first_not_of(" \t\r\n\f", begin + key.size());
    if (begin >= end || lower[begin] != '=') continue;
    begin = lower.find_first_not_of(" \t\r\n\f\"'", begin + 1);
    const std::size_t stop = std::min(lower.find_first_of(" \t\r\n\f\"';/>?", begin), lower.size());
    if (begin >= stop) continue;
    return markup.substr(begin, stop - begin);
  }
}

}  // namespace

bool is_known_encoding(std::string_view name) { return converter_of(wider_name(name)) != nullptr; }

std::optional<std::string> decode_as(std::string_view bytes, std::string_view encoding) {
  std::optional<Decoded> found = decode_from(bytes, wider_name(encoding));
  return found ? std::optional(std::move(found->text)) : std::nullopt;
}

std::optional<std::string> decode_certain(std::string_view bytes, std::string_view declared) {
  if (const std::string mark = take_mark(&bytes); !mark.empty()) {
    return mark == "UTF-8" ? mended_utf8(bytes) : decode_from(bytes, mark)->text;
  }
  if (const std::string escaped = escaped_encoding(bytes); !escaped.empty()) {
    return decode_from(bytes, escaped)->text;
  }
  const bool has_nul = bytes.find('\0') != std::string_view::npos;
  const Utf8Count count = count_utf8(bytes);
  if (!has_nul && is_utf8_text(bytes, count, declared)) return std::string(bytes);
  if (std::optional<std::string> text = as_declared(bytes, declared)) return text;
  // A few characters of other encodings look like UTF-8 by chance, but not most of them.
  if (!has_nul && count.characters >= 2 * count.stray) return mended_utf8(bytes);
  return std::nullopt;
}

std::optional<std::string> decode_text(std::string_view bytes, std::string_view declared) {
  if (std::optional<std::string> text = decode_certain(bytes, declared)) return text;
  const bool has_nul = bytes.find('\0') != std::string_view::npos;
  const Utf8Count count = count_utf8(bytes);
  const std::string guessed = guess_encoding(bytes);
  if (!guessed.empty()) return decode_from(bytes, guessed)->text;
  if (!has_nul && count.characters >= count.stray) return mended_utf8(bytes);
  // A text of ASCII with a few bytes that are damaged is still worth reading.
  constexpr std::size_t kMostDamaged = 50;
  const bool is_readable = (count.stray + count.characters) * kMostDamaged < bytes.size();
  return is_readable ? std::optional(valid_utf8(bytes)) : std::nullopt;
}

std::vector<std::string> usual_encodings() {
  std::vector<std::string> names = guessed_encodings();
  if (std::ranges::find(names, "UTF-8") == names.end()) names.insert(names.begin(), "UTF-8");
  return names;
}

std::string declared_encoding(std::string_view markup) {
  constexpr std::size_t kHead = 8192;
  const std::string_view head = markup.substr(0, kHead);
  std::string lower(head);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  std::size_t at = 0;
  return std::string(next_declared(head, lower, &at));
}

std::string declared_as_utf8(std::string markup) {
  std::string lower(markup);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  std::string out;
  std::size_t copied = 0;
  const std::string_view all = markup;
  for (std::size_t at = 0;;) {
    const std::string_view found = next_declared(all, lower, &at);
    if (found.empty()) break;
    const auto begin = static_cast<std::size_t>(found.data() - all.data());
    out += all.substr(copied, begin - copied);
    out += "utf-8";
    copied = begin + found.size();
  }
  return out += all.substr(copied);
}

}  // namespace fineprint
