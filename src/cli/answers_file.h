// Answers questions into a file with a manifest, as `batch` and `bench` do.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fineprint/answering/answering.h"
#include "fineprint/remote/sent_pages.h"
#include "fineprint/runs/batch.h"
#include "fineprint/session/context.h"
#include "fineprint/settings/settings.h"

namespace fineprint::cli {

using settings::Settings;

// Returns the options of --workers, --shard and --retry-failed.
runs::BatchOptions batch_options(const Settings& settings);

// Returns the counts of pages that earlier runs sent to servers, from the manifest of `out` if
// there is one.
std::shared_ptr<remote::SentPages> sent_before(const std::string& out);

// Answers into `out`, or continues it if it exists, and keeps its manifest up to date. Throws
// Error(usage) if the file was begun with other settings and --force is not given, and what
// run_batch throws.
runs::BatchReport answer_into(const std::string& out, const std::vector<Question>& questions,
                              const answering::Answering& answering, const store::Store& store,
                              const Settings& settings);

// Logs "12 questions: 10 answered, ...".
void note_answered(const runs::BatchReport& report);

}  // namespace fineprint::cli
