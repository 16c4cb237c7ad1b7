// Llama and models with its layout (SmolLM2), texts only. Sources: Touvron et al., "LLaMA" (2023),
// section 2.2; Grattafiori et al., "The Llama 3 Herd of Models" (2024), section 3.2.
#include "models/families/llama.h"

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "models/chat_templates.h"
#include "models/config_facts.h"
#include "models/families/family.h"
#include "models/parts.h"
#include "models/rope_scaling.h"
#include "models/sentence_folder.h"

namespace fineprint::models {
namespace {

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
  decoder.rope = read_scaled_rope(config, decoder.head_dim);
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
