// Reads the parts of configurations that families share.
#include "models/config_facts.h"

#include <algorithm>
#include <cmath>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

namespace fineprint::models {
namespace {

// Published models have up to a handful of end tokens.
constexpr std::size_t kMaxEndTokens = 64;

void check_attention(const JsonFacts& config, const Decoder& decoder) {
  // Families without this flag always apply their window.
  if (config.flag_or("use_sliding_window", true)) {
    const int window = config.integer_or("sliding_window", 1, kMaxPositions, kMaxPositions);
    // A window as long as all positions has no effect.
    if (window < decoder.max_positions) {
      config.fail("sliding_window",
                  format("is {}, shorter than the {} positions; attention within a window is not "
                         "supported",
                         window, decoder.max_positions));
    }
  }
  for (const std::string& type : config.texts("layer_types", kMaxLayers)) {
    if (type != "full_attention") {
      config.fail("layer_types", format("names \"{}\"; only full_attention is supported", type));
    }
  }
  if (config.number_or("partial_rotary_factor", 0, 1, 1) != 1) {
    config.fail("partial_rotary_factor", "is not 1, which is not supported");
  }
}

// Reads a size that may be absent if there is a default.
int size_or(const JsonFacts& config, const std::string& key, int most, int absent) {
  return absent > 0 ? config.integer_or(key, 1, most, absent) : config.integer(key, 1, most);
}

// Reads the end tokens: a single id or a list.
std::vector<std::int64_t> end_tokens(const JsonFacts& facts, int vocab_size) {
  return facts.integers("eos_token_id", kMaxEndTokens, 0, vocab_size - 1);
}

std::array<float, 3> three(const JsonFacts& facts, const std::string& key, double low) {
  const std::vector<double> values = facts.numbers(key, 3, low, 255);
  if (values.size() != 3) facts.fail(key, "must list three numbers, one for each colour");
  std::array<float, 3> channels{};
  std::ranges::transform(values, channels.begin(), [](double v) { return static_cast<float>(v); });
  return channels;
}

}  // namespace

void check_heads(const JsonFacts& config, const std::string& key, int heads, int hidden) {
  if (hidden % heads != 0) {
    config.fail(key, format("is {}, which does not divide the hidden size {}", heads, hidden));
  }
}

Decoder read_decoder(const JsonFacts& config, const DecoderDefaults& defaults) {
  Decoder decoder;
  decoder.layers = config.integer("num_hidden_layers", 1, kMaxLayers);
  decoder.hidden = config.integer("hidden_size", 1, kMaxWidth);
  decoder.heads = size_or(config, "num_attention_heads", kMaxHeads, defaults.heads);
  decoder.kv_heads = config.integer_or("num_key_value_heads", 1, decoder.heads,
                                       defaults.kv_heads > 0 ? defaults.kv_heads : decoder.heads);
  // Each head of keys and values serves an equal number of query heads.
  if (decoder.heads % decoder.kv_heads != 0) {
    config.fail("num_key_value_heads", format("is {}, which does not divide the {} heads",
                                              decoder.kv_heads, decoder.heads));
  }
  if (config.has("head_dim") || defaults.head_dim > 0) {
    decoder.head_dim = config.integer_or("head_dim", 2, 1 << 12, defaults.head_dim);
  } else {
    check_heads(config, "num_attention_heads", decoder.heads, decoder.hidden);
    decoder.head_dim = decoder.hidden / decoder.heads;
  }
  // Rotary positions rotate pairs of values.
  if (decoder.head_dim % 2 != 0) {
    config.fail("num_attention_heads", "gives heads of odd width, which cannot be rotated");
  }
  decoder.intermediate = config.integer("intermediate_size", 1, kMaxInner);
  decoder.vocab_size = size_or(config, "vocab_size", kMaxVocabulary, defaults.vocab_size);
  const std::string positions = "max_position_embeddings";
  decoder.max_positions = defaults.max_positions > 0 && !config.has(positions)
                              ? defaults.max_positions
                              : config.integer(positions, 1, kMaxPositions);
  decoder.norm_eps = defaults.norm_eps > 0 && !config.has("rms_norm_eps")
                         ? defaults.norm_eps
                         : config.number("rms_norm_eps", 0, 0.1);
  if (!defaults.own_layers) check_attention(config, decoder);
  return decoder;
}

std::vector<LayerKind> read_layer_kinds(const JsonFacts& config, int layers, const NamedKind& other,
                                        const OneOf& full) {
  std::vector<LayerKind> kinds;
  for (const std::string& name : config.texts("layer_types", kMaxLayers)) {
    if (name != "full_attention" && name != other.name) {
      config.fail(
          "layer_types",
          format("names \"{}\"; layers of this family are full_attention or {}", name, other.name));
    }
    kinds.push_back(name == other.name ? other.kind : LayerKind::full_attention);
  }
  if (!kinds.empty() && std::ssize(kinds) != layers) {
    config.fail("layer_types", format("lists {} of {} layers", kinds.size(), layers));
  }
  // Without layer_types, one layer of each group has full attention.
  for (int i = static_cast<int>(kinds.size()); i < layers; ++i) {
    const bool is_full = (full.first ? i : i + 1) % full.layers == 0;
    kinds.push_back(is_full ? LayerKind::full_attention : other.kind);
  }
  return kinds;
}

FixedTower read_fixed_tower(const JsonFacts& config, const FixedTower& defaults) {
  FixedTower tower = defaults;
  tower.layers = config.integer_or("num_hidden_layers", 1, kMaxLayers, defaults.layers);
  tower.used_layers = tower.layers;
  tower.hidden = config.integer_or("hidden_size", 1, kMaxWidth, defaults.hidden);
  tower.heads = config.integer_or("num_attention_heads", 1, kMaxHeads, defaults.heads);
  check_heads(config, "num_attention_heads", tower.heads, tower.hidden);
  tower.intermediate = config.integer_or("intermediate_size", 1, kMaxInner, defaults.intermediate);
  tower.patch = config.integer_or("patch_size", 1, 256, defaults.patch);
  tower.image_size = config.integer_or("image_size", 1, 1 << 13, defaults.image_size);
  if (!tower.bucketed_positions && tower.image_size % tower.patch != 0) {
    config.fail("image_size", format("is {}, which is not a multiple of the patch_size {}",
                                     tower.image_size, tower.patch));
  }
  tower.norm_eps = config.number_or("layer_norm_eps", 0, 0.1, defaults.norm_eps);
  expect_integer(config, "num_channels", 3);
  return tower;
}

FixedTower read_siglip_tower(const JsonFacts& vision) {
  vision.expect_text("model_type", "siglip_vision_model", true);
  return read_siglip_sizes(vision);
}

FixedTower read_siglip_sizes(const JsonFacts& vision) {
  vision.expect_text("hidden_act", "gelu_pytorch_tanh", true);
  FixedTower siglip;
  // transformers' defaults for SigLIP, because configurations leave out values that equal them.
  siglip.layers = 12;
  siglip.hidden = 768;
  siglip.heads = 12;
  siglip.intermediate = 3072;
  siglip.image_size = 224;
  siglip.patch = 16;
  siglip.patch_bias = siglip.norm_after = true;
  return read_fixed_tower(vision, siglip);
}

TextEncoder read_text_encoder(const JsonFacts& config, int first_position) {
  TextEncoder encoder;
  encoder.layers = config.integer("num_hidden_layers", 1, kMaxLayers);
  encoder.hidden = config.integer("hidden_size", 1, kMaxWidth);
  encoder.heads = config.integer("num_attention_heads", 1, kMaxHeads);
  check_heads(config, "num_attention_heads", encoder.heads, encoder.hidden);
  encoder.intermediate = config.integer("intermediate_size", 1, kMaxInner);
  encoder.vocab_size = config.integer("vocab_size", 1, kMaxVocabulary);
  encoder.first_position = first_position;
  // The table of positions also has rows for padding before the first token.
  encoder.max_positions =
      config.integer("max_position_embeddings", first_position + 3, 1 << 20) - first_position;
  encoder.norm_eps = config.number("layer_norm_eps", 0, 0.1);
  return encoder;
}

RotaryEncoder read_rotary_encoder(const JsonFacts& config) {
  RotaryEncoder encoder;
  encoder.layers = config.integer("num_hidden_layers", 1, kMaxLayers);
  encoder.hidden = config.integer("hidden_size", 1, kMaxWidth);
  encoder.heads = config.integer("num_attention_heads", 1, kMaxHeads);
  check_heads(config, "num_attention_heads", encoder.heads, encoder.hidden);
  if (encoder.hidden / encoder.heads % 2 != 0) {
    config.fail("num_attention_heads", "gives heads of odd width, which cannot be rotated");
  }
  encoder.intermediate = config.integer("intermediate_size", 1, kMaxInner);
  encoder.vocab_size = config.integer("vocab_size", 1, kMaxVocabulary);
  encoder.max_positions = config.integer("max_position_embeddings", 3, kMaxPositions);
  return encoder;
}

// The flag of the complete model counts before that of its text part.
bool read_tied(const JsonFacts& config, const JsonFacts& text, bool absent) {
  return config.flag_or("tie_word_embeddings", text.flag_or("tie_word_embeddings", absent));
}

JsonFacts rope_facts(const JsonFacts& config) {
  if (config.has("rope_parameters")) return config.object("rope_parameters");
  return config.object_or_self("rope_scaling");
}

double read_rope_theta(const JsonFacts& config) {
  const JsonFacts rope = rope_facts(config);
  // Newer writers put rope_theta into rope_parameters, older ones next to rope_scaling.
  const JsonFacts& place = rope.has("rope_theta") ? rope : config;
  return place.number_or("rope_theta", 1, 1e12, 10000);
}

GenerationDefaults read_generation(FolderReader& folder, const JsonFacts& config, int vocab_size) {
  GenerationDefaults defaults;
  const std::optional<JsonFacts> file = folder.find_file("generation_config.json");
  if (file) {
    defaults.end_tokens = end_tokens(*file, vocab_size);
    if (file->flag_or("do_sample", false)) {
      // The reference's defaults for sampling.
      defaults.temperature = file->number_or("temperature", 0, 100, 1);
      defaults.top_k = file->integer_or("top_k", 0, kMaxVocabulary, 50);
      defaults.top_p = file->number_or("top_p", 0, 1, 1);
    }
    defaults.repetition_penalty = file->number_or("repetition_penalty", 0.01, 100, 1);
  }
  // generation_config.json may lack them, and a reply without an end token would always run to its
  // limit.
  if (defaults.end_tokens.empty()) defaults.end_tokens = end_tokens(config, vocab_size);
  if (defaults.end_tokens.empty())
    config.fail("eos_token_id", "is missing, so that replies would never end");
  return defaults;
}

preprocess::PixelNorm read_pixel_norm(const JsonFacts& preprocessor) {
  for (const std::string step : {"do_resize", "do_rescale", "do_normalize"}) {
    preprocessor.expect_flag(step, true);
  }
  const double factor = preprocessor.number_or("rescale_factor", 0, 255, 1.0 / 255);
  // Files store 1/255 with different numbers of digits.
  if (std::abs(factor * 255 - 1) > 1e-6) {
    preprocessor.fail("rescale_factor", "is not 1/255, which is not supported");
  }
  return {three(preprocessor, "image_mean", -255), three(preprocessor, "image_std", 1e-6)};
}

void expect_integer(const JsonFacts& facts, const std::string& key, int expected) {
  const int value = facts.integer_or(key, INT32_MIN, INT32_MAX, expected);
  if (value != expected) {
    facts.fail(key, format("is {}; only {} is supported here", value, expected));
  }
}

}  // namespace fineprint::models
