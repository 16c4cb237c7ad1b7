// Opens models: finds the folder, reads its small files, and has the networks' library load it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "fineprint/models/gguf_caches.h"
#include "fineprint/models/reader.h"
#include "fineprint/remote/openai_generator.h"
#include "fineprint/serving/nets_library.h"

namespace fineprint::session {

// What a SPEC of a generator may be, for messages.
inline constexpr std::string_view kGeneratorForms =
    "a model folder, org/name in the Hugging Face cache, ollama:NAME, lmstudio:NAME, "
    "http://HOST:PORT#NAME, openai:URL#NAME or script:FILE";

struct ModelOptions {
  models::DeviceOptions device;
  std::string hub_cache = {};  // the Hugging Face cache, where org/name is looked for
  models::GivenPrefixes prefixes = {};
  models::GgufPlaces gguf = {};  // where generators are looked for by other programs' names
  // Of generators: what they keep, and how servers are talked to.
  serving::KeepOptions keep = {};
  remote::OpenAiOptions openai = {};
};

// Whether this build has the networks' library; does not open it.
bool has_nets();
// Opens the library (and LibTorch with it) at the first call; it stays open until the process
// ends. Throws Error(model) when this build has none, or it cannot be opened, or belongs to another
// build, saying what to do.
const serving::NetsTable& nets();

// Opens a library beside the program that sees LibTorch, for as long as the process lives, and
// gives what its function `entry` has for this interface: its table. Throws Error(model) where the
// library is not there or of another build, naming the path and what to do.
using LibraryEntry = const void*(std::uint64_t interface);
const void* open_library(const char* name, const char* entry, std::uint64_t interface);

// The folder's small files are read first: a wrong one is named without waiting for LibTorch.
// All throw Error(model), and Error(usage) for a device that is not there.

// Sentence encoders: one vector a text. Empty: the default one.
std::unique_ptr<models::Embedder> load_text_encoder(const std::string& spec,
                                                    const ModelOptions& options);
// Any encoder, of sentences too: those give one row a text. Empty: the default sentence encoder.
std::unique_ptr<models::Encoder> load_encoder(const std::string& spec, const ModelOptions& options);
// Cross-encoders. Throws Error(usage) for a model that is none.
std::unique_ptr<models::Reranker> load_reranker(const std::string& spec,
                                                const ModelOptions& options);
// A reranker that points at answers, too. Throws Error(usage) for one that does not.
std::unique_ptr<models::Reader> load_reader(const std::string& spec, const ModelOptions& options);
// Throws what load_reranker would find wrong with SPEC before it loads a model.
void check_reranker(const std::string& spec, const ModelOptions& options);
// SPEC: "script:FILE", a model on a server (see remote::make_openai_generator), else a model that
// runs here. The first two do not open the library.
std::unique_ptr<models::Generator> load_generator(const std::string& spec,
                                                  const ModelOptions& options);
// Throws what load_generator would find wrong with SPEC before it loads a model.
void check_generator(const std::string& spec, const ModelOptions& options);

}  // namespace fineprint::session
