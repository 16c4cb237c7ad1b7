// ColModernVBERT: SigLIP over tiles, pixel shuffle, ModernBERT, one vector for each token. Source:
// Teiletche et al., "ModernVBERT" (2025), section 3, and transformers' classes of both names.
#include <optional>

#include "models/config_facts.h"
#include "models/families/family.h"
#include "models/families/idefics3.h"
#include "models/families/modernbert.h"
#include "models/parts.h"

namespace fineprint::models {
namespace {

// Sets the texts around pages and queries, which the processor's file may change.
void read_texts(FolderReader& folder, Prompt* prompt) {
  const std::optional<JsonFacts> file = folder.find_file("processor_config.json");
  set_idefics3_texts("<|begin_of_text|>",
                     file ? file->text("query_prefix").value_or("") : std::string(), prompt);
  if (!file) return;
  if (auto page = file->text("visual_prompt_prefix")) {
    const std::size_t at = page->find(prompt->image_marker);
    if (at == std::string::npos) {
      file->fail("visual_prompt_prefix", "does not contain the image marker of the page");
    }
    prompt->page_text = page->replace(at, prompt->image_marker.size(), "{image}");
  }
}

ModelSpec read_colmodernvbert_folder(FolderReader& folder) {
  const JsonFacts& config = folder.config();
  const JsonFacts body = config.object("vlm_config");
  const RotaryEncoder encoder = read_modernbert(body.object("text_config"));
  const FixedTower tower = read_siglip_tower(body.object("vision_config"));
  const ShuffleConnector connector =
      read_shuffle_connector(body, "pixel_shuffle_factor", 4, tower, encoder.hidden);
  ModelSpec spec;
  spec.tower = tower;
  spec.connector = connector;
  spec.trunk = encoder;
  spec.processor = read_idefics3_processor(folder, tower, connector);
  spec.prompt = idefics3_prompt(body.integer("image_token_id", 0, encoder.vocab_size - 1));
  spec.prompt.add_special = true;
  read_texts(folder, &spec.prompt);
  spec.head.pooling = Pooling::every_token;
  spec.head.projection = config.integer_or("embedding_dim", 1, kMaxWidth, 128);
  spec.head.projection_bias = true;
  const Prefixes towers{"vlm.vision_model.", "vlm.vision_model.vision_model."};
  PartTensors connecting = connector_tensors(connector, {"vlm.connector.modality_projection."});
  connecting.tensors.front().alternative = "weight";
  spec.parts = {tower_tensors(tower, towers), connecting,
                trunk_tensors(encoder, RotaryNames{}, {"vlm.text_model."}),
                projection_tensors(spec.head, encoder.hidden, {"embedding_proj_layer."})};
  // SigLIP's own pooling, which is not used.
  for (const std::string& prefix : towers) spec.parts.front().unused.push_back(prefix + "head.*");
  return spec;
}

}  // namespace

Family colmodernvbert_family() {
  return {"colmodernvbert", {"ColModernVBertForRetrieval"}, read_colmodernvbert_folder};
}

}  // namespace fineprint::models
