// How answering models are trained: with the request of the pipelines' answering agent.
#pragma once

#include <functional>
#include <string>

#include "fineprint/core/image.h"
#include "fineprint/session/page_images.h"
#include "fineprint/train/answer_examples.h"
#include "fineprint/train/training.h"

namespace fineprint::train {

// Sets what the training asks the model: the request of the agent "answer.pages_text", which
// pipelines such as vdocrag ask with `answer-format = "text"`. `prompts` is a folder, as for
// agents::load_agent; empty: the built-in prompts. `picture` draws a page at a tier. Throws what
// loading the prompt throws.
void set_answering(
    const std::string& prompts,
    const std::function<SharedImage(const ExamplePage& page, session::Tier tier)>& picture,
    AnswerJob* job);

}  // namespace fineprint::train
