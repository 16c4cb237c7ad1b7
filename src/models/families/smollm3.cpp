// SmolLM3, texts only: Llama's layout, in which some layers rotate nothing. Sources: Bakouch et
// al., "SmolLM3" (2025); Yang et al., "Rope to Nope and Back Again" (2025), section 3.
#include "fineprint/core/format.h"

#include "models/config_facts.h"
#include "models/families/family.h"
#include "models/families/llama.h"

namespace fineprint::models {
namespace {

// The list has a 1 for each layer that rotates, in spite of its name. Without it, the last of each
// group of layers does not.
std::vector<bool> read_unrotated(const JsonFacts& config, int layers) {
  std::vector<bool> unrotated;
  const std::string key = "no_rope_layers";
  for (const std::int64_t rotates : config.integers(key, kMaxLayers, 0, 1)) {
    unrotated.push_back(rotates == 0);
  }
  if (!unrotated.empty() && std::ssize(unrotated) != layers) {
    config.fail(key, format("lists {} of {} layers", unrotated.size(), layers));
  }
  const int interval = config.integer_or("no_rope_layer_interval", 1, kMaxLayers, 4);
  for (int i = static_cast<int>(unrotated.size()); i < layers; ++i) {
    unrotated.push_back((i + 1) % interval == 0);
  }
  return unrotated;
}

ModelSpec read_smollm3_folder(FolderReader& folder) {
  // The class switches windows off unless the flag is there.
  const JsonFacts config = folder.config().with_defaults({{"use_sliding_window", false}});
  Decoder decoder = read_llama_decoder(config);
  decoder.unrotated = read_unrotated(config, decoder.layers);
  ModelSpec spec = finish_llama(folder, decoder, {.prefixes = {"model."}, .tied = true});
  spec.parts.front() = llama_trunk_tensors(folder, decoder, spec.parts.front().prefixes);
  return spec;
}

}  // namespace

Family smollm3_family() { return {"smollm3", {"SmolLM3ForCausalLM"}, read_smollm3_folder}; }

}  // namespace fineprint::models
