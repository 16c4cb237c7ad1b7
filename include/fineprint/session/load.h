// Opens models: finds the folder, reads its small files, and lets the networks' library load the
// weights.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "fineprint/models/gguf_caches.h"
#include "fineprint/models/qa_model.h"
#include "fineprint/remote/openai_generator.h"
#include "fineprint/serving/nets_library.h"

namespace fineprint::session {

// The forms that a SPEC of a generator may have, for messages.
inline constexpr std::string_view kGeneratorForms =
    "a model folder, org/name in the Hugging Face cache, ollama:NAME, lmstudio:NAME, "
    "http://HOST:PORT#NAME, openai:URL#NAME or script:FILE";

// Where models are found, where they run, and how servers are asked.
struct ModelOptions {
  // CPU or GPU, number format and threads.
  models::DeviceOptions device;
  std::string hub_cache = {};  // the Hugging Face cache, for SPECs like org/name
  // Prefixes for questions and passages that replace those of the model.
  models::GivenPrefixes prefixes = {};
  models::GgufPlaces gguf = {};           // folders of other programs, for SPECs like ollama:NAME
  serving::PrefixCacheOptions keep = {};  // for generators
  serving::LookupOptions lookup = {};     // for generators
  remote::OpenAiOptions openai = {};      // how servers of models of any kind are called
  // Prompts are texts to continue (Request::raw). A generator may then lack a chat template, but
  // must run on this machine.
  bool raw = false;
};

// Returns true if this build has the networks' library. Does not open it.
bool has_nets();
// Returns the functions of the networks' library. Opens it (and LibTorch) at the first call; it
// stays open until the process ends. Throws Error(model) with what to do if this build has no
// library, or it cannot be opened, or it belongs to another build.
const serving::NetsTable& nets();

// Opens a library of networks next to the program, for as long as the process lives. Calls its
// function `entry` with the version of the interface, and returns the result: its table of
// functions. Throws Error(model) naming the path and what to do if the library is missing or of
// another build, or if it links LibTorch and the processor cannot run that.
using LibraryEntry = const void*(std::uint64_t interface);
const void* open_library(const char* name, const char* entry, std::uint64_t interface);

// The functions below read the small files of the folder first, so that a wrong folder is reported
// without waiting for LibTorch. All throw Error(model), and Error(usage) if the device does not
// exist.

// Loads a sentence encoder, which gives one vector for each text. An empty SPEC is the default one.
std::unique_ptr<models::TextOnlyEncoder> load_text_encoder(const std::string& spec,
                                                           const ModelOptions& options);
// Loads any encoder. Sentence encoders work too; they give one row for each text. An empty SPEC is
// the default sentence encoder. One on a server (remote::names_served_encoder) does not open the
// library.
std::unique_ptr<models::Encoder> load_encoder(const std::string& spec, const ModelOptions& options);
// Loads a reranker. Throws Error(usage) if the model is not one. One on a server
// (remote::names_served_reranker) does not open the library.
std::unique_ptr<models::Reranker> load_reranker(const std::string& spec,
                                                const ModelOptions& options);
// Loads a QA model: a reranker that also points at answers. Throws Error(usage) if it does not.
std::unique_ptr<models::QaModel> load_qa_model(const std::string& spec,
                                               const ModelOptions& options);
// Throw what load_reranker() and load_qa_model() would throw before they load the weights.
void check_reranker(const std::string& spec, const ModelOptions& options);
void check_qa_model(const std::string& spec, const ModelOptions& options);
// Loads a generator. SPEC is "script:FILE", a model on a server (see
// remote::make_openai_generator), or a model that runs on this machine. The first two do not open
// the library. Throws Error(model) if the model has no chat template and prompts are not raw.
std::unique_ptr<models::Generator> load_generator(const std::string& spec,
                                                  const ModelOptions& options);
// Opens the graph of an ONNX file: a network that the file describes completely. It runs on
// the CPU. Throws Error(unreadable) if there is no such file.
std::unique_ptr<onnx::GraphNetwork> load_graph(const std::string& path,
                                               const ModelOptions& options);
// Throws what load_generator() would throw before it loads the weights.
void check_generator(const std::string& spec, const ModelOptions& options);

}  // namespace fineprint::session
