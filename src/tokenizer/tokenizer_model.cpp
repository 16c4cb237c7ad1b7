// Reads the model of a tokenizer.json: its vocabulary, merges and options.
#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "tokenizer/bpe.h"
#include "tokenizer/tokenizer_file.h"
#include "tokenizer/unigram.h"
#include "tokenizer/wordpiece.h"

namespace fineprint::tokenizer {
namespace {

// Reads the vocabulary. Ids must be unique, and close enough to each other to index tables.
Vocabulary read_vocabulary(const Part& part) {
  if (!part.is_object()) part.refuse("must be an object of tokens and ids");
  Vocabulary::Entries entries;
  const Json& tokens = part.value();
  // Generous: some vocabularies have gaps, but the table must not take gigabytes for one wrong id.
  const std::size_t limit = 16 * tokens.size() + 65536;
  std::vector<bool> is_taken;
  entries.reserve(tokens.size());
  for (const auto& [token, value] : tokens.items()) {
    // Made only for messages: a name for each of a vocabulary's tokens takes most of the time.
    const auto item = [&] { return Part(value, part.path() + "[" + in_quotes(token) + "]"); };
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > limit) {
      const std::int32_t far = item().id();
      item().refuse(
          fineprint::format("is {}, far from the ids of the other {} tokens", far, tokens.size()));
    }
    const auto id = value.get<std::int32_t>();
    const auto place = static_cast<std::size_t>(id);
    if (is_taken.size() <= place) is_taken.resize(std::max(place + 1, 2 * is_taken.size()));
    if (is_taken[place]) item().refuse(fineprint::format("is {}, the id of another token", id));
    is_taken[place] = true;
    entries.emplace_back(token, id);
  }
  return Vocabulary(std::move(entries));
}

std::pair<std::string, std::string> read_merge(const Part& part) {
  // Newer files write merges as pairs, older ones as one string.
  if (part.value().is_array()) {
    const std::vector<Part> items = part.list();
    if (items.size() != 2) part.refuse("must be a pair of tokens");
    return {items[0].text(), items[1].text()};
  }
  const std::string text = part.text();
  const std::size_t blank = text.find(' ');
  if (blank == std::string::npos || text.find(' ', blank + 1) != std::string::npos) {
    part.refuse(
        fineprint::format("must be two tokens separated by a blank, not {}", in_quotes(text)));
  }
  return {text.substr(0, blank), text.substr(blank + 1)};
}

Bpe::Merges merges_of(const Part& part) {
  Bpe::Merges out;
  for (const Part& item : part.list()) {
    // Files that were converted from merges.txt may contain its first line.
    const bool is_header = item.value().is_string() && item.text().starts_with("#version");
    if (!is_header) out.push_back(read_merge(item));
  }
  return out;
}

std::unique_ptr<TokenModel> read_bpe(const Part& part) {
  const Part dropout = part.field("dropout");
  const bool is_random =
      !dropout.is_null() && !(dropout.value().is_number() && dropout.value() == 0);
  // Dropout is for training only.
  if (is_random) dropout.refuse("is set: its encodings would be random");
  BpeOptions options;
  if (!part.field("unk_token").is_null()) options.unknown = part.text("unk_token");
  options.continuing_prefix = part.text("continuing_subword_prefix", "");
  options.end_suffix = part.text("end_of_word_suffix", "");
  options.fuse_unknown = part.flag("fuse_unk", false);
  options.byte_fallback = part.flag("byte_fallback", false);
  options.ignore_merges = part.flag("ignore_merges", false);
  return std::make_unique<Bpe>(read_vocabulary(part.field("vocab")),
                               merges_of(part.field("merges")), std::move(options));
}

std::unique_ptr<TokenModel> read_wordpiece(const Part& part) {
  WordPieceOptions options;
  options.unknown = part.text("unk_token", "[UNK]");
  options.continuing_prefix = part.text("continuing_subword_prefix", "##");
  options.max_input_chars_per_word = part.count("max_input_chars_per_word", 100);
  Vocabulary vocabulary = read_vocabulary(part.field("vocab"));
  if (vocabulary.id_of(options.unknown) < 0) {
    part.field("vocab").refuse(
        fineprint::format("lacks the unknown token {}", in_quotes(options.unknown)));
  }
  return std::make_unique<WordPiece>(std::move(vocabulary), std::move(options));
}

// Reads [[piece, score], ...]. The place of a piece is its id.
std::unique_ptr<TokenModel> read_unigram(const Part& part) {
  // Refused, because the Unigram model here has no byte tokens to fall back to.
  if (part.flag("byte_fallback", false)) {
    part.field("byte_fallback").refuse("is set, which is not supported for Unigram models");
  }
  Vocabulary::Entries entries;
  std::vector<double> scores;
  std::unordered_set<std::string> seen;
  for (const Part& item : part.field("vocab").list()) {
    const std::vector<Part> pair = item.list();
    const bool is_pair = pair.size() == 2 && pair[1].value().is_number();
    if (!is_pair) item.refuse("must be a piece and its score");
    std::string piece = pair[0].text();
    if (!seen.insert(piece).second) item.refuse("is a piece that is listed twice");
    entries.emplace_back(std::move(piece), static_cast<std::int32_t>(scores.size()));
    scores.push_back(pair[1].value().get<double>());
    if (!std::isfinite(scores.back())) item.refuse("has a score that is not a number");
  }
  const Part unknown = part.field("unk_id");
  if (unknown.is_null()) unknown.refuse("is missing; unknown characters would have no token");
  const std::int32_t id = unknown.id();
  if (static_cast<std::size_t>(id) >= scores.size()) unknown.refuse("is not in the vocabulary");
  return std::make_unique<Unigram>(Vocabulary(std::move(entries)), std::move(scores), id);
}

}  // namespace

std::unique_ptr<TokenModel> read_token_model(const Part& part) {
  if (part.is_null()) part.refuse("is missing");
  std::string type = part.type();
  // Early files have no type, so it is derived from the fields that only one model has.
  if (type.empty() && !part.field("merges").is_null()) type = "BPE";
  if (type.empty() && !part.field("max_input_chars_per_word").is_null()) type = "WordPiece";
  if (type == "BPE") return read_bpe(part);
  if (type.empty() && !part.field("unk_id").is_null()) type = "Unigram";
  if (type == "Unigram") return read_unigram(part);
  if (type == "WordPiece") return read_wordpiece(part);
  part.refuse_type();
}

}  // namespace fineprint::tokenizer
