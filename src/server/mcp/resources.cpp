// Lists pages and reads them.
#include "server/mcp/resources.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "fineprint/core/document.h"
#include "fineprint/core/format.h"
#include "fineprint/core/shortened.h"

#include "server/links.h"
#include "server/mcp/rpc.h"
#include "server/refusal.h"

namespace fineprint::server {
namespace {

constexpr std::uint32_t kListed = 100;  // resources in one reply

// All pages of all documents are numbered together, by page id. A cursor is the number of the next
// page.
std::uint32_t cursor_of(Fields& parameters, std::uint32_t pages) {
  const std::string text = parameters.text_or("cursor", "0");
  std::uint32_t at = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), at);
  if (error == std::errc() && stop == text.data() + text.size() && at <= pages) return at;
  throw RpcError(kWrongParameters, "this cursor was not returned by resources/list");
}

}  // namespace

// Every page of every document is a resource, so the list is returned in pieces.
Json list_resources(const Service& service, Fields& parameters) {
  const auto session = service.session();
  const session::Corpus& corpus = session->corpus();
  const std::uint32_t first = cursor_of(parameters, corpus.page_count());
  const std::uint32_t end = std::min(corpus.page_count(), first + kListed);
  Json list = Json::array();
  for (std::uint32_t page = first; page < end; ++page) {
    const PageRef ref = corpus.ref(PageId(page));
    list.push_back({{"uri", page_uri(ref)},
                    {"name", format("{}#{}", ref.doc, ref.page)},
                    {"title", format("{}, page {}", ref.doc, ref.page)},
                    {"mimeType", "text/plain"}});
  }
  Json result = {{"resources", std::move(list)}};
  if (end < corpus.page_count()) result["nextCursor"] = std::to_string(end);
  return result;
}

Json list_templates() {
  return {{"resourceTemplates",
           Json::array({{{"uriTemplate", "fineprint://page/{doc}/{page}"},
                         {"name", "page"},
                         {"title", "A page of a document"},
                         {"description",
                          "The text of a page. {doc} is the document's name, percent-"
                          "encoded; {page} counts from 1."},
                         {"mimeType", "text/plain"}}})}};
}

// A missing page is an error of the resource; other errors keep their own codes.
Json read_resource(const Service& service, Fields& parameters) {
  const std::string uri = parameters.text("uri");
  const std::optional<PageRef> ref = parse_page_uri(uri);
  if (!ref) {
    throw RpcError(kNoResource,
                   format("\"{}\" is not a page; expected fineprint://page/DOC/PAGE",
                          shortened(uri, kMostQuoted)),
                   {{"uri", uri}});
  }
  std::string text;
  try {
    text = page_text(service.page(*ref).page);
  } catch (const Refusal& refusal) {
    throw RpcError(kNoResource, refusal.what(), {{"uri", uri}});
  }
  return {{"contents", Json::array({{{"uri", uri}, {"mimeType", "text/plain"}, {"text", text}}})}};
}

}  // namespace fineprint::server
