// Qwen2.5-VL. Source: Bai et al., "Qwen2.5-VL Technical Report" (2025), section 2.1.
#include "fineprint/core/format.h"

#include "models/families/family.h"
#include "models/families/qwen2_vl.h"

namespace fineprint::models {
namespace {

ModelSpec read_qwen2_5_vl_folder(FolderReader& folder) {
  const JsonFacts& config = folder.config();
  const JsonFacts vision = config.object("vision_config");
  vision.expect_text("hidden_act", "silu", true);
  // The tower, too, has RMS norms and gated feed-forward networks like the decoder.
  NativeTower tower = read_qwen_tower(vision, {.layers = 32, .heads = 16});
  tower.norm = NormKind::rms;
  tower.gated = true;
  tower.activation = Activation::silu;
  tower.hidden = vision.integer_or("hidden_size", 1, kMaxWidth, 1280);
  tower.intermediate = vision.integer_or("intermediate_size", 1, kMaxInner, 3420);
  // Attention within windows, except in a few layers.
  tower.window = vision.integer_or("window_size", 1, 1 << 13, 112);
  if (tower.window % (tower.patch * tower.merge) != 0) {
    vision.fail("window_size",
                format("is {}, which is not a multiple of {} pixels, the size of a merged patch",
                       tower.window, tower.patch * tower.merge));
  }
  if (!vision.has("fullatt_block_indexes")) vision.fail("fullatt_block_indexes", "is missing");
  for (const std::int64_t layer :
       vision.integers("fullatt_block_indexes", kMaxLayers, 0, tower.layers - 1)) {
    tower.full_attention_layers.push_back(static_cast<int>(layer));
  }
  tower.frames_apart = tower.qkv_apart = folder.is_gguf();
  const MergeConnector connector{tower.norm, tower.merge, tower.hidden,
                                 vision.integer("out_hidden_size", 1, kMaxWidth), tower.norm_eps};
  return finish_qwen_vl(folder, config, tower, connector,
                        read_qwen2_decoder(config.object_or_self("text_config")));
}

}  // namespace

Family qwen2_5_vl_family() {
  return {"qwen2_5_vl", {"Qwen2_5_VLForConditionalGeneration"}, read_qwen2_5_vl_folder};
}

}  // namespace fineprint::models
