// Examples for the training of the judge.
#pragma once

#include <functional>
#include <string>

#include "fineprint/pipelines/pipeline.h"

namespace fineprint::pipelines::molorag {

// A page, a mark and a subject are drawn; the generator writes a question so near to the page, and
// then judges it as the walk does. Kept are those whose verdict is off by 1 at most:
// {"query", "image": "FILE#PAGE", "label": the verdict, "target", "focus", "answer", "source"}.
// Source: MoLoRAG, section 3.3 and appendices B and C; the subjects are its code's.
MadeExamples make_examples(const session::Session& session, const ExampleOptions& options,
                           const std::function<void(const std::string& line)>& use);

}  // namespace fineprint::pipelines::molorag
