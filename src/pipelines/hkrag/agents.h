// The agents of HKRAG: Pruner, Judger, Decoupler (mining and separating), Summarizer.
// Source: HKRAG, section 3.3. The paper gives neither the form of replies nor fallbacks; both are
// ours.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fineprint/agents/agent.h"
#include "fineprint/agents/answer.h"
#include "fineprint/agents/citations.h"
#include "fineprint/agents/uncertainty.h"
#include "fineprint/core/ids.h"

namespace fineprint::pipelines::hkrag {

// A fact that an agent copied from a page.
struct Note {
  std::string text;
  PageId page;
  std::string where = {};  // "footnote 2"; may be empty
  bool fine_print = false;
};

// The result of pruning one page.
struct Pruned {
  std::vector<Note> facts;
  bool sufficient = false;
  bool well_formed = false;
  bool refused = false;  // the budget refused the call, or cut it short
};

// A trial answer and how uncertain the generator was of it.
struct Trial {
  agents::TurnReply reply;            // its text is the trial answer
  std::optional<double> uncertainty;  // H'; nullopt without log-probabilities
  bool refused = false;               // as in Pruned; a cut reply keeps its text
};

// A part of a page that the Decoupler asks to see enlarged.
struct Region {
  PageId page;
  std::string where;  // a region that region_box() knows
};

// Overlooked details, and the regions to look at next.
struct Mined {
  std::vector<Note> details;
  std::vector<Region> regions;
  bool refused = false;
};

// Statements as the Decoupler sorts them.
struct Statements {
  std::vector<std::string> salient, fine_print;
};

// Sorted statements, and whether they answer the question.
struct Separated {
  Statements statements;
  bool answerable = false;
  bool refused = false;
};

// Returns a note as one line of a prompt: "page 1, footnote 2: Unaudited.". The number is the index
// of its page in `pages`; a page that is not in `pages` is not named.
std::string note_line(const Note& note, std::span<const PageId> pages);
// Returns the lines of all notes, by their kind.
Statements statements_of(std::span<const Note> notes, std::span<const PageId> pages);
// Returns what an answer rests on: the notes on the pages that the reply names as evidence (on all
// pages if `names_pages` is false), and for a page without notes the page itself. Empty if the
// answer abstains.
std::vector<agents::Claim> claims_of(const agents::StatedAnswer& stated, bool names_pages,
                                     std::span<const PageId> pages, std::span<const Note> notes);

// Returns the names of all agents, for the pipeline to declare.
std::vector<std::string> agent_names();

// The calls of one question. Every call leaves in the budget what the Summarizer needs for
// `reserve` pages.
class Agents {
 public:
  // `prompts`: a folder, as for load_prompt.
  Agents(session::Context& context, std::string question, std::string prompts)
      : context_(context), question_(std::move(question)), prompts_(std::move(prompts)) {}

  // Returns facts of one page that the notes do not hold yet, and whether all facts together
  // suffice. Fallback: no facts, not sufficient.
  Pruned prune(PageId page, std::span<const Note> notes, int reserve) const;

  // Asks for a short answer in plain text, only to measure its uncertainty, and traces it as the
  // step "uncertainty". Fallback: H' = 1.
  Trial judge(std::span<const PageId> pages, const Statements& known,
              const agents::UncertaintyOptions& options) const;

  // Returns what was overlooked, found in the pages (and crops of them) at the tier `fine`, or in
  // the statements alone; also up to `crops` regions to look at next. Fallback: nothing.
  struct Mining {
    bool images = true;
    int crops = 0;
  };
  Mined mine(std::span<const PageId> pages, std::span<const Region> shown_regions,
             const Statements& known, const Mining& mining) const;

  // Returns the statements, sorted again. Fallback: the statements unchanged, not answerable.
  Separated separate(const Statements& known, int reserve) const;

  // Returns the answer, from as many of the pages as the budget allows (see ask_about_pages).
  // `draft`: the trial answer if it is to be checked, otherwise nullptr.
  agents::TurnReply summarize(std::vector<PageId>* pages, const Statements& known,
                              const std::string* draft) const;

 private:
  agents::Agent agent(std::string_view role) const;

  session::Context& context_;
  std::string question_, prompts_;
};

}  // namespace fineprint::pipelines::hkrag
