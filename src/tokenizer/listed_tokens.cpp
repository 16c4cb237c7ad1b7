// Builds tokenizers from files that list their tokens and only name the other components.
#include "fineprint/tokenizer/listed_tokens.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/unicode.h"

#include "tokenizer/bpe.h"
#include "tokenizer/character_map.h"
#include "tokenizer/tokenizer_file.h"
#include "tokenizer/unigram.h"
#include "tokenizer/wordpiece.h"

namespace fineprint::tokenizer {
namespace {

// A pre-tokenizer that GGUF files only name. Its components are written as in the tokenizer.json of
// the models that use it.
struct NamedPreTokenizer {
  std::vector<std::string_view> names;  // as GGUF files write them
  std::string_view normalizer, pre_tokenizer;
  bool ignore_merges = false;
};

// Splits words as GPT-2 does.
constexpr std::string_view kGpt2Cut =
    R"({"type":"ByteLevel","add_prefix_space":false,"use_regex":true})";
// The same, with each digit separate.
constexpr std::string_view kDigitsCut =
    R"({"type":"Sequence","pretokenizers":[{"type":"Digits","individual_digits":true},
        {"type":"ByteLevel","add_prefix_space":false,"use_regex":true}]})";
// Splits numbers into groups of up to three digits.
constexpr std::string_view kLlama3Cut =
    R"({"type":"Sequence","pretokenizers":[{"type":"Split","pattern":{"Regex":
        "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"},
        "behavior":"Isolated","invert":false},
        {"type":"ByteLevel","add_prefix_space":false,"use_regex":false}]})";
// Splits where a capital follows a small letter, and numbers into groups of up to three digits.
constexpr std::string_view kGpt4oCut =
    R"({"type":"Sequence","pretokenizers":[{"type":"Split","pattern":{"Regex":
        "[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]+[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"},
        "behavior":"Isolated","invert":false},
        {"type":"ByteLevel","add_prefix_space":false,"use_regex":false}]})";
// The same without English endings, and with each digit separate.
constexpr std::string_view kTekkenCut =
    R"({"type":"Sequence","pretokenizers":[{"type":"Split","pattern":{"Regex":
        "[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]*[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]+|[^\\r\\n\\p{L}\\p{N}]?[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]+[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]*|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"},
        "behavior":"Isolated","invert":false},
        {"type":"ByteLevel","add_prefix_space":false,"use_regex":false}]})";
// Splits numbers into single digits.
constexpr std::string_view kQwen2Cut =
    R"({"type":"Sequence","pretokenizers":[{"type":"Split","pattern":{"Regex":
        "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"},
        "behavior":"Isolated","invert":false},
        {"type":"ByteLevel","add_prefix_space":false,"use_regex":false}]})";

// The same, but combining marks count as letters.
constexpr std::string_view kQwen35Cut =
    R"({"type":"Sequence","pretokenizers":[{"type":"Split","pattern":{"Regex":
        "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?[\\p{L}\\p{M}]+|\\p{N}| ?[^\\s\\p{L}\\p{M}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"},
        "behavior":"Isolated","invert":false},
        {"type":"ByteLevel","add_prefix_space":false,"use_regex":false}]})";

const std::vector<NamedPreTokenizer>& named_pre_tokenizers() {
  static const std::vector<NamedPreTokenizer> kNamed{
      {{"gpt-2", "default", "roberta-bpe"}, "null", kGpt2Cut},
      {{"smollm", "starcoder", "refact", "command-r"}, "null", kDigitsCut},
      {{"llama-bpe", "llama3", "llama-v3", "falcon3", "pixtral", "lfm2"}, "null", kLlama3Cut, true},
      // Phi-4's and SmolLM3's: cut in the same way, but every word is merged.
      {{"dbrx", "smaug-bpe"}, "null", kLlama3Cut},
      {{"qwen2", "deepseek-r1-qwen"}, R"({"type":"NFC"})", kQwen2Cut},
      {{"qwen35"}, R"({"type":"NFC"})", kQwen35Cut},
      {{"gpt-4o", "llama4", "kanana2"}, "null", kGpt4oCut},
      {{"tekken"}, "null", kTekkenCut, true},
  };
  return kNamed;
}

const NamedPreTokenizer& find_pre_tokenizer(const std::string& name) {
  std::string known;
  for (const NamedPreTokenizer& named : named_pre_tokenizers()) {
    if (std::ranges::find(named.names, name) != named.names.end()) return named;
    known += (known.empty() ? "" : ", ") + std::string(named.names.front());
  }
  throw Error(ErrorCode::model,
              fineprint::format("the pre-tokenizer {} is not supported (supported: {})",
                                in_quotes(name), known));
}

