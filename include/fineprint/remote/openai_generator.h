// Models behind a server that speaks the protocol of OpenAI's chat completions: vLLM, SGLang,
// llama.cpp's server, `transformers serve`, and services on the net.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "fineprint/core/option.h"
#include "fineprint/models/generator.h"
#include "fineprint/remote/sent_pages.h"

namespace fineprint::remote {

inline constexpr std::string_view kOpenAiPrefix = "openai:";

enum class PictureFormat { png, jpeg };

struct OpenAiOptions {
  // Sent to the named host only, never logged, in no message. Empty: none.
  std::string api_key = {};
  std::chrono::milliseconds connect_timeout{10'000};
  std::chrono::milliseconds call_timeout{600'000};  // of one attempt, to the last byte of the reply
  // After the first attempt: of calls that the server was too busy for or that broke off.
  int retries = 4;
  PictureFormat pictures = PictureFormat::png;  // jpeg is smaller and blurs small print
  std::shared_ptr<SentPages> sent = nullptr;    // told of every page that leaves
};

const OptionTable<OpenAiOptions>& openai_options();

// Whether a SPEC is one of make_openai_generator.
bool names_server(std::string_view spec);

// A generator for one of
//   openai:URL#MODEL                 as "openai:http://localhost:8000/v1#Qwen/Qwen2.5-VL-7B"; URL
//   is
//                                    what "/chat/completions" is appended to
//   http://HOST:PORT/PATH#MODEL      or https://; PATH is /v1 where there is none
//   ollama:MODEL, lmstudio:MODEL     at localhost, at the port that the program has
// Where MODEL is left out the server is asked which ones it has (GET /models) and its only one is
// taken; else nothing is sent before the first call. Throws Error(usage) for a SPEC that is of none
// of these forms, a key that cannot stand in a header, and a server that has several models, which
// it names; Error(model) or Error(timed_out) for one that does not tell, or has none.
//
// Or for several of these, parted by commas, that serve the same model: a call goes to the server
// to which calls that begin alike go, and to the next one where it fails; a server that failed is
// asked last for 30 s, and only when all of them have failed is one asked again as below.
//
// Replies are streamed. What differs from the models that run here:
// - temperature is 0 unless it is given; the other values that are absent are the server's.
// - TokenScores have id -1; an entropy is the least one that the server's likeliest 20 tokens
//   allow, NaN when they are not told; a top_entropy is NaN where fewer than ten are. A server
//   without log-probabilities gives no TokenScores.
// - choose() asks for one token and takes the likeliest 20 for it: a candidate's probability is
//   that of the tokens that begin this candidate and no other one; one that none of them begins
//   counts as impossible. Throws Error(model) when the server tells no probabilities, or none of
//   the candidates is among them, or two of them begin alike.
// - generate_json() asks under the schema; where a server refuses or ignores that, for any JSON
//   with the schema in words, or in words alone; what worked is remembered.
// - Calls that failed for a passing reason (408, 409, 425, 429, 5xx, no connection, a connection
//   or reply that broke, time-out) are repeated after a growing pause or as Retry-After asks. A
//   repeated reply must begin with what was passed to on_text before.
// - Redirects are followed within the host that was named only.
// Throws Error(timed_out) when the last attempt ran out of time, Error(input) for a call that the
// server refuses as such (400, 413, 422), else Error(model).
std::unique_ptr<models::Generator> make_openai_generator(const std::string& spec,
                                                         const OpenAiOptions& options);

}  // namespace fineprint::remote
