// Derives the option structs of the modules from settings.
#include "cli/wiring.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include <unistd.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/text.h"
#include "fineprint/documents/reading_library.h"
#include "fineprint/onnx/layout_files.h"
#include "fineprint/onnx/ocr_files.h"
#include "fineprint/pipelines/pipeline.h"
#include "fineprint/remote/served_models.h"
#include "fineprint/session/load.h"
#include "fineprint/session/prefix_shelf.h"

namespace fineprint::cli {
namespace {

// Returns, for example, "Qwen2.5-VL-3B" for a folder or a name in the cache: the name that people
// use.
std::string last_name(std::string spec) {
  while (spec.ends_with('/')) spec.pop_back();
  return spec.substr(spec.rfind('/') + 1);
}

// Returns the key of --api-key-file, else of the environment. Empty: no key.
std::string api_key(const Settings& settings) {
  std::string key;
  if (const std::string& path = settings.text("api-key-file"); !path.empty()) {
    key = read_file(path);
  } else {
    key = environment_value(std::string(settings::kApiKeyVariable).c_str());
    if (key.empty()) key = environment_value("OPENAI_API_KEY");
  }
  key.erase(key.find_last_not_of(" \t\r\n") + 1);
  return key;
}

remote::OpenAiOptions openai_options(const Settings& settings) {
  // Files and variables often end in a line break, which is not part of the key.
  remote::OpenAiOptions options = settings.read(remote::openai_options());
  options.api_key = api_key(settings);
  return options;
}

bool has_served_encoder(const Settings& settings) {
  const std::vector<std::string> specs = settings.list("retriever");
  return std::any_of(specs.begin(), specs.end(), remote::names_served_encoder);
}

// Refuses options that have no effect with an engine that knows all its languages.
void check_engine_options(const Settings& settings, documents::OcrMode mode) {
  if (settings.origin("ocr-lang") != settings::kDefaultOrigin) {
    throw Error(ErrorCode::usage,
                "--ocr-lang has no effect with the engine of --ocr-engine, which reads all the "
                "languages that it knows; leave one of the two out");
  }
  if (mode == documents::OcrMode::never) {
    throw Error(ErrorCode::usage,
                "--ocr-engine has no effect with --ocr never; leave one of the two out");
  }
  if (!session::has_nets()) {
    throw Error(ErrorCode::usage,
                "--ocr-engine: this build has no networks' library; build with "
                "-DFINEPRINT_NETS=ON (scripts/fineprint does), or use tesseract");
  }
}

// Has document workers read by an engine of graphs. Commands that read nothing do not look for it.
void use_engine(const Settings& settings, ingest::IngestOptions& options) {
  check_engine_options(settings, options.read.ocr);
  options.read.ocr_engine = std::filesystem::absolute(options.read.ocr_engine).string();
  options.read.ocr_engine_hash = onnx::find_ocr_files(options.read.ocr_engine).hash;
  options.document_workers.models.ocr_engine = options.read.ocr_engine;
}

// Has document workers look at pages with a layout model.
void use_layout_model(ingest::IngestOptions& options) {
  if (!session::has_nets()) {
    throw Error(ErrorCode::usage,
                "--layout-model: this build has no networks' library; build with "
                "-DFINEPRINT_NETS=ON (scripts/fineprint does), or leave the option out");
  }
  options.read.layout_model = std::filesystem::absolute(options.read.layout_model).string();
  options.read.layout_model_hash = onnx::find_layout_files(options.read.layout_model).hash;
  options.document_workers.models.layout_model = options.read.layout_model;
}

}  // namespace

std::vector<std::string> scorers_with_vectors(const Settings& settings) {
  std::vector<std::string> scorers;
  for (const std::string& scorer : settings.list("scorer")) {
    const pipelines::Pipeline* finder = pipelines::finder(scorer.substr(0, scorer.find(':')));
    if (finder == nullptr) {
      scorers.push_back(scorer);
      continue;
    }
    const std::string option = finder->info.name + "." + finder->finding.starts_from;
    for (std::string& start : settings.list(option)) scorers.push_back(std::move(start));
  }
  return scorers;
}

documents::ReadOptions read_options(const Settings& settings) {
  documents::ReadOptions options = settings.read(documents::read_options());
  const std::string& file = settings.text("password-file");
  if (!file.empty()) options.listed = documents::read_passwords(file);
  return options;
}

std::string pdf_folder(const std::string& store) { return store + "/pdfs"; }

// A named program must exist. With "auto", a missing LibreOffice is not an error, because some
// office files can be read without it.
documents::OfficeOptions office_options(const Settings& settings, const std::string& store) {
  documents::OfficeOptions options;
  if (!store.empty()) options.folder = pdf_folder(store);
  const std::string& program = settings.text("libreoffice");
  if (program == "never") return options;
  if (program == "auto") {
    options.program = documents::find_office_program(environment_value("PATH"));
  } else if (access(program.c_str(), X_OK) == 0) {
    options.program = std::filesystem::absolute(program).string();
  } else {
    throw Error(ErrorCode::usage,
                format("--libreoffice {}: is not an executable program; give the path of soffice, "
                       "auto or never",
                       program));
  }
  return options;
}

documents::DocumentWorkerOptions document_worker_options(const Settings& settings,
                                                         const std::string& store) {
  documents::DocumentWorkerOptions options;
  options.workers = settings.read(models::device_options()).threads;
  options.limits = settings.read(documents::worker_options());
  // A worker that waits for a slow disk uses little processor time, so the wall clock gets twice
  // the limit.
  options.limits.wall_seconds = 2 * options.limits.cpu_seconds;
  options.office = office_options(settings, store);
  return options;
}

ingest::IngestOptions ingest_options(const Settings& settings, const std::string& store) {
  documents::check_reading_library();
  ingest::IngestOptions options = settings.read(ingest::ingest_options());
  options.read = read_options(settings);
  options.document_workers = document_worker_options(settings, store);
  if (options.read.ocr_engine != documents::kTesseract) use_engine(settings, options);
  if (!options.read.layout_model.empty()) use_layout_model(options);
  // The scorers that searches use by default do not limit which vectors are kept up to date.
  if (settings.origin("scorer") != settings::kDefaultOrigin) {
    options.scorers = scorers_with_vectors(settings);
  }
  options.retrievers = settings.list("retriever");
  options.model =
      options.map.empty() ? encoder_options(settings) : generator_options(settings, store);
  return options;
}

session::DocumentFilter document_filter(const Settings& settings, std::vector<std::string> docs) {
  session::DocumentFilter filter = settings.read(session::document_filter_options());
  filter.docs = std::move(docs);
  return filter;
}

session::SessionOptions answering_options(const Settings& settings, const std::string& store,
                                          std::shared_ptr<remote::SentPages> sent) {
  session::SessionOptions options = settings.read(session::session_options());
  options.model = encoder_options(settings);
  options.read = read_options(settings);
  options.document_workers = document_worker_options(settings, store);
  options.filter = document_filter(settings, settings.list("doc"));
  // Without a model on a server, the API key is not read; without a generator, no state folder is
  // opened.
  if (remote::names_served_reranker(settings.text("rerank"))) {
    options.model.openai = openai_options(settings);
  }
  if (!options.generator.empty() || !options.agent_generators.empty()) {
    options.model = generator_options(settings, store);
  }
  options.model.openai.sent = std::move(sent);
  return options;
}

session::ModelOptions model_options(const Settings& settings) {
  return {.device = settings.read(models::device_options()),
          .hub_cache = hub_cache(),
          .prefixes = settings.read(models::prefix_options()),
          .gguf = gguf_places()};
}

session::ModelOptions encoder_options(const Settings& settings) {
  session::ModelOptions options = model_options(settings);
  if (has_served_encoder(settings)) options.openai = openai_options(settings);
  return options;
}

session::ModelOptions generator_options(const Settings& settings, const std::string& store) {
  session::ModelOptions options = model_options(settings);
  options.openai = openai_options(settings);
  options.keep = settings.read(serving::prefix_cache_options());
  options.lookup = settings.read(serving::lookup_options());
  if (!settings.flag("keep-states")) return options;
  if (store.empty()) {
    throw Error(ErrorCode::usage, "--keep-states needs --store DIR, the store that keeps them");
  }
  store::PrefixFolderOptions states = settings.read(store::prefix_folder_options());
  states.model = last_name(settings.text("generator"));
  options.keep.shelf = session::open_prefix_shelf(store, states);
  return options;
}

std::string one_retriever(const Settings& settings) {
  const std::vector<std::string> all = settings.list("retriever");
  if (all.size() > 1) {
    throw Error(ErrorCode::usage, format("this command accepts one --retriever, not {}: {}",
                                         all.size(), join_texts(all, ", ")));
  }
  return all.empty() ? "" : all.front();
}

std::string environment_value(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// The same order as Hugging Face's own tools, so that both find the same models.
std::string hub_cache() {
  if (const std::string dir = environment_value("HF_HUB_CACHE"); !dir.empty()) return dir;
  if (const std::string dir = environment_value("HF_HOME"); !dir.empty()) return dir + "/hub";
  const std::filesystem::path mine = user_cache_dir();
  return (mine.parent_path() / "huggingface/hub").string();
}

models::GgufPlaces gguf_places() {
  const auto place = [](const char* name, const std::string& otherwise) {
    const std::string given = environment_value(name);
    return given.empty() ? otherwise : given;
  };
  const std::string home = environment_value("HOME");
  const std::filesystem::path caches = std::filesystem::path(user_cache_dir()).parent_path();
  return {.llama_cpp = place("LLAMA_CACHE", (caches / "llama.cpp").string()),
          .ollama = place("OLLAMA_MODELS", home.empty() ? "" : home + "/.ollama/models"),
          .lm_studio = home.empty() ? "" : home + "/.lmstudio/models",
          .hub = hub_cache()};
}

std::string store_dir(const Settings& settings) {
  const std::string& dir = settings.text("store");
  if (dir.empty()) {
    throw Error(ErrorCode::usage, "--store DIR is missing: the folder of the store");
  }
  return dir;
}

// Positional arguments are optional for CLI11, because commands need different numbers of them.
std::string argument(const Settings& settings, std::size_t index, const char* what) {
  if (index >= settings.arguments.size()) {
    throw Error(ErrorCode::usage, format("{} is missing; see --help", what));
  }
  return settings.arguments[index];
}

void allow_arguments(const Settings& settings, std::size_t most) {
  if (settings.arguments.size() <= most) return;
  throw Error(ErrorCode::usage,
              format("unexpected argument \"{}\"; put text of several words in quotes; see --help",
                     settings.arguments[most]));
}

}  // namespace fineprint::cli
