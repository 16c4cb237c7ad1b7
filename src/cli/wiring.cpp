// From settings to the option structs of the modules.
#include "cli/wiring.h"

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <utility>

#include <unistd.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/session/state_shelf.h"

namespace fineprint::cli {
namespace {

documents::OcrMode ocr_mode(const std::string& name) {
  if (name == "never") return documents::OcrMode::never;
  return name == "always" ? documents::OcrMode::always : documents::OcrMode::automatic;
}

std::optional<int> as_int(const std::optional<long>& value) {
  return value ? std::optional<int>(static_cast<int>(*value)) : std::nullopt;
}

ingest::GraphChoice graph_choice(const Settings& settings) {
  ingest::GraphChoice choice;
  if (const std::string& name = settings.text("graph-sim"); !name.empty()) {
    choice.similarity = name == "maxsim_norm" ? score::GraphSimilarity::max_sim
                                              : score::GraphSimilarity::mean_cosine;
  }
  choice.neighbours = as_int(settings.integer_if_set("graph-knn"));
  choice.threshold = settings.real_if_set("graph-theta");
  return choice;
}

// "Qwen2.5-VL-3B" of a folder or a name in the cache: what people know a model by.
std::string last_name(std::string spec) {
  while (spec.ends_with('/')) spec.pop_back();
  return spec.substr(spec.rfind('/') + 1);
}

// The key of --api-key-file, else of the environment; empty: none.
std::string api_key(const Settings& settings) {
  std::string key;
  if (const std::string& path = settings.text("api-key-file"); !path.empty()) {
    key = read_file(path);
  } else {
    key = environment_value(std::string(kApiKeyVariable).c_str());
    if (key.empty()) key = environment_value("OPENAI_API_KEY");
  }
  key.erase(key.find_last_not_of(" \t\r\n") + 1);
  return key;
}

std::chrono::milliseconds seconds_of(const Settings& settings, std::string_view name) {
  const double seconds = settings.real(name);
  if (!(seconds > 0 && seconds <= 86400)) {
    throw Error(ErrorCode::usage, format("--{} must be above 0 and at most 86400", name));
  }
  return std::chrono::milliseconds(static_cast<long>(std::ceil(seconds * 1000)));
}

remote::OpenAiOptions openai_options(const Settings& settings) {
  remote::OpenAiOptions options;
  options.api_key = api_key(settings);
  options.connect_timeout = seconds_of(settings, "api-connect-timeout");
  options.call_timeout = seconds_of(settings, "api-timeout");
  options.retries = static_cast<int>(settings.integer("api-retries"));
  if (settings.text("api-image") == "jpeg") options.pictures = remote::PictureFormat::jpeg;
  return options;
}

bool is_device(const std::string& name) {
  constexpr std::string_view kNumbered = "cuda:";
  if (name == "auto" || name == "cpu" || name == "cuda") return true;
  return name.starts_with(kNumbered) && name.size() > kNumbered.size() &&
         name.size() < kNumbered.size() + 4 &&
         name.find_first_not_of("0123456789", kNumbered.size()) == std::string::npos;
}

}  // namespace

void add_passwords(const Settings& settings, documents::ReadOptions* read) {
  read->passwords = settings.list("password");
  const std::string& file = settings.text("password-file");
  if (!file.empty()) read->listed = documents::read_passwords(file);
}

std::string pdf_folder(const std::string& store) { return store + "/pdfs"; }

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
                format("--libreoffice {}: there is no such program; give the path of soffice, auto "
                       "or never",
                       program));
  }
  return options;
}

documents::ReaderOptions reader_options(const Settings& settings, const std::string& store) {
  documents::ReaderOptions options;
  options.workers = static_cast<int>(settings.integer("jobs"));
  options.limits.memory_bytes = settings.bytes("worker-memory");
  options.limits.cpu_seconds = settings.real("worker-seconds");
  options.limits.max_pages = static_cast<int>(settings.integer("max-file-pages"));
  constexpr std::int64_t kLeastMemory = std::int64_t{64} << 20;
  if (options.limits.memory_bytes < kLeastMemory) {
    throw Error(ErrorCode::usage, "--worker-memory: below 64MiB no page can be read");
  }
  if (!(options.limits.cpu_seconds >= 1 && options.limits.cpu_seconds <= 86400)) {
    throw Error(ErrorCode::usage, "--worker-seconds must be from 1 to 86400");
  }
  if (options.limits.max_pages < 1) {
    throw Error(ErrorCode::usage, "--max-file-pages must be at least 1");
  }
  options.limits.wall_seconds = 2 * options.limits.cpu_seconds;
  options.office = office_options(settings, store);
  return options;
}

