// Byte-pair encoding: joins neighbouring symbols pair by pair, in the order in which merges were
// learnt.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tokenizer/pair_map.h"
#include "tokenizer/token_model.h"

namespace fineprint::tokenizer {

// The options of the model, with defaults as in tokenizer.json.
struct BpeOptions {
  std::optional<std::string> unknown;  // if absent, unknown characters are dropped
  std::string continuing_prefix;       // of characters that do not start a piece
  std::string end_suffix;              // of the character that ends a piece
  bool fuse_unknown = false;           // a run of unknown characters is one token
  // Unknown characters become <0xNN> tokens, if all of them exist.
  bool byte_fallback = false;
  bool ignore_merges = false;  // a piece that is a token is not split
};

// Source: Sennrich et al. 2016; order and ties as in Hugging Face tokenizers.
class Bpe : public TokenModel {
 public:
  using Merges = std::vector<std::pair<std::string, std::string>>;

  // Throws Error(model) if a merge needs or makes a token that the vocabulary lacks.
  Bpe(Vocabulary vocabulary, const Merges& merges, BpeOptions options);

  void tokenize(std::string_view text, const std::vector<Range>& pieces,
                std::vector<ModelToken>* out) const override;
  const Vocabulary& vocabulary() const override { return vocabulary_; }

 private:
  struct Merge {
    std::uint32_t rank = 0;
    std::int32_t id = 0;
  };
  // A token on its way to being joined.
  struct Symbol {
    std::int32_t id = 0;
    std::uint32_t length = 0;  // bytes of the text
  };
  struct Link;
  using Symbols = std::vector<Symbol>;

  void read_merges(const Merges& merges);
  void find_joints();
  void index_characters();
  std::int32_t id_of_character(std::string_view character, bool is_first, bool is_last) const;
  bool fall_back_to_bytes(std::string_view character, Symbols* out) const;
  std::int32_t unknown_id() const;
  void split_characters(std::string_view piece, Symbols* out) const;
  // Joins symbols [begin, end) and appends the result as tokens that start at byte `*at`, which
  // advances.
  void merge(const Symbols& symbols, std::size_t begin, std::size_t end, std::uint32_t* at,
             std::vector<ModelToken>* out) const;
  void merge_few(Symbol* symbols, std::size_t count, std::uint32_t* at,
                 std::vector<ModelToken>* out) const;
  void merge_many(const Symbol* symbols, std::size_t count, std::uint32_t* at,
                  std::vector<ModelToken>* out) const;

  Vocabulary vocabulary_;
  BpeOptions options_;
  PairMap<Merge> merges_;
  std::vector<std::pair<std::pair<std::int32_t, std::int32_t>, std::int32_t>> products_;
  // The pairs of initial symbols that some merge places next to each other. No token covers two
  // symbols without such a joint, so long pieces can be split there.
  PairMap<bool> joints_;
  bool has_joints_ = false;
  // Id of each code point below U+10000; -1 if it has none.
  std::vector<std::int32_t> characters_;
  std::array<std::int32_t, 256> byte_ids_{};  // id of <0xNN>; -1 if it has none
};

}  // namespace fineprint::tokenizer
