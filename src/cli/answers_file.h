// Answers questions into a file with a manifest, as `batch` and `bench` do.
#pragma once

#include <functional>
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

// Returns the file in which the answers of a table are kept, next to the table.
std::string table_answers_path(const std::string& out);

// Answers the questions of a table into `answers`, like answer_into, by a function that runs on
// several threads. The shard is that of the documents and not of the questions. Answers of another
// store count, too, because their ids hold the contents of the documents.
runs::BatchReport answer_cells_into(const std::string& answers,
                                    const std::vector<Question>& questions,
                                    const std::function<Answer(const Question&)>& answer,
                                    const Settings& settings, const session::Session& session,
                                    const remote::SentPages& sent);

// Logs "12 questions: 10 answered, ...".
void note_answered(const runs::BatchReport& report);

}  // namespace fineprint::cli
