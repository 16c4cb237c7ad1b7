// Which document a question is about, and the three paths to its pages: by the map, by text and by
// image.
// Source: DMAP, section 3.3.1, equations 6 to 9.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fineprint/core/records.h"
#include "fineprint/docmap/document_map.h"
#include "fineprint/retrieve/search.h"
#include "fineprint/session/context.h"

#include "pipelines/reading/side_by_side.h"
#include "pipelines/reading/stream_agents.h"

namespace fineprint::pipelines::dmap {

// An index into Corpus::documents(): the only one of the pool, else the one of the page that ranks
// first by text and image; nullopt when no page was found.
std::optional<std::uint32_t> document_asked(session::Context& context, const std::string& question,
                                            const retrieve::SearchOptions& options);

// The structural path, R(s).
struct Located {
  std::vector<int> pages;                       // from 1, by relevance, each once
  std::vector<docmap::MappedElement> elements;  // likewise
};

// Names of another form, of pages that the document has not and of elements that the map has not
// are left out. Tells the step "located" with {"pages", "elements"}.
Located located(session::Context& context, std::uint32_t document, const docmap::DocumentMap& map,
                std::span<const std::string> names);

// The elements found by text and by image, as the document's map has them. Where there are any,
// tells the step "elements" with {"elements"}.
std::vector<docmap::MappedElement> found_elements(const session::Context& context,
                                                  std::uint32_t document,
                                                  const docmap::DocumentMap& map,
                                                  const SideBySide& found);

// The first k located pages, and behind them, without repeats, those found by text or by image; at
// most 2 k of the located elements, and behind them, without repeats, those found, cut out with a
// margin.
Streams joined(const session::Corpus& corpus, std::uint32_t document, const Located& place,
               const SideBySide& found, const std::vector<docmap::MappedElement>& elements, int k);

// Where the map is followed from when the pages do not suffice: those located, then those of the
// elements located; when nothing was, the first by text and the first by image. From 1, each once.
std::vector<int> first_seeds(const session::Corpus& corpus, const Located& place,
                             const SideBySide& found);

}  // namespace fineprint::pipelines::dmap
