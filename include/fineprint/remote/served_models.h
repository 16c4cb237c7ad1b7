// Uses encoders and rerankers on servers: OpenAI's embeddings (vLLM, llama.cpp's server, LM Studio,
// hosted services), Ollama, text-embeddings-inference, and the rerank interface of vLLM, Jina and
// Cohere.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "fineprint/models/encoder.h"
#include "fineprint/models/prefixes.h"
#include "fineprint/models/reranker.h"
#include "fineprint/models/retriever.h"
#include "fineprint/remote/openai_generator.h"

namespace fineprint::remote {

// Returns whether `spec` names an encoder on a server. It has one of these forms:
//   openai:URL#NAME        asks URL/embeddings
//   http://HOST:PORT#NAME  or https://; the path is /v1 if it is missing
//   lmstudio:NAME          at localhost, on that program's usual port
//   ollama:NAME            the same for Ollama, which is asked at /api/embed
//   ollama:URL#NAME        Ollama elsewhere
//   tei:URL#NAME           text-embeddings-inference: asks URL/embed
// The kind of its vectors, models::kind_name(), and ':' may precede the first three forms. Without
// a kind, texts get one vector each:
//   page:      pictures of pages get one vector each: vLLM, URL/embeddings with "messages"
//   late:      pictures of pages get many vectors: vLLM, /pooling
//   late-text: texts get many vectors: vLLM, /pooling
// If NAME is left out, the server is asked for its only model.
bool names_served_encoder(std::string_view spec);

// An encoder on a server, without its vectors.
struct ServedEncoder {
  std::string spec;  // with the name of the model
  std::string name;  // of the model
  models::RetrieverKind kind = models::RetrieverKind::text;
  models::TextPrefixes prefixes;
  // Depends on the model's name, the kind and the passage prefix, and not on the address: another
  // server with the same model continues its vector set.
  std::string hash;
};

// Throws Error(usage) if `spec` has none of the forms above, or asks a server for vectors that it
// does not give. Sends nothing if `spec` gives the name of the model; if not, throws what
// make_openai_generator() throws.
ServedEncoder find_served_encoder(const std::string& spec, const models::GivenPrefixes& given,
                                  const OpenAiOptions& options);

// Returns the encoder. Its vectors are scaled to unit length. The first call sends one word to
// learn the length of the vectors, if dim() is called before anything was embedded. Texts are sent
// in batches, which become smaller if the server refuses them. With the kind `page`, the passage
// prefix is the text that follows a picture.
//
// Calls are repeated as those of make_openai_generator() are, and throw the same errors, and
// Error(model) if vectors are missing, are not numbers, are zero, or differ in length.
std::unique_ptr<models::Encoder> make_served_encoder(const std::string& spec,
                                                     const models::GivenPrefixes& given,
                                                     const OpenAiOptions& options);

// Returns whether `spec` names a reranker on a server. It has one of these forms:
//   openai:URL#NAME, http://HOST:PORT#NAME, lmstudio:NAME
//                    asks URL/rerank, as vLLM, Jina and Cohere take it
//   tei:URL#NAME     text-embeddings-inference: asks URL/rerank
// ollama:... is such a form, too, but Ollama has no rerankers, so it is refused.
bool names_served_reranker(std::string_view spec);

// Throws Error(usage) if no reranker can be made from `spec`. Sends nothing.
void check_served_reranker(const std::string& spec);

// Returns the reranker. It reads texts. Throws and repeats calls as encoders do, also if a score is
// not between 0 and 1. If NAME is missing, the server is asked.
std::unique_ptr<models::Reranker> make_served_reranker(const std::string& spec,
                                                       const OpenAiOptions& options);

}  // namespace fineprint::remote
