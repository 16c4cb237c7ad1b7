// Checks which revision a request follows, and adds what the revision demands of results.
#include "server/mcp/revisions.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "fineprint/core/base64.h"
#include "fineprint/core/format.h"
#include "fineprint/core/shortened.h"

#include "build_info.h"
#include "server/mcp/rpc.h"

namespace fineprint::server {
namespace {

constexpr std::string_view kStateless = "2026-07-28";
// With a handshake. Oldest first; the last one is offered to clients that ask for an unknown one.
constexpr std::array<std::string_view, 4> kWithHandshake = {"2024-11-05", "2025-03-26",
                                                            "2025-06-18", "2025-11-25"};
constexpr const char* kRevisionKey = "io.modelcontextprotocol/protocolVersion";
constexpr const char* kCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";
constexpr const char* kServerKey = "io.modelcontextprotocol/serverInfo";
constexpr long kHour = 3'600'000;  // milliseconds

bool has_handshake(std::string_view revision) {
  return std::ranges::find(kWithHandshake, revision) != kWithHandshake.end();
}

Json server_info() {
  return {{"name", "fineprint"}, {"title", "fineprint"}, {"version", kVersion}};
}

constexpr const char* kInstructions =
    "Documents as pages. ask answers a question with quotes that prove it; search finds pages, "
    "read_page and show_page open them. Name document and page of what you say.";

// Returns `_meta`, or null if the request has none.
Json meta_of(const McpRequest& request) {
  const auto meta = request.parameters.find("_meta");
  return meta == request.parameters.end() || !meta->is_object() ? Json() : *meta;
}

void require_known(const std::string& revision) {
  if (revision == kStateless) return;
  std::string message = format("revision \"{}\" is not spoken", shortened(revision, kMostQuoted));
  if (has_handshake(revision)) message += " without a handshake; send initialize first";
  throw RpcError(kUnknownRevision, message,
                 {{"supported", Json::array({kStateless})}, {"requested", revision}});
}

// Returns the text that a header field encodes. Source: Streamable HTTP, Value Encoding.
std::optional<std::string> decoded(const std::string& value) {
  constexpr std::string_view kBegin = "=?base64?", kEnd = "?=";
  if (!value.starts_with(kBegin) || !value.ends_with(kEnd) ||
      value.size() < kBegin.size() + kEnd.size()) {
    return value;
  }
  const auto bytes = decode_base64(
      std::string_view(value).substr(kBegin.size(), value.size() - kBegin.size() - kEnd.size()));
  if (!bytes) return std::nullopt;
  return std::string(bytes->begin(), bytes->end());
}

void require_same(const char* field, const std::string& value, const std::string& wanted) {
  if (value.empty()) {
    throw RpcError(kHeaderMismatch, format("the header field {} is missing", field));
  }
  if (decoded(value) != wanted) {
    throw RpcError(kHeaderMismatch,
                   format("the header field {} says \"{}\", but the message says \"{}\"", field,
                          shortened(value, kMostQuoted), shortened(wanted, kMostQuoted)));
  }
}

// Returns the parameter that the head repeats as Mcp-Name, or nullptr if there is none.
const char* name_parameter(const std::string& method) {
  if (method == "tools/call" || method == "prompts/get") return "name";
  return method == "resources/read" ? "uri" : nullptr;
}

void check_head(const McpRequest& request, const std::string& revision) {
  require_same("MCP-Protocol-Version", request.head->revision, revision);
  require_same("Mcp-Method", request.head->method, request.method);
  const char* const name = name_parameter(request.method);
  if (name == nullptr) return;
  const auto wanted = request.parameters.find(name);
  // Without the parameter the call itself is refused, under its name.
  if (wanted == request.parameters.end() || !wanted->is_string()) return;
  require_same("Mcp-Name", request.head->name, wanted->get<std::string>());
}

}  // namespace

bool is_stateless(const McpRequest& request) {
  const Json meta = meta_of(request);
  const std::string in_head = request.head == nullptr ? "" : request.head->revision;
  const bool in_body = meta.is_object() && meta.contains(kRevisionKey);
  const bool is_new =
      request.method == "server/discover" || request.method == "subscriptions/listen";
  if (!in_body && !is_new && (in_head.empty() || has_handshake(in_head))) return false;
  if (!in_body && !in_head.empty() && !has_handshake(in_head)) require_known(in_head);
  for (const char* key : {kRevisionKey, kCapabilitiesKey}) {
    const bool is_text = key == kRevisionKey;
    if (!meta.is_object() || !meta.contains(key) ||
        !(is_text ? meta[key].is_string() : meta[key].is_object())) {
      throw RpcError(kWrongParameters,
                     format("'_meta' needs {} as {}", key, is_text ? "a string" : "an object"));
    }
  }
  const auto revision = meta[kRevisionKey].get<std::string>();
  if (request.head != nullptr) check_head(request, revision);
  require_known(revision);
  return true;
}

Json initialized(const std::string& asked) {
  return {{"protocolVersion", has_handshake(asked) ? asked : std::string(kWithHandshake.back())},
          {"capabilities", {{"tools", Json::object()}, {"resources", Json::object()}}},
          {"serverInfo", server_info()},
          {"instructions", kInstructions}};
}

Json discovered() {
  return {
      {"supportedVersions", Json::array({kStateless})},
      {"capabilities",
       {{"tools", Json::object()}, {"resources", {{"subscribe", true}, {"listChanged", true}}}}},
      {"instructions", kInstructions}};
}

Json with_result_fields(const std::string& method, Json result) {
  result["resultType"] = "complete";
  result["_meta"][kServerKey] = server_info();
  // What depends on the store may change at any time, and is only for those who may read it.
  const bool is_of_program =
      method == "server/discover" || method == "tools/list" || method == "resources/templates/list";
  if (is_of_program || method == "resources/list" || method == "resources/read") {
    result["ttlMs"] = is_of_program ? kHour : 0;
    result["cacheScope"] = is_of_program ? "public" : "private";
  }
  return result;
}

}  // namespace fineprint::server
