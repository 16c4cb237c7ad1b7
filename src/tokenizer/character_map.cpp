// Looks up characters in SentencePiece's trie.
#include "tokenizer/character_map.h"

#include <cstring>
#include <memory>

#include <unicode/brkiter.h>
#include <unicode/utext.h>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/unicode.h"

namespace fineprint::tokenizer {
namespace {

// Bytes; longer clusters are looked up character by character only.
constexpr std::size_t kLeastKept = 6;

// The fields of a unit of the double-array trie (Darts-clone's layout).
bool has_leaf(std::uint32_t unit) { return ((unit >> 8) & 1) == 1; }
std::uint32_t value_of(std::uint32_t unit) { return unit & 0x7FFFFFFF; }
std::uint32_t label_of(std::uint32_t unit) { return unit & 0x800000FF; }
std::uint32_t offset_of(std::uint32_t unit) { return (unit >> 10) << ((unit & 0x200) >> 6); }

std::uint32_t read_u32(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (int i = 3; i >= 0; --i) {
    value = value << 8 | static_cast<unsigned char>(bytes[at + static_cast<std::size_t>(i)]);
  }
  return value;
}

// Returns the byte offsets at which grapheme clusters end.
std::vector<std::size_t> cluster_ends(const std::string& text) {
  UErrorCode status = U_ZERO_ERROR;
  // One for each thread, because the iterator holds the text that is being split.
  thread_local const std::unique_ptr<icu::BreakIterator> breaks(
      icu::BreakIterator::createCharacterInstance(icu::Locale::getRoot(), status));
  UText view = UTEXT_INITIALIZER;
  utext_openUTF8(&view, text.data(), static_cast<std::int64_t>(text.size()), &status);
  if (U_SUCCESS(status)) breaks->setText(&view, status);
  if (U_FAILURE(status)) {
    throw Error(ErrorCode::internal,
                fineprint::format("ICU cannot split text into characters ({}); "
                                  "reinstall libicu",
                                  u_errorName(status)));
  }
  std::vector<std::size_t> ends;
  breaks->first();
  for (auto end = breaks->next(); end != icu::BreakIterator::DONE; end = breaks->next()) {
    ends.push_back(static_cast<std::size_t>(end));
  }
  utext_close(&view);
  return ends;
}

// Appends the replacement of bytes [begin, end). As in the reference library, new characters get
// the origins of old ones in order. Additional new characters get the last origin; additional old
// ones get lost.
void append_replacement(std::string_view replacement, const NormalText& text, std::size_t begin,
                        std::size_t end, NormalText* out) {
  std::size_t old = begin;
  for (std::size_t at = 0; at < replacement.size();) {
    const std::size_t start = at;
    next_code_point(replacement, &at);
    out->append(replacement.substr(start, at - start), text.origins[old]);
    std::size_t next = old;
    next_code_point(text.text, &next);
    if (next < end) old = next;
  }
}

}  // namespace

CharacterMap::CharacterMap(std::string_view table) {
  constexpr std::size_t kUnit = sizeof(std::uint32_t);
  const std::size_t trie = table.size() < kUnit ? 0 : read_u32(table, 0);
  if (table.size() < kUnit || trie % kUnit != 0 || trie < kUnit || trie > table.size() - kUnit) {
    throw Error(ErrorCode::model, fineprint::format("the character map ({} bytes) does not "
                                                    "contain the trie that its header announces",
                                                    table.size()));
  }
  for (std::size_t at = kUnit; at < kUnit + trie; at += kUnit) {
    units_.push_back(read_u32(table, at));
  }
  replacements_ = valid_utf8(table.substr(kUnit + trie));
  if (replacements_ != table.substr(kUnit + trie)) {
    throw Error(ErrorCode::model, "the replacements in the character map are not UTF-8");
  }
}

std::optional<std::string_view> CharacterMap::find(std::string_view chunk) const {
  std::uint32_t node = offset_of(units_[0]);
  for (const char c : chunk) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte == 0) break;
    node ^= byte;
    // Checked against the size, because the table comes from a file and may be damaged.
    if (node >= units_.size() || label_of(units_[node]) != byte) break;
    const bool is_key = has_leaf(units_[node]);
    node ^= offset_of(units_[node]);
    if (!is_key || node >= units_.size()) continue;
    const std::size_t begin = value_of(units_[node]);
    if (begin >= replacements_.size()) return std::nullopt;
    return std::string_view(replacements_)
        // Replacements end with a zero byte.
        .substr(begin, std::strlen(replacements_.c_str() + begin));
  }
  return std::nullopt;
}

void CharacterMap::apply(NormalText* text) const {
  NormalText out;
  out.first = text->first;
  std::size_t begin = 0;
  for (const std::size_t end : cluster_ends(text->text)) {
    const std::string_view cluster = std::string_view(text->text).substr(begin, end - begin);
    // Short clusters may have an entry of their own, for example a letter with its accent.
    const auto whole = cluster.size() < kLeastKept ? find(cluster) : std::nullopt;
    if (whole) {
      append_replacement(*whole, *text, begin, end, &out);
    } else {
      for (std::size_t at = 0; at < cluster.size();) {
        const std::size_t start = at;
        next_code_point(cluster, &at);
        const std::string_view character = cluster.substr(start, at - start);
        append_replacement(find(character).value_or(character), *text, begin + start, begin + at,
                           &out);
      }
    }
    begin = end;
  }
  *text = std::move(out);
}

std::optional<std::string> decode_base64(std::string_view text) {
  static constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string out;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    out.push_back(static_cast<char>(bits >> count & 0xFF));
  }
  return out;
}

}  // namespace fineprint::tokenizer
