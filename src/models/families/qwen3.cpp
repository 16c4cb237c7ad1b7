// Qwen3, texts only. Source: Yang et al., "Qwen3 Technical Report" (2025), section 2.
#include "models/families/qwen3.h"

#include "models/config_facts.h"
#include "models/families/family.h"
#include "models/families/llama.h"
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

ModelSpec read_qwen3_folder(FolderReader& folder) {
  Decoder decoder = read_qwen3_decoder(folder.config());
  decoder.rope = read_scaled_rope(folder.config(), decoder.head_dim);
  ModelSpec spec = finish_llama(folder, decoder);
  // The instruction is that of Qwen3-Reranker's card; replies begin with an empty thought.
  spec.prompt.judge = qwen3_judge(
      "<Instruct>: Given a web search query, retrieve relevant passages that answer the "
      "query\n<Query>: ",
      "\n<Document>: ", "<think>\n\n</think>\n\n");
  return spec;
}

}  // namespace

Family qwen3_family() { return {"qwen3", {"Qwen3ForCausalLM"}, read_qwen3_folder}; }

}  // namespace fineprint::models