// Components are read from JSON, so that both kinds of files share their code and checks.
template <class Component>
Component read_component(std::string_view json, Component (*read)(const Part&)) {
  const Json document = parse_json(json, "component");
  return read(Part(document, ""));
}

TokenKind kind_of(const ListedTokens& listed, std::size_t id) {
  return listed.kinds.empty() ? TokenKind::normal : listed.kinds[id];
}

void check_lists(const ListedTokens& listed) {
  const std::size_t count = listed.tokens.size();
  if (count == 0) throw Error(ErrorCode::model, "it lists no tokens");
  const auto check_count = [&](std::size_t found, const char* what) {
    if (found == count) return;
    throw Error(ErrorCode::model,
                fineprint::format("it lists {} tokens, but {} {}", count, found, what));
  };
  if (!listed.kinds.empty()) check_count(listed.kinds.size(), "token types");
  const bool scored = listed.model == "llama" || listed.model == "t5";
  if (scored) check_count(listed.scores.size(), "token scores");
  for (const std::int32_t id : {listed.begin, listed.end, listed.unknown}) {
    if (id >= 0 && static_cast<std::size_t>(id) >= count) {
      throw Error(ErrorCode::model,
                  fineprint::format("it refers to token {}, but lists only {} tokens", id, count));
    }
  }
}

Vocabulary listed_vocabulary(const ListedTokens& listed) {
  Vocabulary::Entries entries;
  std::unordered_set<std::string_view> seen;
  for (std::size_t id = 0; id < listed.tokens.size(); ++id) {
    const std::string& token = listed.tokens[id];
    // Messages and JSON need valid text, and no input contains invalid bytes.
    if (valid_utf8(token) != token) {
      throw Error(ErrorCode::model, fineprint::format("token {} is not UTF-8", id));
    }
    if (!seen.insert(token).second) {
      throw Error(ErrorCode::model,
                  fineprint::format("token {} ({}) is listed twice", id, in_quotes(token)));
    }
    entries.emplace_back(token, static_cast<std::int32_t>(id));
  }
  return Vocabulary(std::move(entries));
}

Bpe::Merges listed_merges(const ListedTokens& listed) {
  Bpe::Merges merges;
  for (const std::string& merge : listed.merges) {
    // From 1 on, because a token may itself be a blank.
    const std::size_t blank = merge.find(' ', 1);
    if (blank == std::string::npos || blank + 1 == merge.size()) {
      throw Error(
          ErrorCode::model,
          fineprint::format("merge {} must be two tokens separated by a blank", in_quotes(merge)));
    }
    merges.emplace_back(merge.substr(0, blank), merge.substr(blank + 1));
  }
  return merges;
}

// Returns every way of making one token of two, the most likely token first. Ties are resolved as
// in the converter of Hugging Face's transformers, so that the ids agree.
Bpe::Merges scored_merges(const ListedTokens& listed) {
  // Only normal tokens take part: control and byte tokens are never the result of a merge.
  std::unordered_map<std::string_view, std::size_t> places;
  for (std::size_t id = 0; id < listed.tokens.size(); ++id) {
    if (kind_of(listed, id) == TokenKind::normal) places.emplace(listed.tokens[id], id);
  }
  struct Scored {
    double score;
    std::string_view left, right;
  };
  std::vector<Scored> scored;
  for (const auto& [token, id] : places) {
    for (std::size_t cut = 1; cut < token.size(); ++cut) {
      // Not between characters.
      if ((static_cast<unsigned char>(token[cut]) & 0xC0) == 0x80) continue;
      const std::string_view left = token.substr(0, cut), right = token.substr(cut);
      if (places.contains(left) && places.contains(right)) {
        scored.push_back({listed.scores[id], left, right});
      }
    }
  }
  std::ranges::sort(scored, [](const Scored& a, const Scored& b) {
    return std::tuple(b.score, b.left.size(), b.right.size(), a.left, a.right) <
           std::tuple(a.score, a.left.size(), a.right.size(), b.left, b.right);
  });
  Bpe::Merges merges;
  for (const Scored& pair : scored) merges.emplace_back(pair.left, pair.right);
  return merges;
}

