// What the recipes of the Qwen3 generation share.
#pragma once

#include "fineprint/models/model_spec.h"

#include "models/folder_reader.h"

namespace fineprint::models {

// Reads a decoder with grouped keys and values and normalised queries and keys; sets no positions.
Decoder read_qwen3_decoder(const JsonFacts& text);

// Reads the experts of a decoder, which has this many layers.
Experts read_qwen3_experts(const JsonFacts& config, int layers);

// Returns how models of this line are asked to judge a document. `before_question` and
// `before_document` go into the user message, `before_reply` begins the reply. Source: see
// JudgeFrame.
JudgeFrame qwen3_judge(const std::string& before_question, const std::string& before_document,
                       const std::string& before_reply);

}  // namespace fineprint::models
