// Granite 3, texts only: Llama's layout with four multipliers. Source: IBM, "Granite 3.0 Language
// Models" (2024), section 2.
#include "models/config_facts.h"
#include "models/families/family.h"
#include "models/families/llama.h"

namespace fineprint::models {
namespace {

ModelSpec read_granite_folder(FolderReader& folder) {
  const JsonFacts& config = folder.config();
  Decoder decoder = read_llama_decoder(config);
  // The configuration's class leaves all of them at 1, products of queries and keys included.
  decoder.embedding_scale = config.number_or("embedding_multiplier", 1e-6, 1e6, 1);
  decoder.attention_scale = config.number_or("attention_multiplier", 1e-6, 1e6, 1);
  decoder.residual_scale = config.number_or("residual_multiplier", 1e-6, 1e6, 1);
  decoder.logit_divisor = config.number_or("logits_scaling", 1e-6, 1e6, 1);
  ModelSpec spec = finish_llama(folder, decoder);
  spec.parts.front() = llama_trunk_tensors(folder, decoder, spec.parts.front().prefixes);
  return spec;
}

}  // namespace

Family granite_family() { return {"granite", {"GraniteForCausalLM"}, read_granite_folder}; }

}  // namespace fineprint::models
