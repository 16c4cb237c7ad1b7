// Answers that go into a file with its manifest, as `batch` and `bench` write them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "fineprint/answering/answering.h"
#include "fineprint/bench/batch.h"
#include "fineprint/remote/sent_pages.h"
#include "fineprint/session/context.h"
#include "fineprint/settings/settings.h"

namespace fineprint::cli {

using settings::Settings;

// --workers, --shard and --retry-failed.
bench::BatchOptions batch_options(const Settings& settings);

// What the file, if there is one, says of the pages that left the machine before.
std::shared_ptr<remote::SentPages> sent_before(const std::string& out);

// Answers into `out`, or goes on in it, and keeps its manifest. Throws Error(usage) for a file that
// was begun with other settings, unless --force is given, and what run_batch throws.
bench::BatchReport answer_into(const std::string& out, const std::vector<Question>& questions,
                               const answering::Answering& answering, const store::Store& store,
                               const Settings& settings);

// "12 questions: 10 answered, ..." for people.
void note_answered(const bench::BatchReport& report);

}  // namespace fineprint::cli
