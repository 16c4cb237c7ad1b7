// Makes questions that have exactly one answer in a whole store.
// Source: the making of ViDoSeek (ViDoRAG, arXiv 2502.18017, section 4.1).
#pragma once

#include <string>
#include <vector>

#include "fineprint/core/records.h"
#include "fineprint/session/context.h"

namespace fineprint::train {

struct CorpusQuestionOptions {
  long wanted = 0;                // new questions, with those of an earlier run
  long seed = 0;                  // of the draws
  std::vector<std::string> docs;  // limits the pages that new questions are about
  std::string prompts;            // a folder, as for agents::load_agent
  // If not empty, these questions are reviewed in place of new ones. Each has an answer and gold
  // pages with documents.
  std::vector<Question> given;
};

struct CorpusQuestions {
  long kept = 0;       // with those of an earlier run
  long refined = 0;    // of those kept now
  long general = 0;    // left out: no refinement made them specific
  long ambiguous = 0;  // left out: other pages answer them too
  long no_use = 0;     // left out: a reply could not be used, or the pages gave no question
};

// Step 2, without given questions: draws one page, or two of a document, and a subject, and lets
// the session's generator write a question and its answer. Step 3: asks whether the question is
// general, and whether one of the pages that a search of the whole store finds answers it too. Step
// 4: a question that fails is written again by a model that sees its gold pages, and reviewed
// again.
//
// Appends the questions that pass to `file`, each synced to disk: records of a question with gold
// pages, "source_type", "query_type" and, if it was refined, "refined_from". An earlier run that
// made some of them there is continued. Throws Error(input) if a given question lacks gold, if the
// store has no pages, and if the file was made with another generator or seed.
CorpusQuestions make_corpus_questions(const session::Session& session,
                                      const CorpusQuestionOptions& options,
                                      const std::string& file);

}  // namespace fineprint::train