// Control, unknown and user-defined tokens are found in texts before the model runs.
std::vector<AddedToken> listed_added_tokens(const ListedTokens& listed) {
  std::vector<AddedToken> added;
  for (std::size_t id = 0; id < listed.tokens.size(); ++id) {
    const TokenKind kind = kind_of(listed, id);
    const bool special = kind == TokenKind::control || kind == TokenKind::unknown;
    if ((!special && kind != TokenKind::user_defined) || listed.tokens[id].empty()) continue;
    AddedToken token;
    token.content = token.pattern = listed.tokens[id];
    token.id = static_cast<std::int32_t>(id);
    token.special = special;
    token.rstrip = kind == TokenKind::control && listed.control_takes_blanks &&
                   listed.tokens[id] != "<s>" && listed.tokens[id] != "<|endoftext|>";
    added.push_back(std::move(token));
  }
  return added;
}

// The begin and end tokens go around each of the texts, not only around the pair. BERT puts one end
// token between the texts of a pair, and XLM-R two; neither begins the second text.
PostProcessor around_texts(const ListedTokens& listed) {
  using Kind = TemplateStep::Kind;
  PostProcessor out;
  out.single.clear();
  out.pair.clear();
  const auto put = [&](std::int32_t id, std::vector<TemplateStep>* steps) {
    if (id >= 0) steps->push_back({Kind::special, {id}, 0});
  };
  for (auto* steps : {&out.single, &out.pair}) {
    put(listed.begin, steps);
    steps->push_back({Kind::first, {}, 0});
    put(listed.end, steps);
  }
  const bool of_bert = listed.model == "bert", of_xlmr = listed.model == "t5";
  if (of_xlmr) {
    put(listed.end, &out.pair);
  } else if (!of_bert) {
    put(listed.begin, &out.pair);
  }
  out.pair.push_back({Kind::second, {}, of_xlmr ? 0 : 1});
  put(listed.end, &out.pair);
  if (of_bert && listed.end >= 0) out.pair.back().type = 1;
  return out;
}

TokenizerFile byte_pairs(const ListedTokens& listed) {
  const NamedPreTokenizer& named = find_pre_tokenizer(listed.pre_tokenizer);
  // Byte-level BPE, as GPT-2, Llama 3 and Qwen use it.
  TokenizerFile file;
  file.normalizer = read_component(named.normalizer, read_normalizer);
  file.pre_tokenizer = read_component(named.pre_tokenizer, read_pre_tokenizer);
  BpeOptions options;
  options.ignore_merges = named.ignore_merges;
  file.model =
      std::make_unique<Bpe>(listed_vocabulary(listed), listed_merges(listed), std::move(options));
  file.decoders = read_component(R"({"type":"ByteLevel"})", read_decoders);
  return file;
}

TokenizerFile scored_pairs(const ListedTokens& listed) {
  constexpr std::string_view kReplace =
      R"({"type":"Replace","pattern":{"String":" "},"content":"▁"})";
  // SentencePiece's BPE: blanks become "▁", and decoding reverses that.
  TokenizerFile file;
  const std::string normalizer = listed.blank_before
                                     ? fineprint::format(R"({{"type":"Sequence","normalizers":[
                {{"type":"Prepend","prepend":"▁"}},{}]}})",
                                                         kReplace)
                                     : std::string(kReplace);
  file.normalizer = read_component(normalizer, read_normalizer);
  BpeOptions options;
  for (std::size_t id = 0; id < listed.tokens.size(); ++id) {
    if (kind_of(listed, id) == TokenKind::unknown) options.unknown = listed.tokens[id];
  }
  options.fuse_unknown = options.byte_fallback = true;
  file.model =
      std::make_unique<Bpe>(listed_vocabulary(listed), scored_merges(listed), std::move(options));
  const std::string strip =
      listed.blank_before ? R"(,{"type":"Strip","content":" ","start":1,"stop":0})" : "";
  file.decoders =
      read_component(fineprint::format(R"({{"type":"Sequence","decoders":[{{"type":"Replace",
          "pattern":{{"String":"▁"}},"content":" "}},{{"type":"ByteFallback"}},
          {{"type":"Fuse"}}{}]}})",
                                       strip),
                     read_decoders);
  return file;
}

constexpr std::string_view kWordMark = "▁";

// Returns the piece as the tokenizer.json of the same model writes it: "##" marks pieces that
// continue a word, whereas the listed form marks pieces that start one.
std::string piece_of(const std::string& token, TokenKind kind) {
  const bool marked = token.starts_with('[') && token.ends_with(']');
  if (marked || (kind != TokenKind::normal && kind != TokenKind::unknown)) return token;
  if (token.starts_with(kWordMark)) return token.substr(kWordMark.size());
  return "##" + token;
}

