// Lets a model describe a document page by page.
#include "fineprint/docmap/map_builder.h"

#include <algorithm>
#include <iterator>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"
#include "fineprint/core/log.h"

#include "docmap/page_reply.h"
#include "docmap/starts.h"

namespace fineprint::docmap {
namespace {

// Must be raised whenever the same replies would give another map.
constexpr int kBuilderVersion = 1;

// Returns whether the error is the page's own fault, so that another run would meet it again.
bool is_of_the_page(ErrorCode code) {
  return code == ErrorCode::damaged || code == ErrorCode::crashed || code == ErrorCode::timed_out ||
         code == ErrorCode::out_of_memory || code == ErrorCode::too_large;
}

bool can_be_shown(const session::Session& session, PageId dense_page, session::Tier tier) {
  try {
    session.images().page(dense_page, tier);
    return true;
  } catch (const Error& error) {
    // Other errors, such as a missing file, concern the whole run.
    if (!is_of_the_page(error.code())) throw;
    log::warn("{}", std::string_view(error.what()));
    return false;
  }
}

std::string lines_of_texts(const std::vector<std::string>& texts) {
  std::string lines;
  for (const std::string& text : texts) lines += text + "\n";
  return lines;
}

// Opens the sections of the bookmarks that begin on the page. Returns false if the document has no
// bookmarks.
bool open_bookmarks(const store::Store& store, const store::DocumentRow& document, int page,
                    Outline* outline) {
  const std::vector<Start> starts = starts_of(store.outline(document.id), document.page_count);
  for (const Start& start : starts) {
    if (start.page == page) open_section(start, outline);
  }
  return !starts.empty();
}

}  // namespace

MapBuilder::MapBuilder(const session::Session& session)
    : session_(session),
      sees_(session.generator().sees()),
      agent_(agents::load_agent(sees_ ? kMapBuilder : kTextMapBuilder)) {}

std::string MapBuilder::maker() const {
  return format("model {} by {} {}", session_.generator().hash(), kBuilderVersion,
                // Another prompt or schema gives other maps, so it counts as another maker.
                content_hash(agent_.prompt.system + "\n" + agent_.prompt.user + "\n" +
                             agent_.schema->text()));
}

DocumentMap MapBuilder::begin(const store::DocumentRow& document) const {
  DocumentMap map;
  map.doc = document.doc;
  map.hash = document.hash;
  map.model = session_.generator().name();
  map.pages_total = document.page_count;
  return map;
}

std::vector<PageId> MapBuilder::pages_to_show(PageId dense_page, bool is_first) const {
  if (!can_be_shown(session_, dense_page, agent_.tier)) return {};
  // The page before shows whether a section or a table continues.
  if (is_first) return {dense_page};
  const PageId before(dense_page.value - 1);
  if (!can_be_shown(session_, before, agent_.tier)) return {dense_page};
  return {before, dense_page};
}

agents::Turn MapBuilder::turn_of(int number, const Outline& outline,
                                 const std::vector<std::string>& before) const {
  return {.question = "",
          .values = {{"page", std::to_string(number), false},
                     {"outline", outline_text(outline.sections())},
                     {"before", lines_of_texts(before)}}};
}

agents::TurnReply MapBuilder::ask(PageId dense_page, const Page& page, agents::Turn turn) const {
  // DMAP: a page is its picture and its text; small print may be readable only in the text.
  turn.values.push_back({"text", page_text(page)});
  if (sees_) {
    const auto shown = pages_to_show(dense_page, page.number == 1);
    if (shown.empty()) return {};
    turn.shown = agents::one_by_one(shown);
  }
  // Each page has a budget of its own: limits of a question do not apply to indexing.
  Trace no_trace;
  Budget budget;
  session::Context context{session_, no_trace, budget};
  return agents::call(context, agent_, turn);
}

void MapBuilder::add_page(const session::CorpusDocument& document, DocumentMap* map) const {
  const int number = static_cast<int>(map->pages.size()) + 1;
  const PageId dense_page = document.first_page + static_cast<std::uint32_t>(number - 1);
  const Page page = session_.corpus().page(dense_page);
  // A page without headings is most likely in the sections of the page before.
  const auto before = number == 1 ? std::vector<std::string>() : map->pages.back().sections;
  PageDigest digest = digest_of(page);
  Outline outline(map->sections);
  const bool has_bookmarks =
      // Bookmarks are made by the author and are opened before the model is asked, which then sees
      // them in the outline.
      open_bookmarks(session_.corpus().store(), document.row, number, &outline);
  const agents::TurnReply reply = ask(dense_page, page, turn_of(number, outline, before));
  if (reply.usable) {
    take_reply(reply.text, page, before, has_bookmarks, &digest, &outline);
  } else {
    log::warn("{}, page {}: without a usable reply, the page's first sentence is its summary",
              document.row.doc, number);
    assign_page(number, {}, before, &outline);
  }
  digest.page.sections = outline.deepest_on(number);
  map->sections = outline.sections();
  map->pages.push_back(std::move(digest.page));
  std::ranges::move(digest.elements, std::back_inserter(map->elements));
}

}  // namespace fineprint::docmap
