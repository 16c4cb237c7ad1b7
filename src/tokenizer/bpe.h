// Byte-pair encoding: characters are joined pair by pair, the pair learnt earliest first.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tokenizer/pair_map.h"
#include "tokenizer/token_model.h"

namespace fineprint::tokenizer {

struct BpeOptions {
  std::optional<std::string> unknown;  // without one, unknown characters vanish
  std::string continuing_prefix;       // of characters that do not start a piece
  std::string end_suffix;              // of the character that ends a piece
  bool fuse_unknown = false;           // a run of unknown characters is one token
  bool byte_fallback = false;          // unknown characters as <0xNN> tokens, if all are there
  bool ignore_merges = false;          // a piece that is a token is taken whole
};

// Source: Sennrich et al. 2016; order and tie-breaking as in Hugging Face tokenizers.
class Bpe : public TokenModel {
 public:
  using Merges = std::vector<std::pair<std::string, std::string>>;

  // Throws Error(model) for a merge of or into tokens that the vocabulary lacks.
  Bpe(Vocabulary vocabulary, const Merges& merges, BpeOptions options);

  void tokenize(std::string_view text, const std::vector<Range>& pieces,
                std::vector<ModelToken>* out) const override;
  const Vocabulary& vocabulary() const override { return vocabulary_; }

 private:
  struct Merge {
    std::uint32_t rank = 0;
    std::int32_t id = 0;
  };
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
  // Joins symbols [begin, end) and appends the result as tokens from byte `*at` on.
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
  // The pairs of initial symbols that some merge puts side by side. Between two that are not in
  // here no token ever reaches across, so that long pieces fall into short ones.
  PairMap<bool> joints_;
  bool has_joints_ = false;
  std::vector<std::int32_t> characters_;      // id of a code point below U+10000, or -1
  std::array<std::int32_t, 256> byte_ids_{};  // of <0xNN>, or -1
};

}  // namespace fineprint::tokenizer
