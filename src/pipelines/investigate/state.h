// What an investigation knows: facts, open parts, what was read and done. Prompts show the state in
// place of everything that was read.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/agents/citations.h"
#include "fineprint/core/ids.h"
#include "fineprint/session/corpus.h"

namespace fineprint::pipelines::investigate {

// Something that a page says, or that was computed from what pages say.
struct Fact {
  std::string quote;                   // as on the page; of a computed fact: its derivation
  std::optional<PageId> page = {};     // absent if it was computed
  std::string reading = {};            // what the quote means: "Revenue, 2023: 612"; may be empty
  std::string part = {};               // the open part that was first when it was noted
  double scale = 1;                    // of the figures of a table row: 1e6 below "(in millions)"
  std::vector<std::size_t> from = {};  // the facts that it was computed from
};

// Facts and open parts. Facts are numbered from 0 in the order in which they were noted.
class State {
 public:
  // `corpus` must outlive the object. `verify`: take only quotes that are on their page.
  State(const session::Corpus& corpus, bool verify) : corpus_(corpus), verify_(verify) {}

  // Notes a quote of a page and returns its number, also if it is known. Returns nothing if it is
  // empty, or not on the page: letter by letter, or nearly with the same numbers (see
  // text::find_quote).
  std::optional<std::size_t> note(PageId page, std::string_view quote, std::string reading = {});
  // Notes a computed fact, if it is not known yet.
  void note_computed(std::string derivation, std::vector<std::size_t> from);
  // Replaces the open parts. Repeated and empty ones are dropped, and parts that only name a
  // document or a page: small models copy these from the heads of passages. If no other part is
  // left, the earlier ones stay open.
  void open(std::vector<std::string> parts);
  // Removes an open part, because there is a fact for it.
  void close(std::string_view part);
  // Records what was done, for the prompt: "search \"Ann Lee\": 3 passages".
  void did(std::string line) { done_.push_back(std::move(line)); }
  // Records that a page was read, whole or in part.
  void saw(PageId page);

  // Returns whether every part has facts: nothing is open, and something is known.
  bool is_settled() const { return open_.empty() && !facts_.empty(); }
  std::span<const Fact> facts() const { return facts_; }
  const std::vector<std::string>& open_parts() const { return open_; }
  const std::vector<PageId>& seen() const { return seen_; }

  // Returns the state as lines: "Open: ...", "Fact 0 (a.pdf, page 3): ...", "Done: ...", "Seen:
  // ...".
  std::string text() const;
  // Returns all facts, with the facts that they were computed from, as claims about pages.
  std::vector<agents::Claim> claims_of(std::span<const std::size_t> facts, double score) const;
  // Returns the quotes and readings of these facts, one in each line.
  std::string said_by(std::span<const std::size_t> facts) const;
  std::vector<std::size_t> all() const;
  // Returns "a.pdf, page 3".
  std::string place(PageId page) const;

 private:
  std::optional<std::size_t> number_of(const std::optional<PageId>& page,
                                       std::string_view quote) const;
  std::string seen_text() const;
  // Returns whether the words only name a document, a page or both: "a.pdf, page 3", "page 3".
  bool is_place(std::string_view words) const;

  const session::Corpus& corpus_;
  const bool verify_;
  std::vector<Fact> facts_;
  std::vector<std::string> open_, done_;
  std::vector<PageId> seen_;  // each once, in the order in which they were read
};

}  // namespace fineprint::pipelines::investigate
