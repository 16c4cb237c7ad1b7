// What the Qwen3 generation shares.
#pragma once

#include "fineprint/models/model_spec.h"

#include "models/folder_reader.h"

namespace fineprint::models {

// Grouped keys and values, queries and keys normed; without positions.
Decoder read_qwen3_decoder(const JsonFacts& text);

// How models of this line that judge documents are asked. `before_question` and `before_document`
// stand in the user's message, `before_reply` opens the model's. Source: see JudgeFrame.
JudgeFrame qwen3_judge(const std::string& before_question, const std::string& before_document,
                       const std::string& before_reply);

}  // namespace fineprint::models
