// What earlier runs could not read, and what later ones are to know of it.
#pragma once

#include <optional>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/ingest/ingest.h"
#include "fineprint/store/store.h"

#include "ingest/reading_settings.h"

namespace fineprint::ingest {

// Nullopt where the reason may be gone at the next run though the file is the same: a worker that
// could not be started, a file that was written to, an OCR language that is not installed, of which
// a document only hears once it is `opened`.
std::optional<store::UnreadFile> unread_file(const store::DocumentRow& row, const Error& error,
                                             bool opened, const ReadingSettings& settings);

// Of these documents the ones some of whose pages could not be read, as `known`.
std::vector<FailedFile> known_page_problems(const std::vector<store::DocumentRow>& documents,
                                            const store::Store& store);

}  // namespace fineprint::ingest
