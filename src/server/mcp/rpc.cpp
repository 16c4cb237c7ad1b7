// Makes replies of JSON-RPC.
#include "server/mcp/rpc.h"

#include <utility>

namespace fineprint::server {

RpcError::RpcError(int rpc_code, const std::string& message, Json data)
    : Error(ErrorCode::input, message), rpc_code_(rpc_code), data_(std::move(data)) {}

Json error_reply(const Json& id, int code, std::string_view message, const Json& data) {
  Json error = {{"code", code}, {"message", message}};
  if (!data.is_null()) error["data"] = data;
  return {{"jsonrpc", "2.0"}, {"id", id}, {"error", std::move(error)}};
}

Json result_reply(const Json& id, Json result) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}};
}

std::string notification(std::string_view method, Json parameters) {
  return dump_json({{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(parameters)}});
}

}  // namespace fineprint::server
