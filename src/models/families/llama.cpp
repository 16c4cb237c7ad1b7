// Llama and models with its layout (SmolLM2), texts only. Sources: Touvron et al., "LLaMA" (2023),
// section 2.2; Grattafiori et al., "The Llama 3 Herd of Models" (2024), section 3.2.
#include "models/families/llama.h"

#include <cmath>
#include <numbers>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "models/chat_templates.h"
#include "models/config_facts.h"
#include "models/families/family.h"
#include "models/parts.h"
#include "models/sentence_folder.h"

namespace fineprint::models {
namespace {

using Factors = std::vector<double>;

// Divides a frequency by `factor` if its turn is longer than the texts of the first training,
// leaves it unchanged if many turns fit in them, and interpolates between the two. Source: the
// reference's rope type "llama3".
Factors llama3_factors(const JsonFacts& scaling, double theta, int head_dim) {
  const double factor = scaling.number("factor", 1, 1024);
  const double low = scaling.number("low_freq_factor", 1e-3, 1024);
  const double high = scaling.number("high_freq_factor", low, 4096);
  const int trained = scaling.integer("original_max_position_embeddings", 1, kMaxPositions);
  if (high == low) scaling.fail("high_freq_factor", "equals low_freq_factor");
  Factors factors;
  for (int i = 0; i < head_dim / 2; ++i) {
    const double frequency = std::pow(theta, -2.0 * i / head_dim);
    const double turns = trained * frequency / (2 * std::numbers::pi);
    const double smooth = (turns - low) / (high - low);
    factors.push_back(turns < low    ? factor
                      : turns > high ? 1
                                     : 1 / ((1 - smooth) / factor + smooth));
  }
  return factors;
}

// Reads "factors", which the converter of a GGUF file has computed.
Factors given_factors(const JsonFacts& scaling, int head_dim) {
  const auto half = static_cast<std::size_t>(head_dim / 2);
  Factors factors = scaling.numbers("factors", half, 1e-3, 1e6);
  if (factors.size() != half) {
    scaling.fail("factors", format("must list {} numbers, half a head's width", half));
  }
  return factors;
}

// Reads a sentence encoder. Its checkpoint may lack the model's outer name and the head, which
// vectors do not need.
ModelSpec read_as_encoder(FolderReader& folder, const Decoder& decoder) {
  ModelSpec spec;
  spec.trunk = decoder;
  spec.parts = {trunk_tensors(decoder, {"", "model."}), head_tensors(spec.head, decoder, {""})};
  read_sentence_folder(folder, decoder.max_positions, &spec);
  if (spec.head.pooling == Pooling::every_token) {
    throw Error(
        ErrorCode::model,
        format("{}/modules.json: asks for one vector for each token, which is not supported for "
               "text decoders",
               folder.dir()));
  }
  return spec;
}

}  // namespace

Rope read_llama_rope(const JsonFacts& config, int head_dim) {
  Rope rope;
  rope.theta = read_rope_theta(config);
  if (!config.has("rope_scaling") && !config.has("rope_parameters")) return rope;
  const JsonFacts scaling = rope_facts(config);
  const std::string key = scaling.has("rope_type") ? "rope_type" : "type";
  const std::string type = scaling.text(key).value_or("default");
  Factors factors;
  if (type == "linear") {
    factors.assign(static_cast<std::size_t>(head_dim / 2), scaling.number("factor", 1e-3, 1024));
  } else if (type == "llama3") {
    factors = llama3_factors(scaling, rope.theta, head_dim);
  } else if (type == "factors") {
    factors = given_factors(scaling, head_dim);
  } else if (type != "default") {
    scaling.fail(key, format("is \"{}\"; default, linear and llama3 are supported", type));
  }
  rope.short_factors = rope.long_factors = factors;
  return rope;
}

ModelSpec finish_llama(FolderReader& folder, const Decoder& decoder, const LlamaOutside& outside) {
  const JsonFacts& config = folder.config();
  if (folder.holds("modules.json")) return read_as_encoder(folder, decoder);
  ModelSpec spec;
  spec.trunk = decoder;
  spec.head.generates = true;
  const JsonFacts text = config.object_or_self("text_config");
  spec.head.tied = read_tied(config, text, outside.tied);
  read_chat(folder, &spec.prompt);
  // The tokenizer's template adds the first token of a text, in models that have one.
  spec.prompt.add_special = true;
  spec.generation = read_generation(folder, text, decoder.vocab_size);
  spec.parts = {trunk_tensors(decoder, outside.prefixes), head_tensors(spec.head, decoder, {""})};
  return spec;
}

Decoder read_llama_decoder(const JsonFacts& config) {
  config.expect_text("hidden_act", "silu", true);
  config.expect_flag("attention_bias", false);
  config.expect_flag("mlp_bias", false);
  expect_integer(config, "pretraining_tp", 1);
  Decoder decoder = read_decoder(config);
  decoder.rope = read_llama_rope(config, decoder.head_dim);
  return decoder;
}

namespace {

// GGUF files keep the rows of queries and keys in the order of the first implementation, which
// rotates neighbouring pairs.
void mark_interleaved(const Decoder& decoder, PartTensors* trunk) {
  for (TensorSpec& tensor : trunk->tensors) {
    if (tensor.name.ends_with("q_proj.weight")) tensor.interleaved_heads = decoder.heads;
    if (tensor.name.ends_with("k_proj.weight")) tensor.interleaved_heads = decoder.kv_heads;
  }
}

ModelSpec read_llama_folder(FolderReader& folder) {
  const Decoder decoder = read_llama_decoder(folder.config());
  ModelSpec spec = finish_llama(folder, decoder);
  spec.parts.front() = llama_trunk_tensors(folder, decoder, spec.parts.front().prefixes);
  return spec;
}

}  // namespace

PartTensors llama_trunk_tensors(const FolderReader& folder, const Decoder& decoder,
                                const Prefixes& prefixes) {
  PartTensors trunk = trunk_tensors(decoder, prefixes);
  if (folder.is_gguf()) mark_interleaved(decoder, &trunk);
  // Tables of rotations in early folders and in GGUF files; they are computed instead.
  for (const std::string& prefix : prefixes) {
    for (int i = 0; i < decoder.layers; ++i) {
      trunk.unused.push_back(format("{}layers.{}.self_attn.rotary_emb.inv_freq", prefix, i));
    }
  }
  trunk.unused.emplace_back("rope_freqs.weight");
  return trunk;
}

Family llama_family() { return {"llama", {"LlamaForCausalLM"}, read_llama_folder}; }

}  // namespace fineprint::models
