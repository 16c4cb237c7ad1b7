// Uses a model on a server that speaks the protocol of OpenAI's chat completions: for example vLLM,
// SGLang, llama.cpp's server, `transformers serve`, or a hosted service.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "fineprint/core/option.h"
#include "fineprint/models/generator.h"
#include "fineprint/remote/sent_pages.h"

namespace fineprint::remote {

// The prefix of a SPEC that gives the server's URL in full.
inline constexpr std::string_view kOpenAiPrefix = "openai:";

// How page images are encoded for a server.
enum class PictureFormat { png, jpeg };

// How calls to a server are made.
struct OpenAiOptions {
  // Sent only to the host in the SPEC. Never logged and never part of a message. Empty: no key is
  // sent.
  std::string api_key = {};
  std::chrono::milliseconds connect_timeout{10'000};  // of one connection
  std::chrono::milliseconds call_timeout{600'000};  // of one attempt, to the last byte of the reply
  // How often a call is repeated after its first attempt if the server was busy or the connection
  // broke.
  int retries = 4;
  PictureFormat pictures = PictureFormat::png;  // jpeg is smaller but blurs small print
  std::shared_ptr<SentPages> sent = nullptr;    // counts every page that is sent; may be null
};

// Returns the options of this header that the command line and preset files can set. The key and
// `sent` are not among them.
const OptionTable<OpenAiOptions>& openai_options();

// Returns whether `spec` has one of the forms that make_openai_generator accepts.
bool names_server(std::string_view spec);

// Returns a generator for `spec`, which has one of these forms:
//   openai:URL#MODEL  for example "openai:http://localhost:8000/v1#Qwen/Qwen2.5-VL-7B";
//     "/chat/completions" is appended to URL
//   http://HOST:PORT/PATH#MODEL  or https://; PATH is /v1 if it is missing
//   ollama:MODEL, lmstudio:MODEL  at localhost, on that program's usual port
// If MODEL is left out, the server is asked which models it has (GET /models), and its only one is
// used. If MODEL is given, nothing is sent before the first call.
// Throws Error(usage) if `spec` has none of these forms, if the key cannot be put into a header, or
// if the server has several models (the message names them). Throws Error(model) or
// Error(timed_out) if the server does not list its models or has none.
//
// `spec` may also be several of these forms, separated by commas, that serve the same model. A call
// goes to the server that gets the calls with the same beginning, because that server has the
// beginning in its cache. If it fails, the next server gets the call. A server that failed is tried
// last for 30 s. Only if all of them have failed is one tried again as described below.
//
// Replies are streamed. These are the differences from models that run on this machine:
// - The temperature is 0 unless it is given. The server decides on all other absent values.
// - TokenScores have id -1. An entropy is the least one that the server's 20 likeliest tokens
//   allow, and NaN if the server does not return them. A top_entropy is NaN if fewer than ten are
//   returned. If a server returns no log-probabilities, there are no TokenScores.
// - choose() asks for one token and uses the 20 likeliest for it. The probability of a candidate is
//   that of the tokens that begin this candidate and no other one. A candidate that no token begins
//   counts as impossible. Throws Error(model) if the server returns no probabilities, if none of
//   the candidates is among them, or if two candidates begin with the same token.
// - generate_json() sends the schema. If a server refuses or ignores it, the call asks for any JSON
//   with the schema in words, then for the schema in words alone. What worked is remembered.
// - A call that failed for a passing reason (408, 409, 425, 429, 5xx, no connection, a connection
//   or reply that broke, a timeout) is repeated after a growing pause, or after the time that
//   Retry-After gives. A repeated reply must begin with the text that was passed to on_text before.
// - Redirects are followed only within the host in the SPEC.
// Calls throw Error(timed_out) if the last attempt ran out of time, Error(input) if the server
// refuses the call as such (400, 413, 422), and Error(model) for all other failures.
std::unique_ptr<models::Generator> make_openai_generator(const std::string& spec,
                                                         const OpenAiOptions& options);

}  // namespace fineprint::remote
