// The agents of ViDoRAG: Seeker, Inspector, Answer agent.
// Source: ViDoRAG (arXiv 2502.18017), section 5.2; the form of replies and the fallbacks are ours.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/agents/agent.h"
#include "fineprint/core/ids.h"

#include "pipelines/vidorag/options.h"

namespace fineprint::pipelines::vidorag {

// Page ids, each once.
using Pages = std::vector<PageId>;

// What the Seeker knows in addition to the candidates.
struct Clues {
  std::string memory;    // M: its last summary; empty: none
  std::string feedback;  // F: the last inspection's evaluation, and what it lacked; may be empty
};

// The Seeker's choice.
struct Sought {
  Pages selected;  // of the candidates, in their order
  std::string summary;
  bool refused = false;  // the budget refused the call, or cut it short
};

// The Inspector's verdict.
struct Inspected {
  agents::TurnReply reply;
  bool refused = false;
  bool answers = false;
  std::string draft = {};     // if it answers
  Pages named = {};           // the draft's evidence, or the pages to keep; in the order shown
  std::string feedback = {};  // the evaluation and what it lacks, if it does not answer
};

// Returns the pages that a list of indices names, in the order of `pages`. Indices out of range are
// ignored.
Pages pages_named(std::span<const std::size_t> indices, std::span<const PageId> pages);

// Returns the names of all agents, for the pipeline to declare.
std::vector<std::string> agent_names();

// Returns how the Seeker sees candidates: as a mosaic only if the generator can use all pixels of
// the largest one, because a shrunken mosaic is unreadable.
Layout seeker_layout(const session::Context& context, const View& view);

// The calls of one question. Every call but the last leaves in the budget what the Answer agent
// needs.
class Agents {
 public:
  // `options` must outlive the object; `prompts`: a folder, as for load_prompt.
  Agents(session::Context& context, std::string question, const Options& options,
         std::string prompts)
      : context_(context),
        question_(std::move(question)),
        options_(options),
        prompts_(std::move(prompts)) {}

  // Returns which of 1 to agents::kMostInMosaic candidates are worth reading. In the first round an
  // empty choice is malformed, because nothing has been read yet. `reserve`: pages of the Answer
  // agent. Fallback: the first two candidates, and the memory as the summary.
  Sought seek(std::span<const PageId> candidates, const Clues& clues, bool first,
              int reserve) const;

  // Returns whether the pages suffice. Fallback: they do not, all are kept, and nothing is known to
  // be missing.
  Inspected inspect(std::span<const PageId> pages) const;

  // Returns the answer, from as many of the pages as the budget allows (see ask_about_pages).
  // `draft` may be empty.
  agents::TurnReply answer(Pages* pages, const std::string& draft) const;

 private:
  agents::Agent agent(std::string_view role, session::Tier tier) const;
  std::vector<agents::Shown> shown(std::span<const PageId> pages, const View& view) const;

  session::Context& context_;
  std::string question_;
  const Options& options_;
  std::string prompts_;
};

}  // namespace fineprint::pipelines::vidorag
