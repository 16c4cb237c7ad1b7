// The agents of ViDoRAG: Seeker, Inspector, Answer agent.
// Source: ViDoRAG (arXiv 2502.18017), section 5.2; the replies' form and the fallbacks are ours.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/agents/agent.h"

#include "pipelines/vidorag/options.h"

namespace fineprint::pipelines::vidorag {

// Dense numbers, each once.
using Pages = std::vector<std::uint32_t>;

// What the Seeker goes by besides the candidates.
struct Clues {
  std::string memory;    // M: its last summary; empty: none
  std::string feedback;  // F: what the last inspection lacked; empty: nothing
};

struct Sought {
  Pages selected;  // among the candidates, in their order
  std::string summary;
  bool refused = false;  // the budget did not allow the call, or cut it
};

struct Inspected {
  agents::TurnReply reply;
  bool refused = false;
  bool answers = false;
  std::string draft = {};  // when it answers
  Pages named = {};  // that prove the draft, or that are to be kept; in the order of those shown
  std::string information = {};  // that is missing, when it does not answer
};

// The pages that the indices of a list name, in the order of `pages`; those beyond count nothing.
Pages pages_named(std::span<const std::size_t> indices, std::span<const std::uint32_t> pages);

// All agents, for the pipeline to declare.
std::vector<std::string> agent_names();

// As the Seeker sees candidates: a mosaic only where the generator looks at all pixels of the
// largest one.
Layout seeker_layout(const session::Context& context, const View& view);

// One question's calls. Every call but the last leaves the budget what the Answer agent needs.
class Agents {
 public:
  // `options` must outlive it; `prompts`: a folder, as for load_prompt.
  Agents(session::Context& context, std::string question, const Options& options,
         std::string prompts)
      : context_(context),
        question_(std::move(question)),
        options_(options),
        prompts_(std::move(prompts)) {}

  // Those of 1 to agents::kMostInMosaic candidates that are worth reading. In the first round,
  // nothing having been read, none is malformed. `reserve`: pages of the Answer agent. Fallback:
  // the first two candidates, the summary as the memory was.
  Sought seek(std::span<const std::uint32_t> candidates, const Clues& clues, bool first,
              int reserve) const;

  // Whether the pages suffice. Fallback: they do not, all are to be kept, nothing is known to be
  // missing.
  Inspected inspect(std::span<const std::uint32_t> pages) const;

  // The answer, from as many of the pages as the budget allows (see ask_about_pages). `draft` may
  // be empty.
  agents::TurnReply answer(Pages* pages, const std::string& draft) const;

 private:
  agents::Agent agent(std::string_view role, session::Tier tier) const;
  std::vector<agents::Shown> shown(std::span<const std::uint32_t> pages, const View& view) const;

  session::Context& context_;
  std::string question_;
  const Options& options_;
  std::string prompts_;
};

}  // namespace fineprint::pipelines::vidorag
