// The agents of HKRAG: Pruner, Judger, Decoupler (mining and separating), Summarizer.
// Source: HKRAG, section 3.3; the replies' form and the fallbacks are ours, the paper gives none.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fineprint/agents/agent.h"
#include "fineprint/agents/citations.h"
#include "fineprint/agents/reading.h"
#include "fineprint/agents/uncertainty.h"
#include "fineprint/core/geometry.h"

namespace fineprint::pipelines::hkrag {

// A fact that an agent copied from a page.
struct Note {
  std::string text;
  std::uint32_t page = 0;  // dense
  std::string where = {};  // "footnote 2"; may be empty
  bool fine_print = false;
};

struct Pruned {
  std::vector<Note> facts;
  bool sufficient = false;
  bool well_formed = false;
  bool refused = false;  // the budget did not allow the call, or cut it
};

struct Trial {
  agents::TurnReply reply;            // its text is the answer
  std::optional<double> uncertainty;  // H'; nullopt without log-probabilities
  bool refused = false;               // one that was cut has the text that was written
};

// A part of a page that the Decoupler asks to see larger.
struct Region {
  std::uint32_t page = 0;  // dense
  std::string where;       // one of region_names()
};

struct Mined {
  std::vector<Note> details;
  std::vector<Region> regions;
  bool refused = false;
};

// Statements as the Decoupler sorts them.
struct Statements {
  std::vector<std::string> salient, fine_print;
};

struct Separated {
  Statements statements;
  bool answerable = false;
  bool refused = false;
};

// The regions by name: halves ("top", "left"), quarters ("top left") and the "middle", each half as
// wide or high as the page, or both.
std::span<const std::string_view> region_names();
// The region's box on a page of this size. Throws Error(internal) for another name.
Box region_box(std::string_view where, float width_pt, float height_pt);

// A note as prompts show it, in one line: "page 1, footnote 2: Unaudited." with the index of its
// page among `pages`; another page is not named.
std::string note_line(const Note& note, std::span<const std::uint32_t> pages);
// The notes' lines by their kind.
Statements statements_of(std::span<const Note> notes, std::span<const std::uint32_t> pages);
// What an answer rests on: the notes on the pages that it names as its evidence (on all pages when
// the reply `names_pages` not), and such a page as a whole where there is no note on it. Nothing
// when it declines.
std::vector<agents::Claim> claims_of(const agents::Verdict& verdict, bool names_pages,
                                     std::span<const std::uint32_t> pages,
                                     std::span<const Note> notes);

// All agents, for the pipeline to declare.
std::vector<std::string> agent_names();

// One question's calls. Every call leaves the budget what the Summarizer needs for `reserve` pages.
class Agents {
 public:
  // `prompts`: a folder, as for load_prompt.
  Agents(session::Context& context, std::string question, std::string prompts)
      : context_(context), question_(std::move(question)), prompts_(std::move(prompts)) {}

  // Facts of one page that the notes do not hold yet, and whether all together suffice. Fallback:
  // no facts, not sufficient.
  Pruned prune(std::uint32_t page, std::span<const Note> notes, int reserve) const;

  // A short answer in plain text for the sake of its uncertainty, which goes into the trace as the
  // step "uncertainty". Fallback: H' = 1. Warns, once a process, when the generator tells no
  // log-probabilities.
  Trial judge(std::span<const std::uint32_t> pages, const Statements& known,
              const agents::UncertaintyOptions& options) const;

  // What was overlooked, from the pages (and crops of them) in the tier `fine`, or from the
  // statements alone; up to `crops` regions to look at next. Fallback: nothing.
  struct Mining {
    bool images = true;
    int crops = 0;
  };
  Mined mine(std::span<const std::uint32_t> pages, std::span<const Region> shown_regions,
             const Statements& known, const Mining& mining) const;

  // The statements sorted anew. Fallback: as they were, not answerable.
  Separated separate(const Statements& known, int reserve) const;

  // The answer, from as many of the pages as the budget allows (see ask_about_pages). `draft`: the
  // trial answer, if it is to be checked, else nullptr.
  agents::TurnReply summarize(std::vector<std::uint32_t>* pages, const Statements& known,
                              const std::string* draft) const;

 private:
  agents::Agent agent(std::string_view role) const;

  session::Context& context_;
  std::string question_, prompts_;
};

}  // namespace fineprint::pipelines::hkrag
