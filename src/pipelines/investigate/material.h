// Finds what a round reads: passages, pages, parts of pages, cells of tables. Nothing is found
// twice.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "fineprint/agents/agent.h"
#include "fineprint/agents/answer.h"
#include "fineprint/core/ids.h"
#include "fineprint/pipelines/pipeline.h"
#include "fineprint/retrieve/search.h"
#include "fineprint/session/context.h"

#include "pipelines/investigate/actions.h"
#include "pipelines/investigate/options.h"

namespace fineprint::pipelines::investigate {

// What a round shows: passages of text, or pictures. One action never finds both.
struct Material {
  std::vector<agents::ChunkShown> passages = {};
  std::vector<agents::Shown> pictures = {};

  bool empty() const { return passages.empty() && pictures.empty(); }
  std::size_t size() const { return passages.size() + pictures.size(); }
  // Returns the page of a passage or picture by its number in the prompt.
  PageId page(std::size_t source) const;
  std::vector<PageId> pages() const;
};

// A cell of a table: the row as it is on the page, and "Revenue, 2023: 612".
struct Cell {
  PageId page;
  std::string row, reading;
};

// Finds material for one question, within its pool.
class Finder {
 public:
  // `options` must outlive the object.
  Finder(session::Context& context, const retrieve::SearchOptions& search, const Options& options);

  // Returns the passages for the question, by the preset's own K.
  Material first(const std::string& question);
  // Returns passages for the action's words, at most Options::new_passages that were not shown.
  Material search(const Action& action);
  // Return pages by number, as pictures if the model sees and otherwise as their text; the enlarged
  // region of a page; and the places of that name in document maps. Pages that do not exist or were
  // read before are left out.
  Material read(const Action& action);
  Material zoom(const Action& action);
  Material look_up(const Action& action);
  // Returns pages that the page graph links with a page, at most three that were not read: first
  // the ones that rank higher for the question. Nothing if its document has no page graph.
  Material follow(const Action& action);
  // Returns the cell of a table on a page that was shown, by the words of its row's and its
  // column's head; nothing if no table has both.
  std::optional<Cell> cell(const Action& action) const;

  // Shows no more pictures, because the model refused them, and returns the material with the texts
  // of their pages instead.
  Material close_eyes(const Material& seen);

  // Returns what actions there are apart from those over facts.
  Choices choices() const;
  // Returns all pages that were shown, with the ranking of the first search, for the record.
  std::vector<RetrievedPage> retrieved() const;

 private:
  void show(PageId page, double score);
  Material shown_as(std::vector<PageId> pages, session::Tier tier);
  agents::ChunkShown page_in_words(PageId page) const;
  std::optional<DocumentId> document_of(const Action& action) const;
  std::vector<PageId> pages_named(const Action& action) const;
  // Returns the documents that actions may name: all of a small pool, else the ones whose pages
  // were shown.
  session::Pool near_documents() const;
  bool has_map(DocumentId document) const;
  // Returns the pages linked with this one, the highest ranked first.
  std::vector<PageId> linked_with(PageId page) const;
  std::optional<std::string> graph_set(DocumentId document) const;
  bool has_tables() const;

  session::Context& context_;
  const session::Corpus& corpus_;
  const retrieve::SearchOptions& search_;
  const Options& options_;
  bool sees_;
  const session::Pool pool_;
  std::set<ChunkId> chunks_;                        // shown in passages
  std::set<PageId> whole_;                          // read whole
  std::set<std::pair<PageId, std::string>> parts_;  // enlarged
  std::vector<retrieve::RankedPage> shown_, ranking_;
};

}  // namespace fineprint::pipelines::investigate
