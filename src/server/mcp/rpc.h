// The envelope of messages: JSON-RPC 2.0 with the error codes that MCP adds.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "fineprint/core/error.h"
#include "fineprint/core/json.h"

namespace fineprint::server {

// The codes of JSON-RPC, and those of MCP. Source: MCP 2026-07-28, Overview, Error Codes.
enum RpcCode : int {
  kNotJson = -32700,
  kNoRequest = -32600,
  kNoMethod = -32601,
  kWrongParameters = -32602,
  kFailed = -32603,
  kNoResource = -32002,  // up to revision 2025-11-25; later kWrongParameters
  kHeaderMismatch = -32020,
  kUnknownRevision = -32022,
};

constexpr std::size_t kMostQuoted = 80;  // bytes of a client's text in a message

// An error with a code of JSON-RPC. Other errors get one where the reply is made.
class RpcError : public Error {
 public:
  // `data` goes to the client for its program to read; null: none.
  RpcError(int rpc_code, const std::string& message, Json data = nullptr);
  int rpc_code() const { return rpc_code_; }
  const Json& data() const { return data_; }

 private:
  int rpc_code_;
  Json data_;
};

// Return a whole message. A null id is used if the request's id is unknown.
Json error_reply(const Json& id, int code, std::string_view message, const Json& data = nullptr);
Json result_reply(const Json& id, Json result);
// Returns a notification as one line of text.
std::string notification(std::string_view method, Json parameters);

}  // namespace fineprint::server
