// Reads normalizers, pre-tokenizers, post-processors and decoders from their JSON.
#include <algorithm>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/unicode.h"

#include "tokenizer/bert_words.h"
#include "tokenizer/character_map.h"
#include "tokenizer/tokenizer_file.h"
#include "tokenizer/unicode_classes.h"

namespace fineprint::tokenizer {
namespace {

// As in the reference library, accents are removed with lower-casing unless the file says
// otherwise.
std::unique_ptr<Normalizer> read_bert_normalizer(const Part& part) {
  BertNormalizerOptions options;
  options.clean_text = part.flag("clean_text", true);
  options.handle_chinese_chars = part.flag("handle_chinese_chars", true);
  options.lowercase = part.flag("lowercase", true);
  options.strip_accents = part.flag("strip_accents", options.lowercase);
  return std::make_unique<BertNormalizer>(options);
}

// Reads SentencePiece's character map, which the file contains as base64.
std::unique_ptr<Normalizer> read_character_map(const Part& part) {
  const Part table = part.field("precompiled_charsmap");
  const std::optional<std::string> bytes = decode_base64(table.text());
  if (!bytes) table.refuse("is not in base 64");
  try {
    return std::make_unique<CharacterMap>(*bytes);
  } catch (const Error& error) {
    table.refuse(std::string("cannot be used: ") + error.what());
  }
}

// Reads one component for each item, leaving out components that do nothing.
template <typename Component>
std::vector<std::unique_ptr<Component>> read_steps(
    const Part& part, std::unique_ptr<Component> (*read)(const Part&)) {
  std::vector<std::unique_ptr<Component>> out;
  for (const Part& item : part.list()) {
    if (item.is_null()) item.refuse("must be an object");
    if (auto step = read(item)) out.push_back(std::move(step));
  }
  return out;
}

// Reads the name of a behavior. `otherwise` is the default; an empty default makes the field
// required.
SplitBehavior read_behavior(const Part& part, const char* otherwise) {
  const std::string name = part.text("behavior", otherwise);
  if (name == "Removed") return SplitBehavior::removed;
  if (name == "Isolated") return SplitBehavior::isolated;
  if (name == "MergedWithPrevious") return SplitBehavior::merged_with_previous;
  if (name == "MergedWithNext") return SplitBehavior::merged_with_next;
  if (name == "Contiguous") return SplitBehavior::contiguous;
  part.refuse(name.empty() ? "has no behavior"
                           : fineprint::format("has the unknown behavior {}", in_quotes(name)));
}

// Reads a field that must contain exactly one character.
std::string read_character(const Part& part, const char* name, const char* otherwise) {
  const std::string text = part.text(name, otherwise);
  if (code_point_count(text) != 1) part.field(name).refuse("must be one character");
  return text;
}

using Prepend = MetaspacePreTokenizer::Prepend;

Prepend read_prepend(const Part& part) {
  const std::string name = part.text("prepend_scheme", "always");
  // Older files have only add_prefix_space, newer ones only prepend_scheme.
  const bool adds = part.flag("add_prefix_space", true);
  if (!adds && part.field("prepend_scheme").is_null()) return Prepend::never;
  const Prepend scheme = name == "first"   ? Prepend::first
                         : name == "never" ? Prepend::never
                                           : Prepend::always;
  // Any other name was mapped to `always` above, so it is refused here.
  if (scheme == Prepend::always && name != "always") {
    part.field("prepend_scheme").refuse("must be always, never or first");
  }
  if (!adds && scheme != Prepend::never)
    part.refuse("contradicts itself: add_prefix_space is false, but prepend_scheme is set");
  return scheme;
}

std::vector<TemplateStep> read_template(const Part& steps, const Part& special_tokens) {
  std::vector<TemplateStep> out;
  for (const Part& step : steps.list()) {
    TemplateStep read;
    if (const Part special = step.field("SpecialToken"); !special.is_null()) {
      const std::string name = special.text("id");
      const Part known = special_tokens.field(name.c_str());
      if (known.is_null()) {
        special.refuse(fineprint::format("names {}, which special_tokens lacks", in_quotes(name)));
      }
      read.kind = TemplateStep::Kind::special;
      for (const Part& id : known.field("ids").list()) read.ids.push_back(id.id());
      // Masked, so that a wrong number in the file cannot become negative.
      read.type = static_cast<std::int32_t>(special.count("type_id", 0) & 0x7FFFFFFF);
    } else {
      const Part sequence = step.field("Sequence");
      if (sequence.is_null()) step.refuse("must be a SpecialToken or a Sequence");
      const std::string id = sequence.text("id");
      if (id != "A" && id != "B") sequence.refuse("must be sequence A or B");
      read.kind = id == "A" ? TemplateStep::Kind::first : TemplateStep::Kind::second;
      read.type = static_cast<std::int32_t>(sequence.count("type_id", 0) & 0x7FFFFFFF);
    }
    out.push_back(std::move(read));
  }
  return out;
}

// Reads ["[SEP]", 102] and returns the id.
std::vector<std::int32_t> read_named_id(const Part& part) {
  const std::vector<Part> items = part.list();
  if (items.size() != 2) part.refuse("must be a token and its id");
  return {items[1].id()};
}

// [CLS] A [SEP], and for a pair [CLS] A [SEP] B [SEP].
void read_bert_template(const Part& part, PostProcessor* out) {
  using Kind = TemplateStep::Kind;
  const auto cls = read_named_id(part.field("cls"));
  const auto sep = read_named_id(part.field("sep"));
  out->single = {{Kind::special, cls, 0}, {Kind::first, {}, 0}, {Kind::special, sep, 0}};
  out->pair = out->single;
  out->pair.push_back({Kind::second, {}, 1});
  out->pair.push_back({Kind::special, sep, 1});
}

// <s> A </s>, and for a pair <s> A </s> </s> B </s>.
void read_roberta_template(const Part& part, PostProcessor* out) {
  using Kind = TemplateStep::Kind;
  const auto cls = read_named_id(part.field("cls"));
  const auto sep = read_named_id(part.field("sep"));
  if (part.flag("trim_offsets", true)) out->trims.push_back(part.flag("add_prefix_space", true));
  out->single = {{Kind::special, cls, 0}, {Kind::first, {}, 0}, {Kind::special, sep, 0}};
  out->pair = out->single;
  out->pair.push_back({Kind::special, sep, 0});
  out->pair.push_back({Kind::second, {}, 0});
  out->pair.push_back({Kind::special, sep, 0});
}

// Reads a post-processor and returns its number of templates, which may be 1 at most.
int add_post_processor(const Part& part, PostProcessor* out) {
  const std::string type = part.type();
  if (type == "Sequence") {
    int templates = 0;
    for (const Part& item : part.field("processors").list()) {
      templates += add_post_processor(item, out);
    }
    if (templates > 1) part.refuse("has more than one template");
    return templates;
  }
  if (type == "ByteLevel") {
    if (part.flag("trim_offsets", true)) out->trims.push_back(part.flag("add_prefix_space", true));
    return 0;
  }
  if (type == "TemplateProcessing") {
    const Part special_tokens = part.field("special_tokens");
    out->single = read_template(part.field("single"), special_tokens);
    out->pair = read_template(part.field("pair"), special_tokens);
  } else if (type == "BertProcessing") {
    read_bert_template(part, out);
  } else if (type == "RobertaProcessing") {
    read_roberta_template(part, out);
  } else {
    part.refuse_type();
  }
  return 1;
}

std::unique_ptr<Decoder> read_decoder(const Part& part, bool is_fused) {
  const std::string type = part.type();
  if (type == "ByteLevel") return std::make_unique<ByteLevelDecoder>();
  if (type == "ByteFallback") return std::make_unique<ByteFallbackDecoder>();
  if (type == "Fuse") return std::make_unique<FuseDecoder>();
  if (type == "WordPiece") {
    return std::make_unique<WordPieceDecoder>(part.text("prefix", "##"),
                                              part.flag("cleanup", true));
  }
  if (type == "Metaspace") {
    return std::make_unique<MetaspaceDecoder>(read_character(part, "replacement", "▁"),
                                              read_prepend(part) != Prepend::never);
  }
  if (type == "Replace") {
    return std::make_unique<ReplaceDecoder>(read_pattern(part.field("pattern")),
                                            part.text("content"));
  }
  if (type == "Strip") {
    return std::make_unique<StripDecoder>(read_character(part, "content", ""), part.count("start"),
                                          part.count("stop"), is_fused);
  }
  part.refuse_type();
}

void add_decoders(const Part& part, std::vector<std::unique_ptr<Decoder>>* out) {
  if (part.type() == "Sequence") {
    for (const Part& item : part.field("decoders").list()) add_decoders(item, out);
    return;
  }
  // A Strip step after a fusing one works on the complete text, not on each token.
  const bool is_fused =
      std::any_of(out->begin(), out->end(), [](const auto& decoder) { return decoder->fuses(); });
  out->push_back(read_decoder(part, is_fused));
}

}  // namespace

std::unique_ptr<Normalizer> read_normalizer(const Part& part) {
  if (part.is_null()) return nullptr;
  const std::string type = part.type();
  if (type == "Sequence") {
    return std::make_unique<NormalizerSequence>(
        read_steps<Normalizer>(part.field("normalizers"), read_normalizer));
  }
  if (type == "NFC") return std::make_unique<FormNormalizer>(UnicodeForm::nfc);
  if (type == "NFD") return std::make_unique<FormNormalizer>(UnicodeForm::nfd);
  if (type == "NFKC") return std::make_unique<FormNormalizer>(UnicodeForm::nfkc);
  if (type == "NFKD") return std::make_unique<FormNormalizer>(UnicodeForm::nfkd);
  if (type == "Lowercase") return std::make_unique<LowercaseNormalizer>();
  if (type == "StripAccents") return std::make_unique<StripAccentsNormalizer>();
  if (type == "BertNormalizer") return read_bert_normalizer(part);
  if (type == "Precompiled") return read_character_map(part);
  if (type == "Prepend") return std::make_unique<PrependNormalizer>(part.text("prepend"));
  if (type == "Strip") {
    return std::make_unique<StripNormalizer>(part.flag("strip_left", true),
                                             part.flag("strip_right", true));
  }
  if (type == "Replace") {
    return std::make_unique<ReplaceNormalizer>(read_pattern(part.field("pattern")),
                                               part.text("content"));
  }
  part.refuse_type();
}

std::unique_ptr<PreTokenizer> read_pre_tokenizer(const Part& part) {
  if (part.is_null()) return nullptr;
  const std::string type = part.type();
  if (type == "Sequence") {
    return std::make_unique<PreTokenizerSequence>(
        read_steps<PreTokenizer>(part.field("pretokenizers"), read_pre_tokenizer));
  }
  if (type == "BertPreTokenizer") return std::make_unique<BertPreTokenizer>();
  // The reference library's Whitespace splits words from punctuation; WhitespaceSplit only at
  // blanks.
  if (type == "Whitespace") return std::make_unique<WordSplit>();
  if (type == "WhitespaceSplit") {
    return std::make_unique<ClassSplit>(is_space, SplitBehavior::removed);
  }
  if (type == "Punctuation") {
    return std::make_unique<ClassSplit>(is_punctuation, read_behavior(part, "Isolated"));
  }
  if (type == "Digits") {
    const bool is_single = part.flag("individual_digits", false);
    return std::make_unique<ClassSplit>(
        is_numeric, is_single ? SplitBehavior::isolated : SplitBehavior::contiguous);
  }
  if (type == "Split") {
    return std::make_unique<PatternSplit>(read_pattern(part.field("pattern")),
                                          read_behavior(part, ""), part.flag("invert", false));
  }
  if (type == "ByteLevel") {
    return std::make_unique<ByteLevelPreTokenizer>(part.flag("add_prefix_space", true),
                                                   part.flag("use_regex", true));
  }
  if (type == "Metaspace") {
    return std::make_unique<MetaspacePreTokenizer>(read_character(part, "replacement", "▁"),
                                                   read_prepend(part), part.flag("split", true));
  }
  part.refuse_type();
}

PostProcessor read_post_processor(const Part& part) {
  PostProcessor out;
  if (!part.is_null()) add_post_processor(part, &out);
  return out;
}

std::vector<std::unique_ptr<Decoder>> read_decoders(const Part& part) {
  std::vector<std::unique_ptr<Decoder>> out;
  // Without a decoder, the reference library joins tokens with blanks.
  if (part.is_null()) {
    out.push_back(std::make_unique<BlankDecoder>());
  } else {
    add_decoders(part, &out);
  }
  return out;
}

}  // namespace fineprint::tokenizer
