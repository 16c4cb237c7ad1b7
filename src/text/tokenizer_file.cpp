// Reads tokenizer.json and refuses what is not understood, rather than tokenize differently.
#include "text/tokenizer_file.h"

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"

namespace fineprint::text {
namespace {

[[noreturn]] void refuse(const std::string& reason) { throw Error(ErrorCode::model, reason); }

void require_type(const Json& part, std::string_view name, std::string_view type) {
  const std::string found = part.is_object() ? part.value("type", "nothing") : "nothing";
  if (found != type) {
    refuse(fineprint::format("its {} is {}, and only {} is understood", name, found, type));
  }
}

NormalizerOptions read_normalizer(const Json& part) {
  require_type(part, "normalizer", "BertNormalizer");
  NormalizerOptions options;
  options.clean_text = part.value("clean_text", true);
  options.handle_chinese_chars = part.value("handle_chinese_chars", true);
  options.lowercase = part.value("lowercase", true);
  const auto strip = part.find("strip_accents");
  const bool is_set = strip != part.end() && !strip->is_null();
  options.strip_accents = is_set ? strip->get<bool>() : options.lowercase;
  return options;
}

std::vector<AddedToken> read_added_tokens(const Json& list) {
  std::vector<AddedToken> out;
  for (const Json& item : list) {
    AddedToken token;
    token.content = item.at("content").get<std::string>();
    token.id = item.at("id").get<std::int32_t>();
    token.special = item.value("special", false);
    token.single_word = item.value("single_word", false);
    token.lstrip = item.value("lstrip", false);
    token.rstrip = item.value("rstrip", false);
    if (item.value("normalized", false)) {
      refuse(
          fineprint::format("its added token \"{}\" is to be found in normalised text, and only "
                            "tokens found in raw text are understood",
                            token.content));
    }
    out.push_back(std::move(token));
  }
  return out;
}

std::vector<TemplateStep> read_template(const Json& steps, const Json& special_tokens) {
  std::vector<TemplateStep> out;
  for (const Json& step : steps) {
    TemplateStep read;
    if (const auto special = step.find("SpecialToken"); special != step.end()) {
      const std::string name = special->at("id").get<std::string>();
      read.kind = TemplateStep::Kind::special;
      read.ids = special_tokens.at(name).at("ids").get<std::vector<std::int32_t>>();
      read.type = special->value("type_id", 0);
    } else {
      const Json& sequence = step.at("Sequence");
      const bool is_first = sequence.at("id") == "A";
      read.kind = is_first ? TemplateStep::Kind::first : TemplateStep::Kind::second;
      read.type = sequence.value("type_id", 0);
    }
    out.push_back(std::move(read));
  }
  return out;
}

void read_post_processor(const Json& part, TokenizerFile* file) {
  using Kind = TemplateStep::Kind;
  if (part.is_null()) {
    file->single = {{Kind::first, {}, 0}};
    file->pair = {{Kind::first, {}, 0}, {Kind::second, {}, 1}};
  } else if (part.at("type") == "BertProcessing") {
    const std::vector<std::int32_t> cls = {part.at("cls").at(1).get<std::int32_t>()};
    const std::vector<std::int32_t> sep = {part.at("sep").at(1).get<std::int32_t>()};
    file->single = {{Kind::special, cls, 0}, {Kind::first, {}, 0}, {Kind::special, sep, 0}};
    file->pair = file->single;
    file->pair.push_back({Kind::second, {}, 1});
    file->pair.push_back({Kind::special, sep, 1});
  } else {
    require_type(part, "post_processor", "TemplateProcessing");
    const Json& special_tokens = part.at("special_tokens");
    file->single = read_template(part.at("single"), special_tokens);
    file->pair = read_template(part.at("pair"), special_tokens);
  }
}

void read_model(const Json& part, TokenizerFile* file) {
  require_type(part, "model", "WordPiece");
  file->model.unknown = part.value("unk_token", "[UNK]");
  file->model.continuing_prefix = part.value("continuing_subword_prefix", "##");
  file->model.max_input_chars_per_word = part.value("max_input_chars_per_word", std::size_t{100});
  bool has_unknown = false;
  for (const auto& [token, id] : part.at("vocab").items()) {
    file->vocabulary.emplace_back(token, id.get<std::int32_t>());
    has_unknown = has_unknown || token == file->model.unknown;
  }
  if (has_unknown) return;
  refuse(fineprint::format("its vocabulary lacks the unknown token \"{}\"", file->model.unknown));
}

// The named part, or null.
const Json& part_of(const Json& root, const char* name) {
  static const Json kNull;
  const auto found = root.find(name);
  return found == root.end() ? kNull : *found;
}

TokenizerFile read_parts(const std::string& path) {
  TokenizerFile file;
  const Json root = parse_json(read_file(path), path);
  if (!root.is_object()) refuse("it is not a JSON object");
  read_model(part_of(root, "model"), &file);
  file.normalizer = read_normalizer(part_of(root, "normalizer"));
  require_type(part_of(root, "pre_tokenizer"), "pre_tokenizer", "BertPreTokenizer");
  file.added_tokens = read_added_tokens(part_of(root, "added_tokens"));
  read_post_processor(part_of(root, "post_processor"), &file);
  const Json& decoder = part_of(root, "decoder");
  if (!decoder.is_null()) {
    require_type(decoder, "decoder", "WordPiece");
    file.decoder = {decoder.value("prefix", "##"), decoder.value("cleanup", true)};
  }
  return file;
}

}  // namespace

TokenizerFile read_tokenizer_file(const std::string& path) {
  const std::string what = "The tokenizer file " + path + " cannot be used: ";
  try {
    return read_parts(path);
  } catch (const Json::exception& error) {
    throw Error(ErrorCode::model, what + error.what());
  } catch (const Error& error) {
    throw Error(ErrorCode::model, what + error.what());
  }
}

}  // namespace fineprint::text
