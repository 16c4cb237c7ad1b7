// Handles messages of JSON-RPC 2.0: finds the method of a call, and makes the reply.
#include "fineprint/server/mcp.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/log.h"
#include "fineprint/core/shortened.h"

#include "server/fields.h"
#include "server/mcp/resources.h"
#include "server/mcp/revisions.h"
#include "server/mcp/rpc.h"
#include "server/mcp/subscription.h"
#include "server/mcp/tools.h"
#include "server/refusal.h"

namespace fineprint::server {
namespace {

// Far deeper than any request; parsing is recursive.
constexpr int kDeepestMessage = 30;

// What a call works with.
struct Call {
  const Service& service;
  const McpRequest& request;
  Json id;
  const StopToken& stop;
  const SendMessage& notify;
};

// Returns the client's token for the progress of a call, or null if it wants none.
Json progress_token(const Json& parameters) {
  const auto meta = parameters.find("_meta");
  if (meta == parameters.end() || !meta->is_object()) return nullptr;
  const auto token = meta->find("progressToken");
  return token == meta->end() ? Json() : *token;
}

Json call_tool(const Call& call, Fields& parameters) {
  const Json token = progress_token(call.request.parameters);
  int steps = 0;
  std::mutex mutex;  // guards `steps`
  const TellStep tell = [&](const std::string& line) {
    // The protocol allows progress only for calls whose client gave a token.
    if (token.is_null()) return;
    // Several agents may report at the same time, and the number of progress must rise.
    const std::lock_guard guard(mutex);
    call.notify(notification("notifications/progress",
                             {{"progressToken", token}, {"progress", ++steps}, {"message", line}}));
  };
  const Json* arguments = parameters.value("arguments");
  if (arguments != nullptr && !arguments->is_object()) {
    throw RpcError(kWrongParameters, "'arguments' must be an object");
  }
  return call_mcp_tool(call.service, parameters.text("name"),
                       Fields(arguments == nullptr ? Json::object() : *arguments), call.stop, tell);
}

struct Method {
  const char* name;
  bool with_handshake, stateless;  // the revisions that have it
  Json (*run)(const Call& call, Fields& parameters);
};

constexpr std::array<Method, 9> kMethods = {{
    {"initialize", true, false,
     [](const Call&, Fields& parameters) {
       return initialized(parameters.text("protocolVersion"));
     }},
    {"ping", true, false, [](const Call&, Fields&) { return Json::object(); }},
    {"server/discover", false, true, [](const Call&, Fields&) { return discovered(); }},
    {"tools/list", true, true, [](const Call&, Fields&) { return Json{{"tools", mcp_tools()}}; }},
    {"tools/call", true, true, call_tool},
    {"resources/list", true, true,
     [](const Call& call, Fields& parameters) { return list_resources(call.service, parameters); }},
    {"resources/templates/list", true, true, [](const Call&, Fields&) { return list_templates(); }},
    {"resources/read", true, true,
     [](const Call& call, Fields& parameters) { return read_resource(call.service, parameters); }},
    {"subscriptions/listen", false, true,
     [](const Call& call, Fields& parameters) {
       return listen(call.service, call.id, parameters, call.stop, call.notify);
     }},
}};

// Returns the method, or nullptr if the revision has none of this name.
const Method* method_of(const std::string& name, bool stateless) {
  const auto found = std::ranges::find_if(kMethods, [&](const Method& method) {
    return method.name == name && (stateless ? method.stateless : method.with_handshake);
  });
  return found == kMethods.end() ? nullptr : &*found;
}

// HTTP's status of an error. Until revision 2025-11-25 every reply is a success of HTTP.
// Source: MCP 2026-07-28, Streamable HTTP.
int http_status(int code, bool stateless) { return stateless && code == kNoMethod ? 404 : 200; }

// The protocol forbids null ids and fractional numbers.
bool is_request_id(const Json& id) { return id.is_string() || id.is_number_integer(); }

// A reply as JSON; null: the message needs none.
struct Replied {
  Json message;
  int status = 200;
};

Replied failed(const Json& id, int code, std::string_view message, bool stateless = false,
               const Json& data = nullptr) {
  const int said = stateless && code == kNoResource ? static_cast<int>(kWrongParameters) : code;
  return {error_reply(id, said, message, data), http_status(code, stateless)};
}

// A message that was read: a call that can be made, or its reply at once.
struct Read {
  McpRequest request;
  Json id;
  bool stateless = false;
  const Method* method = nullptr;
  Replied at_once;  // if there is no method
};

Read refused(Replied reply) {
  Read read;
  read.at_once = std::move(reply);
  return read;
}

Read read_message(const Json& given, const McpHead* head) {
  const bool is_call = given.is_object() && given.value("jsonrpc", Json()) == Json("2.0") &&
                       given.contains("method") && given["method"].is_string();
  const bool is_reply = given.is_object() && !given.contains("method") && given.contains("id");
  if (is_reply) return {};  // to a request that was never sent
  if (!is_call) return refused(failed(nullptr, kNoRequest, "expected a request of JSON-RPC 2.0"));
  // A notification gets no reply, even if it is unknown.
  if (!given.contains("id")) return {};
  Read read;
  read.id = given["id"];
  if (!is_request_id(read.id)) {
    return refused(failed(nullptr, kNoRequest, "the id must be a string or an integer"));
  }
  read.request = {.method = given["method"].get<std::string>(),
                  .parameters = given.value("params", Json()),
                  .head = head};
  if (read.request.parameters.is_null()) read.request.parameters = Json::object();
  if (!read.request.parameters.is_object()) {
    return refused(failed(read.id, kWrongParameters, "'params' must be an object"));
  }
  try {
    read.stateless = is_stateless(read.request);
  } catch (const RpcError& error) {
    return refused({error_reply(read.id, error.rpc_code(), error.what(), error.data()), 400});
  }
  const std::string& name = read.request.method;
  read.method = method_of(name, read.stateless);
  if (read.method == nullptr) {
    read.at_once =
        failed(read.id, kNoMethod,
               format("there is no method \"{}\"", shortened(name, kMostQuoted)), read.stateless);
  }
  return read;
}

Replied called(const Read& read, const Call& call) {
  try {
    Fields parameters(read.request.parameters);
    Json result = read.method->run(call, parameters);
    if (read.stateless) result = with_result_fields(read.request.method, std::move(result));
    return {result_reply(read.id, std::move(result))};
  } catch (const RpcError& error) {
    return failed(read.id, error.rpc_code(), error.what(), read.stateless, error.data());
  } catch (const Refusal& error) {
    return failed(read.id, kWrongParameters, error.what());
  } catch (const Error& error) {
    return failed(read.id, kFailed, error.what());
  } catch (const std::exception& error) {
    log::error("mcp: {}", error.what());
    // The text of an unexpected exception may name files of the server, so the client does not get
    // it.
    return failed(read.id, kFailed, "internal error; see the log of the server");
  }
}

Replied reply_to(const Service& service, const Json& given, const McpHead* head,
                 const StopToken& stop, const SendMessage& notify) {
  const Read read = read_message(given, head);
  if (read.method == nullptr) return read.at_once;
  return called(read, {service, read.request, read.id, stop, notify});
}

// Returns the replies to all messages of a batch, in their order. Source: MCP 2025-03-26, Overview.
Replied reply_to_all(const Service& service, const Json& batch, const McpHead* head,
                     const StopToken& stop, const SendMessage& notify) {
  if (batch.empty()) return failed(nullptr, kNoRequest, "the batch holds no message");
  Replied all{Json::array()};
  for (const Json& message : batch) {
    Json one = reply_to(service, message, head, stop, notify).message;
    if (!one.is_null()) all.message.push_back(std::move(one));
  }
  if (all.message.empty()) all.message = nullptr;
  return all;
}

}  // namespace

McpReply Mcp::reply(std::string_view message, const StopToken& stop, const SendMessage& notify,
                    const McpHead* head) const {
  Replied replied;
  try {
    const Json given = parse_json(message, "the message", {.max_depth = kDeepestMessage});
    replied = given.is_array() ? reply_to_all(service_, given, head, stop, notify)
                               : reply_to(service_, given, head, stop, notify);
  } catch (const Error& error) {
    replied = failed(nullptr, kNotJson, error.what());
  }
  return {replied.message.is_null() ? std::string() : dump_json(replied.message), replied.status};
}

McpNotices Mcp::notices(std::string_view message, const McpHead* head) {
  try {
    const Read read =
        read_message(parse_json(message, "the message", {.max_depth = kDeepestMessage}), head);
    if (read.method == nullptr) return McpNotices::none;
    if (read.request.method == "subscriptions/listen") return McpNotices::of_changes;
    return progress_token(read.request.parameters).is_null() ? McpNotices::none
                                                             : McpNotices::of_progress;
  } catch (const Error&) {
    return McpNotices::none;  // The reply reports the problem.
  }
}

}  // namespace fineprint::server
