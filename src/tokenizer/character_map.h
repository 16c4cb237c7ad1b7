// SentencePiece's table of characters and what they become ("precompiled_charsmap").
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tokenizer/normalizers.h"

namespace fineprint::tokenizer {

// A double-array trie over byte sequences whose values are places in a text of replacements, each
// ended by a zero byte. Applied to grapheme clusters of less than six bytes, and to the characters
// of all others and of those that the table lacks, as the reference does.
// Source: Aoe, "An efficient digital search algorithm by using a double-array structure" (1989).
class CharacterMap : public Normalizer {
 public:
  // `table`: the trie's size in bytes (4 bytes, little-endian), its units, the replacements.
  // Throws Error(model) when it contradicts itself.
  explicit CharacterMap(std::string_view table);

  void apply(NormalText* text) const override;

 private:
  // The replacement of the shortest beginning of `chunk` that the table holds.
  std::optional<std::string_view> find(std::string_view chunk) const;

  std::vector<std::uint32_t> units_;
  std::string replacements_;
};

// The bytes of a text in base 64; nullopt when it is none.
std::optional<std::string> decode_base64(std::string_view text);

}  // namespace fineprint::tokenizer
