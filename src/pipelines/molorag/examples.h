// Makes examples for the training of MoLoRAG's judge.
#pragma once

#include <functional>
#include <string>

#include "fineprint/pipelines/pipeline.h"

namespace fineprint::pipelines::molorag {

// For each try, draws a page, a mark and a subject; the generator writes a question that deserves
// the mark on this page, and then judges it as the walk does. Keeps examples whose verdict differs
// from the mark by at most 1: {"query", "image": "FILE#PAGE", "label": the verdict, "target",
// "focus", "answer", "source"}.
// Source: MoLoRAG, section 3.3 and appendices B and C; the subjects are those of its code.
MadeExamples make_examples(const session::Session& session, const ExampleOptions& options,
                           const std::function<void(const std::string& line)>& use);

}  // namespace fineprint::pipelines::molorag
