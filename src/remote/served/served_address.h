// The addresses of encoders and rerankers on servers.
#pragma once

#include <string>
#include <string_view>

#include "fineprint/models/retriever.h"
#include "fineprint/remote/openai_generator.h"

#include "remote/openai/address.h"

namespace fineprint::remote {

// Whose interface a server has.
enum class Protocol { openai, ollama, tei };

// An encoder's or reranker's SPEC, taken apart.
struct ServedAddress {
  models::RetrieverKind kind = models::RetrieverKind::text;
  Protocol protocol = Protocol::openai;
  ServerAddress server;  // of Ollama without /v1

  // Returns the path of vLLM's interfaces that are not below /v1.
  std::string root() const;
};

// Returns whether `spec` has a form of names_served_reranker().
bool is_served(std::string_view spec);
// Returns whether `spec` has a form of names_served_encoder().
bool is_served_with_kind(std::string_view spec);

// Throws Error(usage) that names the problem.
ServedAddress parse_served(std::string_view spec);

// Returns the address with the name of the model, for which the server is asked if it is missing,
// and sets `spec` to one with the name.
ServedAddress find_served(std::string* spec, const OpenAiOptions& options);

}  // namespace fineprint::remote
