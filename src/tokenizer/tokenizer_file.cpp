// Reads tokenizer.json. Refuses what it does not support, because other ids would silently spoil
// results.
#include "tokenizer/tokenizer_file.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"

namespace fineprint::tokenizer {
namespace {

// Bytes; longer tokens would slow down the search in each text.
constexpr std::size_t kLongestAddedToken = 1024;

AddedToken read_added_token(const Part& part) {
  AddedToken token;
  token.content = part.text("content");
  token.id = part.field("id").id();
  token.special = part.flag("special", false);
  token.single_word = part.flag("single_word", false);
  token.lstrip = part.flag("lstrip", false);
  token.rstrip = part.flag("rstrip", false);
  token.normalized = part.flag("normalized", false);
  if (token.content.size() > kLongestAddedToken) {
    part.field("content").refuse(fineprint::format("is longer than {} bytes", kLongestAddedToken));
  }
  return token;
}

// Decides the id of an added token. A token that the model has keeps the model's id, as in the
// reference library. Deviation: other tokens get the id that the file gives them. The reference
// library counts on from the vocabulary's size, which gives the same number unless somebody has
// edited the file by hand.
void settle_id(const Part& part, const Vocabulary& vocabulary, std::size_t tokens,
               AddedToken* token) {
  if (const std::int32_t id = vocabulary.id_of(token->content); id >= 0) {
    token->id = id;
    return;
  }
  if (const std::string* owner = vocabulary.token_of(token->id)) {
    part.refuse(fineprint::format("gives {} the id {}, which model.vocab gives to {}",
                                  in_quotes(token->content), token->id, in_quotes(*owner)));
  }
  // Ids index tables, so one huge id must not allocate gigabytes.
  if (static_cast<std::size_t>(token->id) > 16 * tokens + 65536) {
    part.refuse(fineprint::format("has the id {}, far from those of the other {} tokens", token->id,
                                  tokens));
  }
}

std::vector<AddedToken> read_added_tokens(const Part& part, const TokenizerFile& file) {
  std::vector<AddedToken> out;
  if (part.is_null()) return out;
  const Vocabulary& vocabulary = file.model->vocabulary();
  std::unordered_map<std::int32_t, std::string> seen;
  std::unordered_set<std::string> contents;
  const std::vector<Part> items = part.list();
  for (const Part& item : items) {
    AddedToken token = read_added_token(item);
    if (token.content.empty()) continue;
    settle_id(item, vocabulary, vocabulary.entries().size() + items.size(), &token);
    // The pattern is found in normalized text, so it is normalized in the same way.
    NormalText pattern = raw_text(token.content, 0);
    if (token.normalized && file.normalizer != nullptr) file.normalizer->apply(&pattern);
    token.pattern = std::move(pattern.text);
    const auto [other, is_new] = seen.emplace(token.id, token.content);
    if (!is_new && other->second != token.content) {
      item.refuse(fineprint::format("gives {} the id {}, which {} has", in_quotes(token.content),
                                    token.id, in_quotes(other->second)));
    }
    // A repeated entry is harmless.
    if (!is_new) continue;
    if (!contents.insert(token.content).second) {
      item.refuse(
          fineprint::format("gives {} a second id, {}", in_quotes(token.content), token.id));
    }
    out.push_back(std::move(token));
  }
  return out;
}

TokenizerFile read_parts(const std::string& path) {
  // Repeated keys are refused, because readers disagree on which one wins.
  const Json document = parse_json(read_file(path), path, {.unique_keys = true});
  const Part root(document, "");
  if (!root.is_object()) throw Error(ErrorCode::model, "it is not a JSON object");
  TokenizerFile file;
  file.model = read_token_model(root.field("model"));
  file.normalizer = read_normalizer(root.field("normalizer"));
  file.pre_tokenizer = read_pre_tokenizer(root.field("pre_tokenizer"));
  file.added_tokens = read_added_tokens(root.field("added_tokens"), file);
  file.post_processor = read_post_processor(root.field("post_processor"));
  file.decoders = read_decoders(root.field("decoder"));
  return file;
}

}  // namespace

TokenPattern read_pattern(const Part& part) {
  const Part literal = part.field("String");
  const Part expression = part.field("Regex");
  if (literal.is_null() == expression.is_null()) {
    part.refuse("must be a String or a Regex");
  }
  try {
    return literal.is_null() ? TokenPattern::expression(expression.text())
                             : TokenPattern::literal(literal.text());
  } catch (const Error& error) {
    part.refuse(std::string("cannot be used: ") + error.what());
  }
}

TokenizerFile read_tokenizer_file(const std::string& path) {
  try {
    return read_parts(path);
  } catch (const Error& error) {
    throw Error(ErrorCode::model,
                fineprint::format("the tokenizer file {} cannot be used: {}", path, error.what()));
  }
}

}  // namespace fineprint::tokenizer
