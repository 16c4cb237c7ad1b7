// Follows the three paths to pages and joins their results.
#include "pipelines/dmap/retrieval.h"

#include <algorithm>
#include <set>

#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/docmap/places.h"

namespace fineprint::pipelines::dmap {
namespace {

void add_seed(int page, std::vector<int>* seeds) {
  if (std::ranges::find(*seeds, page) == seeds->end()) seeds->push_back(page);
}

void tell_located(const session::Context& context, const Located& located) {
  Json ids = Json::array();
  std::string line;
  for (const int page : located.pages) line += format(" page {}", page);
  for (const docmap::MappedElement& element : located.elements) {
    ids.push_back(element.id);
    line += " " + element.id;
  }
  context.events.tell({.step = "located",
                       .fields = dump_json({{"pages", located.pages}, {"elements", ids}}),
                       .line = "dmap: located" + (line.empty() ? " nothing" : line)});
}

}  // namespace

std::vector<int> all_located(const Located& located) {
  std::vector<int> pages = located.pages;
  for (const docmap::MappedElement& element : located.elements) add_seed(element.page, &pages);
  return pages;
}

std::optional<DocumentId> document_asked(session::Context& context, const std::string& question,
                                         const retrieve::SearchOptions& options,
                                         Searches searches) {
  const session::Corpus& corpus = context.session.corpus();
  const session::Pool pool = corpus.pool(options.docs);
  // One document needs no search to be chosen.
  if (pool.size() == 1) return pool.front();
  const SideBySide found = search_side_by_side(context, question, options, {.searches = searches});
  const std::vector<PageId> pages = ranked_pages(found.texts, found.images);
  if (pages.empty()) return std::nullopt;
  return corpus.document_of(pages.front());
}

Located located(session::Context& context, DocumentId document, const docmap::DocumentMap& map,
                std::span<const std::string> names) {
  const session::Corpus& corpus = context.session.corpus();
  const auto labels = corpus.store().page_labels(corpus.documents()[document.value].row.id);
  Located found;
  std::set<std::size_t> taken;
  for (const std::string& name : names) {
    for (const int page : docmap::pages_named(map, labels, name)) {
      if (std::ranges::find(found.pages, page) == found.pages.end()) found.pages.push_back(page);
    }
    for (const std::size_t element : docmap::elements_named(map, name)) {
      // Several names may mean one element, for example "Figure 3" and "Chart 3".
      if (taken.insert(element).second) found.elements.push_back(map.elements[element]);
    }
  }
  tell_located(context, found);
  return found;
}

std::vector<docmap::MappedElement> found_elements(const session::Context& context,
                                                  DocumentId document,
                                                  const docmap::DocumentMap& map,
                                                  const SideBySide& found) {
  if (found.elements.empty()) return {};
  const ElementId first = context.session.corpus().elements().begin_of(document);
  std::vector<docmap::MappedElement> elements;
  Json ids = Json::array();
  std::string line;
  for (const ElementId element : found.elements) {
    elements.push_back(map.elements.at(element - first));
    ids.push_back(elements.back().id);
    line += " " + elements.back().id;
  }
  context.events.tell({.step = "elements",
                       .fields = dump_json({{"elements", ids}}),
                       .line = "dmap: found elements" + line});
  return elements;
}

Streams joined(const session::Corpus& corpus, DocumentId document, const Located& place,
               const SideBySide& found, const std::vector<docmap::MappedElement>& elements, int k) {
  const auto most = static_cast<std::size_t>(k);
  Streams streams;
  // Located pages come first, because the map points at them for a reason that scores do not see.
  for (std::size_t i = 0; i < std::min(most, place.pages.size()); ++i) {
    streams.texts.push_back(corpus.page_number(document, place.pages[i]));
  }
  streams.images = streams.texts;
  append_new(found.texts, &streams.texts);
  append_new(found.images, &streams.images);
  std::vector<docmap::MappedElement> parts = place.elements;
  parts.resize(std::min(2 * most, parts.size()));
  for (const docmap::MappedElement& element : elements) {
    if (std::ranges::find(parts, element) == parts.end()) parts.push_back(element);
  }
  for (const docmap::MappedElement& part : parts) {
    streams.parts.push_back(
        {corpus.page_number(document, part.page), docmap::cut_out_of(part), part.caption});
  }
  return streams;
}

std::vector<int> first_seeds(const session::Corpus& corpus, const Located& place,
                             const SideBySide& found) {
  std::vector<int> seeds = all_located(place);
  // Without a located page, the best found pages are the next best guess.
  if (!seeds.empty()) return seeds;
  for (const std::vector<PageId>* path : {&found.texts, &found.images}) {
    if (!path->empty()) add_seed(corpus.ref(path->front()).page, &seeds);
  }
  return seeds;
}

}  // namespace fineprint::pipelines::dmap
