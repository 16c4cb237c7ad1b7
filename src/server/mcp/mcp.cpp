// Handles JSON-RPC 2.0: reads calls and writes replies.
#include "fineprint/server/mcp.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <mutex>
#include <optional>
#include <utility>

#include "fineprint/core/document.h"
#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/log.h"
#include "fineprint/core/shortened.h"

#include "build_info.h"
#include "server/fields.h"
#include "server/links.h"
#include "server/mcp/tools.h"
#include "server/refusal.h"

namespace fineprint::server {
namespace {

// Oldest first; the last one is offered to clients that ask for an unknown revision.
constexpr std::array<std::string_view, 4> kRevisions = {"2024-11-05", "2025-03-26", "2025-06-18",
                                                        "2025-11-25"};
constexpr std::uint32_t kListed = 100;     // resources in one reply
constexpr std::size_t kMostRepeated = 80;  // of a client's text in a message
// Far deeper than any request; parsing is recursive.
constexpr int kDeepestMessage = 30;

// Error codes of JSON-RPC, and of MCP for a missing resource.
enum RpcCode : int {
  kNotJson = -32700,
  kNoRequest = -32600,
  kNoMethod = -32601,
  kWrongParameters = -32602,
  kFailed = -32603,
  kNoResource = -32002,
};

// An error with a code of JSON-RPC. Other errors get one where the reply is made.
class RpcError : public Error {
 public:
  RpcError(int rpc_code, const std::string& message)
      : Error(ErrorCode::input, message), rpc_code_(rpc_code) {}
  int rpc_code() const { return rpc_code_; }

 private:
  int rpc_code_;
};

// A null id is used if the request's id is unknown.
std::string error_reply(const Json& id, int code, std::string_view message) {
  return dump_json(
      {{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}});
}

std::string result_reply(const Json& id, Json result) {
  return dump_json({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
}

// If the client asks for an unknown revision, the newest one is offered, as the protocol demands.
Json initialize(Fields& parameters) {
  const std::string asked = parameters.text("protocolVersion");
  const bool is_known = std::ranges::count(kRevisions, asked) > 0;
  return {{"protocolVersion", is_known ? asked : std::string(kRevisions.back())},
          {"capabilities", {{"tools", Json::object()}, {"resources", Json::object()}}},
          {"serverInfo", {{"name", "fineprint"}, {"title", "fineprint"}, {"version", kVersion}}},
          {"instructions",
           "Documents as pages. ask answers a question with quotes that prove it; search finds "
           "pages, read_page and show_page open them. Name document and page of what you say."}};
}

// All pages of all documents are numbered together, by page id. A cursor is the number of the next
// page.
std::uint32_t cursor_of(Fields& parameters, std::uint32_t pages) {
  const std::string text = parameters.text_or("cursor", "0");
  std::uint32_t at = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), at);
  if (error == std::errc() && stop == text.data() + text.size() && at <= pages) return at;
  throw RpcError(kWrongParameters, "this cursor was not returned by resources/list");
}

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
    throw RpcError(kNoResource, format("\"{}\" is not a page; expected fineprint://page/DOC/PAGE",
                                       shortened(uri, kMostRepeated)));
  }
  std::string text;
  try {
    text = page_text(service.page(*ref).page);
  } catch (const Refusal& refusal) {
    throw RpcError(kNoResource, refusal.what());
  }
  return {{"contents", Json::array({{{"uri", uri}, {"mimeType", "text/plain"}, {"text", text}}})}};
}

// Returns the client's token for the progress of a call, or null if it wants none.
Json progress_token(const Json& parameters) {
  const auto meta = parameters.find("_meta");
  if (meta == parameters.end() || !meta->is_object()) return nullptr;
  const auto token = meta->find("progressToken");
  return token == meta->end() ? Json() : *token;
}

Json call_tool(const Service& service, const Json& given, Fields& parameters, const StopToken& stop,
               const SendMessage& notify) {
  const Json token = progress_token(given);
  int steps = 0;
  std::mutex mutex;  // guards `steps`
  const TellStep tell = [&](const std::string& line) {
    // The protocol allows progress only for calls whose client gave a token.
    if (token.is_null()) return;
    // Several agents may report at the same time, and the number of progress must rise.
    const std::lock_guard guard(mutex);
    notify(dump_json(
        {{"jsonrpc", "2.0"},
         {"method", "notifications/progress"},
         {"params", {{"progressToken", token}, {"progress", ++steps}, {"message", line}}}}));
  };
  const Json* arguments = parameters.value("arguments");
  if (arguments != nullptr && !arguments->is_object()) {
    throw RpcError(kWrongParameters, "'arguments' must be an object");
  }
  return call_mcp_tool(service, parameters.text("name"),
                       Fields(arguments == nullptr ? Json::object() : *arguments), stop, tell);
}

Json result_of(const Service& service, const std::string& method, const Json& given,
               const StopToken& stop, const SendMessage& notify) {
  Fields parameters(given);
  if (method == "initialize") return initialize(parameters);
  if (method == "ping") return Json::object();
  if (method == "tools/list") return {{"tools", mcp_tools()}};
  if (method == "tools/call") return call_tool(service, given, parameters, stop, notify);
  if (method == "resources/list") return list_resources(service, parameters);
  if (method == "resources/templates/list") return list_templates();
  if (method == "resources/read") return read_resource(service, parameters);
  throw RpcError(kNoMethod, format("there is no method \"{}\"", shortened(method, kMostRepeated)));
}

// The protocol forbids null ids and fractional numbers.
bool is_request_id(const Json& id) { return id.is_string() || id.is_number_integer(); }

}  // namespace

std::string Mcp::reply(std::string_view message, const StopToken& stop,
                       const SendMessage& notify) const {
  Json given;
  try {
    given = parse_json(message, "the message", {.max_depth = kDeepestMessage});
  } catch (const Error& error) {
    return error_reply(nullptr, kNotJson, error.what());
  }
  const bool is_call = given.is_object() && given.value("jsonrpc", Json()) == Json("2.0") &&
                       given.contains("method") && given["method"].is_string();
  const bool is_reply = given.is_object() && !given.contains("method") && given.contains("id");
  if (is_reply) return "";  // to a request that was never sent
  if (!is_call) return error_reply(nullptr, kNoRequest, "expected a request of JSON-RPC 2.0");
  // A notification gets no reply, even if it is unknown.
  if (!given.contains("id")) return "";
  const Json id = given["id"];
  if (!is_request_id(id))
    return error_reply(nullptr, kNoRequest, "the id must be a string or an integer");
  const Json parameters = given.value("params", Json::object());
  if (!parameters.is_object()) {
    return error_reply(id, kWrongParameters, "'params' must be an object");
  }
  try {
    return result_reply(
        id, result_of(service_, given["method"].get<std::string>(), parameters, stop, notify));
  } catch (const RpcError& error) {
    return error_reply(id, error.rpc_code(), error.what());
  } catch (const Refusal& error) {
    return error_reply(id, kWrongParameters, error.what());
  } catch (const Error& error) {
    return error_reply(id, kFailed, error.what());
  } catch (const std::exception& error) {
    log::error("mcp: {}", error.what());
    // The text of an unexpected exception may name files of the server, so the client does not get
    // it.
    return error_reply(id, kFailed, "internal error; see the log of the server");
  }
}

}  // namespace fineprint::server
