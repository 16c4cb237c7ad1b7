// Qwen3, texts only. Source: Yang et al., "Qwen3 Technical Report" (2025), section 2.
#include "models/families/qwen3.h"

#include <algorithm>

#include "models/config_facts.h"
#include "models/families/family.h"
#include "models/families/llama.h"
#include "models/parts.h"
#include "models/rope_scaling.h"

namespace fineprint::models {

Decoder read_qwen3_decoder(const JsonFacts& text) {
  text.expect_text("hidden_act", "silu", true);
  text.expect_flag("attention_bias", false);
  Decoder decoder = read_decoder(text, {.head_dim = 128});
  decoder.qk_norm = true;
  return decoder;
}

JudgeFrame qwen3_judge(const std::string& before_question, const std::string& before_document,
                       const std::string& before_reply) {
  return {
      "<|im_start|>system\nJudge whether the Document meets the requirements based on the Query "
      "and the Instruct provided. Note that the answer can only be \"yes\" or \"no\"."
      "<|im_end|>\n<|im_start|>user\n" +
          before_question,
      before_document, "<|im_end|>\n<|im_start|>assistant\n" + before_reply};
}

namespace {

constexpr const char* kClassifier = "Qwen3ForSequenceClassification";

bool is_classifier(const JsonFacts& config) {
  const std::vector<std::string> names = config.texts("architectures", 16);
  return std::ranges::find(names, kClassifier) != names.end();
}

// Qwen3-Reranker whose head was cut to the rows of its verdicts.
void read_verdicts(const JsonFacts& config, ModelSpec* spec) {
  const Json labels = config.has("id2label") ? config.object("id2label").json() : Json();
  const bool yes_and_no = labels == Json{{"0", "yes"}, {"1", "no"}};
  if (!yes_and_no && labels.size() != 1) {
    config.fail("id2label",
                "must name one class, or \"yes\" and \"no\": only models that judge "
                "pairs of texts are supported");
  }
  spec->head.generates = false;
  spec->head.verdicts = yes_and_no ? 2 : 1;
  spec->parts.back() = head_tensors(spec->head, std::get<Decoder>(spec->trunk), {""});
}

ModelSpec read_qwen3_folder(FolderReader& folder) {
  Decoder decoder = read_qwen3_decoder(folder.config());
  decoder.rope = read_scaled_rope(folder.config(), decoder.head_dim);
  ModelSpec spec = finish_llama(folder, decoder);
  if (is_classifier(folder.config())) read_verdicts(folder.config(), &spec);
  // The instruction is that of Qwen3-Reranker's card; replies begin with an empty thought.
  spec.prompt.judge = qwen3_judge(
      "<Instruct>: Given a web search query, retrieve relevant passages that answer the "
      "query\n<Query>: ",
      "\n<Document>: ", "<think>\n\n</think>\n\n");
  return spec;
}

}  // namespace

Family qwen3_family() { return {"qwen3", {"Qwen3ForCausalLM", kClassifier}, read_qwen3_folder}; }

}  // namespace fineprint::models
