// SentencePiece's map from characters to their normal form ("precompiled_charsmap").
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/normalizers.h"

namespace fineprint::tokenizer {

// A double-array trie over byte sequences. Its values are offsets into a text of replacements, each
// ended by a zero byte. It is applied to grapheme clusters of fewer than six bytes, and to the
// single characters of all other clusters and of those without an entry, as in the reference
// library.
// Source: Aoe, "An efficient digital search algorithm by using a double-array structure" (1989).
class CharacterMap : public Normalizer {
 public:
  // `table` consists of the trie's size in bytes (4 bytes, little-endian), the trie's units, and
  // the replacements. Throws Error(model) if it contradicts itself.
  explicit CharacterMap(std::string_view table);

  void apply(NormalText* text) const override;

 private:
  // Returns the replacement of the shortest prefix of `chunk` that the map contains.
  std::optional<std::string_view> find(std::string_view chunk) const;

  std::vector<std::uint32_t> units_;
  std::string replacements_;
};

// Decodes base64; returns nullopt if the text has other characters.
std::optional<std::string> decode_base64(std::string_view text);

}  // namespace fineprint::tokenizer
