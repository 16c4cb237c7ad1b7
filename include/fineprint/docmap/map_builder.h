// Makes document maps with a model that looks at one page after another.
// Source: DMAP, section 3.2, Eq. 5.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/agents/agent.h"
#include "fineprint/core/ids.h"
#include "fineprint/docmap/document_map.h"
#include "fineprint/session/context.h"

namespace fineprint::docmap {

class Outline;

// The names of the agents: for a generator that sees pages, and for one that reads only text.
inline constexpr std::string_view kMapBuilder = "docmap.builder";
inline constexpr std::string_view kTextMapBuilder = "docmap.text_builder";

// Asks the agent that suits the generator. It sees the previous page and the page (or reads the
// page's text) and the outline so far, and says what changes. The program itself keeps the outline:
// it numbers sections, refuses pages for closed sections, and marks a heading that is not on the
// page as inferred. If a document has bookmarks, they open its sections and the model names none.
class MapBuilder {
 public:
  // `session` must outlive the object; its generator is asked. Throws Error(model).
  explicit MapBuilder(const session::Session& session);

  // Returns what determines its maps apart from the document: hashes of the generator and of the
  // prompt with its schema.
  std::string maker() const;
  // Returns a map without pages.
  DocumentMap begin(const store::DocumentRow& document) const;
  // Adds the page after the pages that the map has, with one call and its retries. If the reply is
  // not usable, or there is no picture of the page, uses the page's first sentence and the sections
  // of the previous page, and logs a warning. Throws the errors of the generator, Error(unreadable)
  // if the file is gone, and Error(interrupted).
  void add_page(const session::CorpusDocument& document, DocumentMap* map) const;

 private:
  std::vector<PageId> pages_to_show(PageId dense_page, bool is_first) const;
  // What both agents receive: the page's number, the outline so far and the sections of the
  // previous page.
  agents::Turn turn_of(int number, const Outline& outline,
                       const std::vector<std::string>& before) const;
  // Returns an unusable reply without a call if the page cannot be shown.
  agents::TurnReply ask(PageId dense_page, const Page& page, agents::Turn turn) const;

  const session::Session& session_;
  const bool sees_;
  const agents::Agent agent_;
};

}  // namespace fineprint::docmap
