// How answering models are trained: with the requests of the pipelines' answering agents.
#pragma once

#include <functional>
#include <string>

#include "fineprint/core/image.h"
#include "fineprint/session/page_images.h"
#include "fineprint/train/answer_examples.h"
#include "fineprint/train/training.h"

namespace fineprint::train {

// Sets what the training asks the model. An example with pages makes the request of the agent
// "answer.pages_text", which pipelines such as vdocrag ask with `answer-format = "text"`; one with
// passages that of "answer.chunks_text" (textrag), and one without both that of
// "closed-book.answer". `prompts` is a folder, as for agents::load_agent; empty: the built-in
// prompts. `picture` draws a page at a tier. Throws what loading the prompts throws.
void set_answering(
    const std::string& prompts,
    const std::function<SharedImage(const ExamplePage& page, session::Tier tier)>& picture,
    AnswerJob* job);

}  // namespace fineprint::train