ingest::IngestOptions ingest_options(const Settings& settings, const std::string& store) {
  ingest::IngestOptions options;
  options.read.ocr = ocr_mode(settings.text("ocr"));
  options.read.ocr_languages = settings.text("ocr-lang");
  add_passwords(settings, &options.read);
  options.reader = reader_options(settings, store);
  // What searches use by default does not limit what is kept up to date.
  if (settings.origin("scorer") != kDefaultOrigin) options.scorers = settings.list("scorer");
  options.retrievers = settings.list("retriever");
  options.vector_format = store::parse_vector_format(settings.text("vector-dtype"));
  options.pool_factor = as_int(settings.integer_if_set("pool-factor"));
  options.graph = graph_choice(settings);
  options.model = model_options(settings);
  options.prune = settings.flag("prune");
  return options;
}

session::SessionOptions session_options(const Settings& settings) {
  const session::ModelOptions model = model_options(settings);
  return {settings.list("retriever"), model.device, model.hub_cache};
}

session::SessionOptions answering_options(const Settings& settings, const std::string& store,
                                          std::shared_ptr<remote::SentPages> sent) {
  session::SessionOptions options = session_options(settings);
  add_passwords(settings, &options.read);
  options.reader = reader_options(settings, store);
  options.generator = settings.text("generator");
  if (options.generator.empty()) return options;
  const session::ModelOptions model = generator_options(settings, store);
  options.keep = model.keep;
  options.openai = model.openai;
  options.openai.sent = std::move(sent);
  return options;
}

BudgetLimits budget_limits(const Settings& settings) {
  BudgetLimits limits;
  limits.max_calls = static_cast<int>(settings.integer("max-calls"));
  limits.max_image_tokens =
      settings.integer_if_set("max-image-tokens").value_or(limits.max_image_tokens);
  limits.max_pages = as_int(settings.integer_if_set("max-pages")).value_or(limits.max_pages);
  limits.max_seconds = settings.real_if_set("max-seconds").value_or(limits.max_seconds);
  if (!(limits.max_seconds > 0)) throw Error(ErrorCode::usage, "--max-seconds must be above 0");
  return limits;
}

session::ModelOptions model_options(const Settings& settings) {
  session::ModelOptions options;
  options.device = {settings.text("device"), settings.text("dtype"),
                    static_cast<int>(settings.integer("jobs"))};
  if (!is_device(options.device.device)) {
    throw Error(ErrorCode::usage,
                format("--device {} is not auto, cpu, cuda or cuda:N", options.device.device));
  }
  options.hub_cache = hub_cache();
  return options;
}

session::ModelOptions generator_options(const Settings& settings, const std::string& store) {
  session::ModelOptions options = model_options(settings);
  options.openai = openai_options(settings);
  options.keep.cache_bytes = settings.bytes("cache-bytes");
  options.keep.shelf_dtype = settings.text("state-dtype");
  if (!settings.flag("keep-states")) return options;
  if (store.empty()) {
    throw Error(ErrorCode::usage, "--keep-states needs --store DIR: the folder to keep them in");
  }
  store::StateOptions states;
  states.model = last_name(settings.text("generator"));
  states.limit_bytes = settings.bytes("states-bytes");
  options.keep.shelf = session::open_state_shelf(store, states);
  return options;
}

std::string one_retriever(const Settings& settings) {
  const std::vector<std::string> all = settings.list("retriever");
  if (all.size() > 1) throw Error(ErrorCode::usage, "this command takes one --retriever");
  return all.empty() ? "" : all.front();
}

std::string environment_value(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::string hub_cache() {
  if (const std::string dir = environment_value("HF_HUB_CACHE"); !dir.empty()) return dir;
  if (const std::string dir = environment_value("HF_HOME"); !dir.empty()) return dir + "/hub";
  const std::filesystem::path mine = user_cache_dir();
  return (mine.parent_path() / "huggingface/hub").string();
}

pipelines::PipelineOptions pipeline_options(const Settings& settings) {
  std::map<std::string, std::string, std::less<>> values;
  for (const pipelines::Setting& setting : pipelines::all_settings()) {
    values[std::string(setting.name)] = settings.text(setting.name);
  }
  return {search_options(settings), settings.real("min-confidence"), settings.text("prompts"),
          pipelines::settings_with(values)};
}

std::string store_dir(const Settings& settings) {
  const std::string& dir = settings.text("store");
  if (dir.empty()) {
    throw Error(ErrorCode::usage, "--store DIR is missing: the folder that holds the index");
  }
  return dir;
}

std::string argument(const Settings& settings, std::size_t index, const char* what) {
  if (index >= settings.arguments.size()) {
    throw Error(ErrorCode::usage, format("{} is missing; see --help", what));
  }
  return settings.arguments[index];
}

void allow_arguments(const Settings& settings, std::size_t most) {
  if (settings.arguments.size() <= most) return;
  throw Error(ErrorCode::usage,
              format("\"{}\" is one argument too many; several words go into quotes, see --help",
                     settings.arguments[most]));
}

}  // namespace fineprint::cli
