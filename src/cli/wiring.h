// From settings to the option structs of the modules.
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

// How documents are read, with the passwords of --password-file. Throws what reading it does.
documents::ReadOptions read_options(const Settings& settings);
// --libreoffice; PDFs of office files are kept in `store`, if there is one. Throws Error(usage).
documents::OfficeOptions office_options(const Settings& settings, const std::string& store);
// The same with --jobs and the limits of workers.
documents::ReaderOptions document_reader_options(const Settings& settings,
                                                 const std::string& store);
// Where a store keeps PDFs of office files.
std::string pdf_folder(const std::string& store);
ingest::IngestOptions ingest_options(const Settings& settings, const std::string& store);
// --since and --kind, over the documents that `docs` name.
session::DocumentFilter document_filter(const Settings& settings, std::vector<std::string> docs);
// For commands that search: with the generator, if one was named, and what it takes to show it
// pages. `store` is where --keep-states keeps them; `sent` is told of pages that leave the machine.
session::SessionOptions answering_options(const Settings& settings, const std::string& store,
                                          std::shared_ptr<remote::SentPages> sent = nullptr);
// Device, number format, threads, and the Hugging Face cache of this user.
session::ModelOptions model_options(const Settings& settings);
// The same with what a generator keeps (--cache-bytes, --keep-states and the like) and how servers
// are talked to (--api-timeout and the like; the key is read here). `store` is the folder of
// --keep-states; empty: there is none.
session::ModelOptions generator_options(const Settings& settings, const std::string& store);
// --retriever of commands that take one; empty: the default one. Throws Error(usage) for several.
std::string one_retriever(const Settings& settings);
// Empty when it is not set.
std::string environment_value(const char* name);
// $HF_HUB_CACHE, else $HF_HOME/hub, else huggingface/hub in the user's cache folder.
std::string hub_cache();
// Where llama.cpp, Ollama, LM Studio and the Hugging Face tools keep GGUF files.
models::GgufPlaces gguf_places();

// --store, which must be given. Throws Error(usage).
std::string store_dir(const Settings& settings);
// The positional argument at `index`. Throws Error(usage) naming what is missing.
std::string argument(const Settings& settings, std::size_t index, const char* what);
// Throws Error(usage), naming the first one that nothing would be done with, when there are more
// positional arguments.
void allow_arguments(const Settings& settings, std::size_t most);

}  // namespace fineprint::cli
