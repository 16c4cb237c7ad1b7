// Qwen3-VL; its retriever Qwen3-VL-Embedding has the same layout. Source: Bai et al., "Qwen3-VL
// Technical Report" (2025), section 2.
#include "models/families/qwen3_vl.h"

#include <cmath>
#include <numeric>

#include "fineprint/core/format.h"

#include "models/chat_templates.h"
#include "models/config_facts.h"
#include "models/families/family.h"
#include "models/families/qwen2_vl.h"
#include "models/families/qwen3.h"

namespace fineprint::models {
namespace {

// Reads the layers of vision_config whose features also go to the decoder's layers.
std::vector<int> read_deep_layers(const JsonFacts& vision, int layers, const Decoder& decoder) {
  if (!vision.has("deepstack_visual_indexes")) {
    vision.fail("deepstack_visual_indexes", "is missing");
  }
  std::vector<int> deep;
  const auto most = static_cast<std::size_t>(std::min(layers, decoder.layers));
  for (const std::int64_t layer :
       vision.integers("deepstack_visual_indexes", most, 0, layers - 1)) {
    if (!deep.empty() && deep.back() >= layer) {
      vision.fail("deepstack_visual_indexes", "must ascend");
    }
    deep.push_back(static_cast<int>(layer));
  }
  return deep;
}

ChatTemplate plain_chat_ml(ChatTemplate chat) {
  chat.default_system.clear();
  return chat;
}

// Sets the texts with which Qwen3-VL-Embedding reads pages and queries: the instruction is in the
// system message, and the vector is that of the last token before a reply. Source: Li et al.,
// "Qwen3-VL-Embedding and Qwen3-VL-Reranker" (2026), section 3.1, and the model's card.
void add_embedding_texts(Prompt* prompt) {
  const ChatTemplate& chat = prompt->chat;
  const auto framed = [&](const std::string& instruction, const std::string& content) {
    return chat.before_system + instruction + chat.after_system + chat.before_user + content +
           chat.after_user + chat.before_assistant;
  };
  prompt->page_text = framed("Represent the user's input.", "{image}");
  prompt->passage_text = framed("Represent the user's input.", "{text}");
  prompt->query_text = framed("Retrieve images or text relevant to the user's query.", "{text}");
}

}  // namespace

// The sections alternate, so each must find as many frequencies as it has.
Rope read_interleaved_rope(const JsonFacts& text, int width) {
  const JsonFacts facts = rope_facts(text);
  Rope rope = read_mrope(text, width);
  rope.interleaved = true;
  facts.expect_flag("mrope_interleaved", true);
  for (int axis = 1; axis < 3; ++axis) {
    const int last = 3 * (rope.sections[static_cast<std::size_t>(axis)] - 1) + axis;
    if (last >= width / 2) {
      facts.fail("mrope_section", format("gives height or width more of the {} frequencies than "
                                         "every third",
                                         width / 2));
    }
  }
  return rope;
}

NativeTower read_qwen3_tower(const JsonFacts& vision) {
  vision.expect_text("hidden_act", "gelu_pytorch_tanh", true);
  NativeTower tower = read_qwen_tower(vision, {.layers = 27, .heads = 16, .patch = 16});
  tower.hidden = vision.integer_or("hidden_size", 1, kMaxWidth, 1152);
  tower.intermediate = vision.integer_or("intermediate_size", 1, kMaxInner, 4304);
  tower.activation = Activation::gelu_tanh;
  tower.patch_bias = true;
  constexpr int kMaxSide = 1 << 10;
  const int positions = vision.integer_or("num_position_embeddings", 1, kMaxSide * kMaxSide, 2304);
  tower.position_side = static_cast<int>(std::lround(std::sqrt(positions)));
  if (tower.position_side * tower.position_side != positions) {
    vision.fail("num_position_embeddings",
                format("is {}, which is not a square number", positions));
  }
  return tower;
}

ModelSpec finish_qwen3_vl(FolderReader& folder, const JsonFacts& config, const NativeTower& read,
                          const Decoder& decoder) {
  const JsonFacts vision = config.object("vision_config");
  NativeTower tower = read;
  tower.frames_apart = folder.is_gguf();
  const MergeConnector connector{tower.norm,     tower.merge,
                                 tower.hidden,   vision.integer("out_hidden_size", 1, kMaxWidth),
                                 tower.norm_eps, static_cast<int>(tower.deep_layers.size())};
  ModelSpec spec = finish_qwen_vl(folder, config, tower, connector, decoder);
  if (!tower.deep_layers.empty()) {
    // GGUF files number them by their layers, folders consecutively.
    std::vector<int> numbers = tower.deep_layers;
    if (!folder.is_gguf()) std::iota(numbers.begin(), numbers.end(), 0);
    spec.parts.push_back(further_connector_tensors(
        connector, numbers, qwen_vl_prefixes("visual.deepstack_merger_list.")));
  }
  spec.prompt.chat = find_chat(folder).value_or(plain_chat_ml(spec.prompt.chat));
  return spec;
}

Decoder read_qwen3_vl_trunk(const JsonFacts& text) {
  Decoder decoder = read_qwen3_decoder(text);
  decoder.rope = read_interleaved_rope(text, decoder.head_dim);
  return decoder;
}

ModelSpec read_qwen3_vl_around(FolderReader& folder, const JsonFacts& config,
                               const Decoder& decoder) {
  const JsonFacts vision = config.object("vision_config");
  NativeTower tower = read_qwen3_tower(vision);
  tower.deep_layers = read_deep_layers(vision, tower.layers, decoder);
  ModelSpec spec = finish_qwen3_vl(folder, config, tower, decoder);
  add_embedding_texts(&spec.prompt);
  // The texts of Qwen3-VL-Reranker's own program, which puts no blanks between the parts.
  spec.prompt.judge = qwen3_judge(
      "<Instruct>: Given a search query, retrieve relevant candidates that answer the "
      "query.<Query>:",
      "\n<Document>:", "");
  return spec;
}

ModelSpec read_qwen3_vl(FolderReader& folder, const JsonFacts& config) {
  return read_qwen3_vl_around(folder, config, read_qwen3_vl_trunk(config.object("text_config")));
}

Family qwen3_vl_family() {
  return {"qwen3_vl", {"Qwen3VLForConditionalGeneration"}, [](FolderReader& folder) {
            return read_qwen3_vl(folder, folder.config());
          }};
}

}  // namespace fineprint::models
