// `fineprint train verdicts`, `pages`, `questions` and `corpus-questions`, which make examples, and
// the pages of examples.
#pragma once

#include <functional>
#include <memory>

#include "fineprint/core/image.h"
#include "fineprint/session/page_images.h"
#include "fineprint/settings/settings.h"
#include "fineprint/train/answer_examples.h"

namespace fineprint::cli {

// Returns what draws the pages of examples at a tier: pictures (see PictureReader), and pages of
// --store, which is opened now if it is named. Pages of a store are drawn as for a question. When
// called, throws Error(input) if a page names a document that the store does not have, or a page
// that the document does not have, and Error(usage) if no store is named.
std::function<SharedImage(const train::ExamplePage& page, session::Tier tier)> example_pages(
    const settings::Settings& settings);

// Throws Error(usage) with `for_what` if no generator is named.
void require_generator(const settings::Settings& settings, const char* for_what);

// `fineprint train verdicts`: examples for judges, appended to the file --out. Returns an exit
// code.
int make_verdicts(const settings::Settings& settings);

// `fineprint train pages`: examples for retrievers of the pages of the store (or of --doc), written
// to the file --out. Returns an exit code.
int make_pages(const settings::Settings& settings);

// `fineprint train questions`: examples for retrievers of OpenDocVQA's training questions in
// --data, written to the file --out. Returns an exit code.
int make_questions(const settings::Settings& settings);

// `fineprint train corpus-questions`: questions that have one answer in the whole store, appended
// to the file --out. Returns an exit code.
int make_corpus_questions(const settings::Settings& settings);

}  // namespace fineprint::cli
