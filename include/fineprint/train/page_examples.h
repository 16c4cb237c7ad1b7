// Makes examples of pages and their texts, for training without questions.
#pragma once

#include <string>
#include <vector>

#include "fineprint/session/corpus.h"

namespace fineprint::train {

// The pages that became examples, and the pages that did not.
struct PageExamples {
  long pages = 0;
  long without_words = 0;  // left out
};

// Writes a line to `file` for each page that has words, of the documents that `docs` names (of all
// if it is empty): {"query": its text, "positive": {"image": "FILE#PAGE"}}. Throws what reading the
// store and writing the file throw, and Error(interrupted).
PageExamples write_page_examples(const session::Corpus& corpus,
                                 const std::vector<std::string>& docs, const std::string& file);

}  // namespace fineprint::train
