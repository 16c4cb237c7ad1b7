// Finds the document that a question is about, and follows the three paths to its pages: by the
// map, by text and by image.
// Source: DMAP, section 3.3.1, equations 6 to 9.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fineprint/core/ids.h"
#include "fineprint/core/records.h"
#include "fineprint/docmap/document_map.h"
#include "fineprint/retrieve/search.h"
#include "fineprint/session/context.h"

#include "pipelines/reading/side_by_side.h"
#include "pipelines/reading/stream_agents.h"

namespace fineprint::pipelines::dmap {

// Returns the only document of the pool, otherwise the document of the page that ranks first by the
// searches that run. Returns nullopt if no page was found.
std::optional<DocumentId> document_asked(session::Context& context, const std::string& question,
                                         const retrieve::SearchOptions& options, Searches searches);

// The result of the structural path, R(s).
struct Located {
  std::vector<int> pages;                       // page numbers from 1, by relevance, each once
  std::vector<docmap::MappedElement> elements;  // by relevance, each once
};

// Returns the located pages, then the pages of the located elements: page numbers from 1, each
// once.
std::vector<int> all_located(const Located& located);

// Resolves the names that the agent gave. Skips names of another form, pages that the document does
// not have and elements that the map does not have. Traces the step "located" with {"pages",
// "elements"}.
Located located(session::Context& context, DocumentId document, const docmap::DocumentMap& map,
                std::span<const std::string> names);

// Returns the elements that text and image retrieval found, as the document's map describes them.
// Traces the step "elements" with {"elements"} if there are any.
std::vector<docmap::MappedElement> found_elements(const session::Context& context,
                                                  DocumentId document,
                                                  const docmap::DocumentMap& map,
                                                  const SideBySide& found);

// Joins the three paths without repeats. Each stream has the first k located pages, then those
// found by text or by image. Parts are at most 2 k of the located elements, then the found ones,
// cut out with a margin.
Streams joined(const session::Corpus& corpus, DocumentId document, const Located& place,
               const SideBySide& found, const std::vector<docmap::MappedElement>& elements, int k);

// Returns where the expansion starts: the located pages, then the pages of the located elements. If
// nothing was located, the first page by text and the first by image. From 1, each once.
std::vector<int> first_seeds(const session::Corpus& corpus, const Located& place,
                             const SideBySide& found);

}  // namespace fineprint::pipelines::dmap
