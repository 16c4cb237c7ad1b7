// Compares a tokenizer with the encodings and decodings of the reference.
#include <functional>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/models/verify.h"
#include "fineprint/tokenizer/tokenizer.h"

namespace fineprint::models {
namespace {

using tokenizer::Token;
using tokenizer::Tokenizer;

// Computes our value for one entry of expected.json.
using Ours = std::function<Json(const Tokenizer&, const Json& item)>;

// A field of the entries of one list, and how we compute it.
struct Field {
  const char* list;
  const char* field;
  Ours ours;
};

Json ids_of(const std::vector<Token>& tokens) {
  Json ids = Json::array();
  for (const Token& token : tokens) ids.push_back(token.id);
  return ids;
}

Json types_of(const std::vector<Token>& tokens) {
  Json types = Json::array();
  for (const Token& token : tokens) types.push_back(token.type);
  return types;
}

Json offsets_of(const std::vector<Token>& tokens) {
  Json offsets = Json::array();
  for (const Token& token : tokens) offsets.push_back({token.begin, token.end});
  return offsets;
}

std::string text_of_item(const Json& item) { return item.at("text").get<std::string>(); }

std::vector<Token> pair_of(const Tokenizer& tokenizer, const Json& item) {
  return tokenizer.encode_pair(item.at("a").get<std::string>(), item.at("b").get<std::string>());
}

std::string decoded(const Tokenizer& tokenizer, const Json& ids, bool skip_special) {
  return tokenizer.decode(ids.get<std::vector<std::int32_t>>(), skip_special);
}

// Random ids are decoded too, because texts only reach sequences that the tokenizer itself makes.
const std::vector<Field>& fields() {
  using T = Tokenizer;
  static const std::vector<Field> table = {
      {"encode", "ids",
       [](const T& t, const Json& i) { return ids_of(t.encode(text_of_item(i), false)); }},
      {"encode", "ids_with_special",
       [](const T& t, const Json& i) { return ids_of(t.encode(text_of_item(i), true)); }},
      {"encode", "offsets",
       [](const T& t, const Json& i) { return offsets_of(t.encode(text_of_item(i), false)); }},
      {"encode", "decoded",
       [](const T& t, const Json& i) { return Json(decoded(t, i.at("ids"), false)); }},
      {"encode", "decoded_skip_special",
       [](const T& t, const Json& i) { return Json(decoded(t, i.at("ids_with_special"), true)); }},
      {"decode_random_ids", "decoded",
       [](const T& t, const Json& i) { return Json(decoded(t, i.at("ids"), false)); }},
      {"decode_random_ids", "decoded_skip_special",
       [](const T& t, const Json& i) { return Json(decoded(t, i.at("ids"), true)); }},
      {"encode_pair", "ids", [](const T& t, const Json& i) { return ids_of(pair_of(t, i)); }},
      {"encode_pair", "type_ids",
       [](const T& t, const Json& i) { return types_of(pair_of(t, i)); }},
  };
  return table;
}

// Returns the beginning of a value, cut at a whole character.
std::string excerpt(const Json& value) {
  constexpr std::size_t kLongest = 100;
  std::string text = dump_json(value);
  if (text.size() <= kLongest) return text;
  std::size_t end = kLongest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end) + "...";
}

std::string difference(std::size_t index, const Json& item, const Json& expected,
                       const Json& ours) {
  const auto text = item.contains("text") ? item.at("text")
                    : item.contains("a")  ? Json({item.at("a"), item.at("b")})
                                          : item.at("ids");
  return format("entry {}, {}: expected {}, got {}", index, excerpt(text), excerpt(expected),
                excerpt(ours));
}

TensorCheck check_field(const Tokenizer& tokenizer, const Field& field, const Json& items) {
  TensorCheck check;
  check.name = format("{}.{}", field.list, field.field);
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto expected = items[i].find(field.field);
    // Entries need not have every field, for example offsets.
    if (expected == items[i].end()) continue;
    const Json ours = field.ours(tokenizer, items[i]);
    ++check.elements;
    if (ours == *expected) continue;
    // The first difference is enough for people; the count says how many there are.
    if (check.max_absolute == 0) check.note = difference(i, items[i], *expected, ours);
    check.max_absolute += 1;
  }
  check.passed = check.max_absolute == 0;
  return check;
}

std::vector<TensorCheck> check_all(const Tokenizer& tokenizer, const Json& expected) {
  std::vector<TensorCheck> checks;
  for (const Field& field : fields()) {
    const auto items = expected.find(field.list);
    // A case need not have every list: few tokenizers read pairs.
    if (items == expected.end()) continue;
    TensorCheck check = check_field(tokenizer, field, *items);
    if (check.elements > 0) checks.push_back(std::move(check));
  }
  return checks;
}

}  // namespace

CaseReport verify_tokenizer(const CaseFacts& facts) {
  const std::string path = facts.dir + "/expected.json";
  const Json expected = parse_json(read_file(path), path);
  const auto tokenizer = Tokenizer::load(facts.model_dir + "/tokenizer.json");
  CaseReport report;
  report.dir = facts.dir;
  report.name = facts.name;
  report.kind = "tokenizer";
  try {
    report.checks = check_all(*tokenizer, expected);
  } catch (const Json::exception& error) {  // a key is missing or of another type
    throw Error(ErrorCode::input,
                format("{}: not the expected values of a tokenizer: {}", path, error.what()));
  }
  // A case that compares nothing must not pass.
  if (report.checks.empty()) {
    throw Error(ErrorCode::input, format("{}: contains nothing to compare", path));
  }
  return report;
}

}  // namespace fineprint::models
