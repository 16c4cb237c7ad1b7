// Feeds any bytes to the readers of requests: what they do not accept must be an error of the
// client, with a status of 400 or above and below 500.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "server/dialects/chat_completions.h"
#include "server/dialects/messages.h"
#include "server/dialects/ollama.h"
#include "server/dialects/responses.h"

namespace {

using namespace fineprint::server;

void read(int kind, const std::string& body) {
  static const KeptResponses kept;
  if (kind == 0) read_chat_request(body);
  if (kind == 1) read_responses_request(body, kept);
  if (kind == 2) read_messages_request(body);
  if (kind == 3) read_ollama_chat(body);
  if (kind == 4) read_ollama_generate(body);
}

}  // namespace

// The first byte chooses the reader.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  try {
    read(data[0] % 5, {reinterpret_cast<const char*>(data) + 1, size - 1});
  } catch (const fineprint::Error& error) {
    if (problem_of(error, "").status / 100 != 4) std::abort();
  }
  return 0;
}