void expect_unknown(const ListedTokens& listed) {
  if (listed.unknown >= 0) return;
  throw Error(ErrorCode::model, "it names no unknown token, which this kind of tokenizer needs");
}

bool has_capital(const std::string& piece) {
  return std::ranges::any_of(piece, [](char c) { return c >= 'A' && c <= 'Z'; });
}

// BERT's WordPiece.
TokenizerFile word_pieces(const ListedTokens& listed) {
  expect_unknown(listed);
  ListedTokens pieces = listed;
  // GGUF files may not say whether text is lower-cased. A vocabulary without capitals shows that it
  // is.
  bool capitals = false;
  for (std::size_t id = 0; id < listed.tokens.size(); ++id) {
    const std::string& token = listed.tokens[id];
    pieces.tokens[id] = piece_of(token, kind_of(listed, id));
    capitals = capitals || (pieces.tokens[id] != token && has_capital(token));
  }
  const bool lower_case = listed.lower_case.value_or(!capitals);
  TokenizerFile file;
  file.normalizer =
      read_component(fineprint::format(R"({{"type":"BertNormalizer","clean_text":true,
          "handle_chinese_chars":true,"strip_accents":{},"lowercase":{}}})",
                                       listed.strip_accents.value_or(lower_case), lower_case),
                     read_normalizer);
  file.pre_tokenizer = read_component(R"({"type":"BertPreTokenizer"})", read_pre_tokenizer);
  WordPieceOptions options;
  options.unknown = pieces.tokens[static_cast<std::size_t>(listed.unknown)];
  file.model = std::make_unique<WordPiece>(listed_vocabulary(pieces), std::move(options));
  file.decoders =
      read_component(R"({"type":"WordPiece","prefix":"##","cleanup":true})", read_decoders);
  return file;
}

// Returns the scores, with one that affects no other for tokens that no text contains. The largest
// one does: unknown characters are scored below the smallest.
std::vector<double> scores_of_pieces(const ListedTokens& listed) {
  std::vector<double> scores = listed.scores;
  double most = 0;
  for (const double score : scores) {
    if (!std::isfinite(score))
      throw Error(ErrorCode::model, "it lists a score that is not a number");
    most = std::max(most, score);
  }
  for (std::size_t id = 0; id < scores.size(); ++id) {
    const TokenKind kind = kind_of(listed, id);
    if (kind != TokenKind::normal && kind != TokenKind::user_defined) scores[id] = most;
  }
  return scores;
}

// SentencePiece's Unigram.
TokenizerFile likeliest_pieces(const ListedTokens& listed) {
  expect_unknown(listed);
  TokenizerFile file;
  if (!listed.character_map.empty()) {
    file.normalizer = std::make_unique<CharacterMap>(listed.character_map);
  }
  file.pre_tokenizer = read_component(
      R"({"type":"Sequence","pretokenizers":[{"type":"WhitespaceSplit"},
          {"type":"Metaspace","replacement":"▁","prepend_scheme":"always","split":true}]})",
      read_pre_tokenizer);
  file.model = std::make_unique<Unigram>(listed_vocabulary(listed), scores_of_pieces(listed),
                                         listed.unknown);
  file.decoders = read_component(
      R"({"type":"Metaspace","replacement":"▁","prepend_scheme":"always","split":true})",
      read_decoders);
  return file;
}

struct ListedModel {
  std::string_view name;
  TokenizerFile (*make)(const ListedTokens&);
};

// The names that GGUF files use (tokenizer.ggml.model).
constexpr std::array<ListedModel, 4> kListedModels{{
    {"gpt2", byte_pairs},
    {"llama", scored_pairs},
    {"bert", word_pieces},
    {"t5", likeliest_pieces},
}};

}  // namespace

std::unique_ptr<Tokenizer> make_tokenizer(const ListedTokens& listed) {
  check_lists(listed);
  const auto model = std::ranges::find(kListedModels, listed.model, &ListedModel::name);
  if (model == kListedModels.end()) {
    throw Error(
        ErrorCode::model,
        fineprint::format("tokenizers of kind {} are not supported (supported: gpt2, llama, "
                          "bert, t5)",
                          in_quotes(listed.model)));
  }
  TokenizerFile file = model->make(listed);
  file.added_tokens = listed_added_tokens(listed);
  file.post_processor = around_texts(listed);
  return assemble(std::move(file));
}

}  // namespace fineprint::tokenizer
