// Derives the option structs of the modules from settings.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fineprint/core/budget.h"
#include "fineprint/ingest/ingest.h"
#include "fineprint/models/gguf_caches.h"
#include "fineprint/session/context.h"
#include "fineprint/settings/settings.h"

namespace fineprint::cli {

using settings::Settings;

// Returns how documents are read, with the passwords of --password-file. Throws what reading that
// file throws.
documents::ReadOptions read_options(const Settings& settings);
// Returns the options of --libreoffice. If `store` is not empty, PDFs of office files are kept in
// it. Throws Error(usage).
documents::OfficeOptions office_options(const Settings& settings, const std::string& store);
// Like office_options, with --jobs and the limits of document workers.
documents::DocumentWorkerOptions document_worker_options(const Settings& settings,
                                                         const std::string& store);
// Returns the folder in which a store keeps PDFs of office files.
std::string pdf_folder(const std::string& store);
ingest::IngestOptions ingest_options(const Settings& settings, const std::string& store);
// Returns the filter of --since and --kind over the documents that `docs` names.
session::DocumentFilter document_filter(const Settings& settings, std::vector<std::string> docs);
// Returns the options of commands that search: with the generator, if one is named, and the
// means to show it pages. `store` is the folder for --keep-states. `sent` counts the pages that
// leave the machine.
session::SessionOptions answering_options(const Settings& settings, const std::string& store,
                                          std::shared_ptr<remote::SentPages> sent = nullptr);
// Returns device, number format, threads, and the Hugging Face cache of the user.
session::ModelOptions model_options(const Settings& settings);
// Like model_options, with the options of servers (--api-timeout and others) if --retriever names a
// model on one. Only then reads the file of the API key.
session::ModelOptions encoder_options(const Settings& settings);
// Like model_options, with the caches of a generator (--cache-bytes, --keep-states and others) and
// the options of servers (--api-timeout and others). Reads the file of the API key. `store` is the
// folder for --keep-states; empty: none.
session::ModelOptions generator_options(const Settings& settings, const std::string& store);
// Returns the scorers of --scorer, and in place of pipelines that find pages those that they start
// from, because only these have vectors.
std::vector<std::string> scorers_with_vectors(const Settings& settings);
// Returns --retriever of commands that take one; empty: the default. Throws Error(usage) if several
// are given.
std::string one_retriever(const Settings& settings);
// Returns an empty string if the variable is not set.
std::string environment_value(const char* name);
// Returns $HF_HUB_CACHE, else $HF_HOME/hub, else huggingface/hub in the user's cache folder.
std::string hub_cache();
// Returns the folders in which llama.cpp, Ollama, LM Studio and the Hugging Face tools keep GGUF
// files.
models::GgufPlaces gguf_places();

// Returns --store. Throws Error(usage) if it is missing.
std::string store_dir(const Settings& settings);
// Returns the positional argument at `index`. Throws Error(usage) with `what` if it is missing.
std::string argument(const Settings& settings, std::size_t index, const char* what);
// Throws Error(usage) with the first superfluous argument if there are more than `most` positional
// ones.
void allow_arguments(const Settings& settings, std::size_t most);

}  // namespace fineprint::cli
