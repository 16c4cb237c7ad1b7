// Searches, reads and looks up within the question's pool.
#include "pipelines/investigate/material.h"

#include <algorithm>
#include <string_view>

#include "fineprint/core/format.h"
#include "fineprint/core/text.h"
#include "fineprint/core/unicode.h"
#include "fineprint/docmap/places.h"
#include "fineprint/docmap/stored_map.h"
#include "fineprint/session/page_links.h"

#include "pipelines/investigate/cells.h"
#include "pipelines/reading/passages.h"
#include "pipelines/reading/regions.h"

namespace fineprint::pipelines::investigate {
namespace {

constexpr std::size_t kMostDocuments = 12;  // that a schema names
constexpr std::size_t kMostPages = 3;       // that one action reads
constexpr std::size_t kMostPageBytes = 8000;

// Returns the beginning of a page's text, whole lines of at most kMostPageBytes.
std::string text_of_page(const Page& page) {
  std::string text;
  for (const Line& line : page.lines) {
    const std::string words = line_text(page, line);
    if (text.size() + words.size() > kMostPageBytes) break;
    text += words + "\n";
  }
  return text;
}

// Returns the pages that a map gives for a name: pages and elements named so, and sections with
// this number or these words in their title.
std::vector<int> mapped_pages(const docmap::DocumentMap& map,
                              const std::vector<std::string>& labels, const std::string& name) {
  std::vector<int> pages = docmap::pages_named(map, labels, name);
  for (const std::size_t element : docmap::elements_named(map, name)) {
    pages.push_back(map.elements[element].page);
  }
  if (!pages.empty()) return pages;
  const std::string folded = fold(trim(name));
  for (const docmap::Section& section : map.sections) {
    const bool fits = section.number == trim(name) ||
                      (folded.size() > 2 && fold(section.title).find(folded) != std::string::npos);
    if (fits) pages.insert(pages.end(), section.pages.begin(), section.pages.end());
  }
  return pages;
}

}  // namespace

PageId Material::page(std::size_t source) const {
  if (source < passages.size()) return passages[source].page;
  return pictures.at(source - passages.size()).pages.front();
}

std::vector<PageId> Material::pages() const {
  std::vector<PageId> pages;
  for (std::size_t i = 0; i < size(); ++i) pages.push_back(page(i));
  return pages;
}

Finder::Finder(session::Context& context, const retrieve::SearchOptions& search,
               const Options& options)
    : context_(context),
      corpus_(context.session.corpus()),
      search_(search),
      options_(options),
      sees_(context.session.generator("investigate.step").sees()),
      pool_(search.pool ? *search.pool : corpus_.pool(search.docs)) {}

void Finder::show(PageId page, double score) {
  if (std::ranges::find(shown_, page, &retrieve::RankedPage::page) == shown_.end()) {
    shown_.push_back({page, score});
  }
}

Material Finder::first(const std::string& question) {
  Passages found = search_passages(context_, question, search_, 0);
  for (const Passage& passage : found.list) {
    show(passage.page, passage.score);
    for (ChunkId id = passage.first_chunk; id < passage.end_chunk; ++id) chunks_.insert(id);
  }
  ranking_ = std::move(found.ranking);
  return {.passages = shown_passages(corpus_, std::move(found.list))};
}

Material Finder::search(const Action& action) {
  retrieve::SearchOptions search = search_;
  const auto wanted = static_cast<std::size_t>(options_.new_passages);
  // Passages that were shown are found again and left out.
  search.k = options_.new_passages + static_cast<int>(chunks_.size());
  search.adaptive = false;
  search.also.clear();
  if (!action.scorer.empty()) search.scorers = {action.scorer};
  if (const auto document = document_of(action)) search.pool = session::Pool{*document};
  const std::string words = action.also.empty() ? action.words : action.words + " " + action.also;
  std::vector<Passage> fresh;
  for (Passage& passage : search_passages(context_, words, search, 0).list) {
    if (fresh.size() == wanted || whole_.contains(passage.page)) continue;
    if (!chunks_.insert(passage.first_chunk).second) continue;
    show(passage.page, passage.score);
    fresh.push_back(std::move(passage));
  }
  return {.passages = shown_passages(corpus_, std::move(fresh))};
}

std::optional<DocumentId> Finder::document_of(const Action& action) const {
  const auto document = corpus_.document_named(action.document);
  if (!document || std::ranges::find(pool_, *document) == pool_.end()) return std::nullopt;
  return document;
}

std::vector<PageId> Finder::pages_named(const Action& action) const {
  const std::optional<DocumentId> named = document_of(action);
  // Without a name, the document that ranks first is meant.
  const std::optional<DocumentId> document =
      named || shown_.empty() ? named : corpus_.document_of(shown_.front().page);
  std::vector<PageId> pages;
  if (!document) return pages;
  const int count = static_cast<int>(corpus_.documents()[document->value].row.page_count);
  for (const int page : action.pages) {
    if (page >= 1 && page <= count) pages.push_back(corpus_.page_number(*document, page));
  }
  return pages;
}

Material Finder::shown_as(std::vector<PageId> pages, session::Tier tier) {
  Material material;
  for (const PageId page : pages) {
    if (material.size() == kMostPages || !whole_.insert(page).second) continue;
    show(page, 0);
    if (sees_) {
      material.pictures.push_back({{page}, context_.session.images().page(page, tier)});
    } else {
      material.passages.push_back(page_in_words(page));
    }
  }
  return material;
}

agents::ChunkShown Finder::page_in_words(PageId page) const {
  const PageRef ref = corpus_.ref(page);
  return {page, format("{}, page {}", ref.doc, ref.page), text_of_page(corpus_.page(page))};
}

Material Finder::close_eyes(const Material& seen) {
  sees_ = false;
  Material material{.passages = seen.passages};
  for (const agents::Shown& picture : seen.pictures) {
    material.passages.push_back(page_in_words(picture.pages.front()));
  }
  return material;
}

Material Finder::read(const Action& action) {
  using session::Tier;
  return shown_as(pages_named(action), action.tier == "fine" ? Tier::fine : Tier::page);
}

Material Finder::zoom(const Action& action) {
  Material material;
  for (const PageId page : pages_named(action)) {
    if (!parts_.emplace(page, action.where).second) continue;
    show(page, 0);
    const Page content = corpus_.page(page);
    const Box box = region_box(action.where, content.width_pt, content.height_pt);
    material.pictures.push_back({{page},
                                 context_.session.images().crop(page, box, session::Tier::fine),
                                 action.where + " of the page"});
  }
  return material;
}

Material Finder::look_up(const Action& action) {
  const std::optional<DocumentId> named = document_of(action);
  std::vector<PageId> pages;
  for (const DocumentId document : named ? session::Pool{*named} : near_documents()) {
    if (!has_map(document)) continue;
    const store::DocumentRow& row = corpus_.documents()[document.value].row;
    const docmap::DocumentMap map = docmap::stored_map(corpus_.store(), row);
    for (const int page : mapped_pages(map, corpus_.store().page_labels(row.id), action.words)) {
      pages.push_back(corpus_.page_number(document, page));
    }
  }
  return shown_as(std::move(pages), session::Tier::page);
}

Material Finder::follow(const Action& action) {
  std::vector<PageId> linked;
  for (const PageId page : pages_named(action)) {
    std::ranges::copy(linked_with(page), std::back_inserter(linked));
  }
  return shown_as(std::move(linked), session::Tier::page);
}

std::vector<PageId> Finder::linked_with(PageId page) const {
  const std::optional<std::string> set = graph_set(corpus_.document_of(page));
  if (!set) return {};
  std::vector<PageId> linked = session::PageLinks(corpus_, *set, {}).of(page);
  const auto place = [&](PageId other) {
    return std::ranges::find(ranking_, other, &retrieve::RankedPage::page) - ranking_.begin();
  };
  std::ranges::stable_sort(linked, {}, place);
  return linked;
}

std::optional<std::string> Finder::graph_set(DocumentId document) const {
  const store::DocumentRow& row = corpus_.documents()[document.value].row;
  for (const store::VectorSet& set : corpus_.store().vector_sets()) {
    if (corpus_.store().page_graph(row.id, set.name)) return set.name;
  }
  return std::nullopt;
}

std::optional<Cell> Finder::cell(const Action& action) const {
  for (const retrieve::RankedPage& shown : shown_) {
    if (const auto found = cell_on(corpus_.page(shown.page), action.row, action.column)) {
      return Cell{shown.page, found->row, found->reading};
    }
  }
  return std::nullopt;
}

session::Pool Finder::near_documents() const {
  if (pool_.size() <= kMostDocuments) return pool_;
  session::Pool near;
  for (const retrieve::RankedPage& shown : shown_) {
    const DocumentId document = corpus_.document_of(shown.page);
    const bool is_new = std::ranges::find(near, document) == near.end();
    if (is_new && near.size() < kMostDocuments) near.push_back(document);
  }
  std::ranges::sort(near);
  return near;
}

bool Finder::has_map(DocumentId document) const {
  const store::DocumentRow& row = corpus_.documents()[document.value].row;
  return corpus_.store().document_map(row.id).has_value();
}

bool Finder::has_tables() const {
  return std::ranges::any_of(shown_, [&](const retrieve::RankedPage& shown) {
    return std::ranges::count(corpus_.page(shown.page).elements, ElementKind::table,
                              &Element::kind) > 0;
  });
}

Choices Finder::choices() const {
  Choices choices{
      .searches = !search_.gold_pages,
      .sees = sees_,
      .zooms = options_.zoom,
      .has_map = options_.map &&
                 std::ranges::any_of(near_documents(),
                                     [&](DocumentId document) { return has_map(document); }),
      .has_links = options_.links && std::ranges::any_of(near_documents(),
                                                         [&](DocumentId document) {
                                                           return graph_set(document).has_value();
                                                         }),
      .has_tables = has_tables()};
  for (const std::string& scorer : search_.scorers) {
    choices.scorers.push_back(scorer.substr(0, scorer.find(':')));
  }
  for (const DocumentId id : near_documents()) {
    choices.documents.push_back(corpus_.documents()[id.value].row.doc);
  }
  return choices;
}

std::vector<RetrievedPage> Finder::retrieved() const {
  return retrieve::retrieved_pages(context_, shown_, ranking_);
}

}  // namespace fineprint::pipelines::investigate
