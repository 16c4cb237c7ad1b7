// Maps by a model that looks at one page after the other.
// Source: DMAP, section 3.2, Eq. 5.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/agents/agent.h"
#include "fineprint/docmap/document_map.h"
#include "fineprint/session/context.h"

namespace fineprint::docmap {

class Outline;

// The agents' names: of a generator that sees pages, and of one that reads texts alone.
inline constexpr std::string_view kMapBuilder = "docmap.builder";
inline constexpr std::string_view kTextMapBuilder = "docmap.text_builder";

// Asks the agent that suits the generator, which sees the page before and the page (or reads the
// page's text), and the outline so far; it says what changes. The outline is kept by the program:
// it numbers sections, refuses pages for sections that are closed, and takes a heading that the
// page does not have for an inferred one. Bookmarks open the sections of a document that has any,
// and the model names none.
class MapBuilder {
 public:
  // `session` must outlive it; its generator is asked. Throws Error(model).
  explicit MapBuilder(const session::Session& session);

  // All that shapes its maps besides the document: the generator and the prompt, with its schema,
  // by their hashes.
  std::string maker() const;
  // The map of no page yet.
  DocumentMap begin(const store::DocumentRow& document) const;
  // Adds the page behind those that the map has. One call, and those that repeat it. Where the
  // reply is of no use, or there is no picture of the page, the page's first sentence and the
  // sections of the page before stand, and a warning says so. Throws what the generator does,
  // Error(unreadable) for a file that is gone, and Error(interrupted).
  void add_page(const session::CorpusDocument& document, DocumentMap* map) const;

 private:
  std::vector<std::uint32_t> pages_to_show(std::uint32_t dense_page, bool is_first) const;
  // The page's number, the outline so far and the page before: what both agents are told.
  agents::Turn turn_of(int number, const Outline& outline,
                       const std::vector<std::string>& before) const;
  // Not asked at all about a page that cannot be shown.
  agents::TurnReply ask(std::uint32_t dense_page, const Page& page, agents::Turn turn) const;

  const session::Session& session_;
  const bool sees_;
  const agents::Agent agent_;
};

}  // namespace fineprint::docmap
