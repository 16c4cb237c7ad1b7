// The answer that a reader points at in found pages.
#pragma once

#include <string>
#include <vector>

#include "fineprint/evidence/execution.h"
#include "fineprint/models/reader.h"
#include "fineprint/retrieve/search.h"
#include "fineprint/session/context.h"

#include "pipelines/extractive/candidates.h"

namespace fineprint::pipelines::extractive {

struct ReadAnswer {
  evidence::Execution execution;
  std::vector<Candidate> candidates;       // sorted anew by what their pages hold
  std::vector<Candidate> proof;            // what it was read in, best first; may be empty
  std::vector<retrieve::FoundPage> pages;  // found, and sorted anew by what they hold
};

// Has the most promising passages of the first pages read, once. What is promising, `candidates`,
// best first, say: the passage that holds the best one is.
ReadAnswer read_answer(const session::Context& context, const models::Reader& reader,
                       const Reading& reading, std::vector<Candidate> candidates);

}  // namespace fineprint::pipelines::extractive
