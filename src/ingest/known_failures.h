// Remembers what earlier runs could not read.
#pragma once

#include <optional>
#include <vector>

#include "fineprint/core/error.h"
#include "fineprint/ingest/ingest.h"
#include "fineprint/store/store.h"

#include "ingest/reading_settings.h"

namespace fineprint::ingest {

// Returns a row that makes later runs leave the file alone. Returns nullopt if the next run may
// succeed although the file is unchanged: if a worker could not be started, the file was being
// written to, or an OCR language is not installed. The last is found only after the document was
// `opened`.
std::optional<store::UnreadFile> unread_file(const store::DocumentRow& row, const Error& error,
                                             bool opened, const ReadingSettings& settings);

// Returns failures, marked as `known`, for those of these documents that have pages that could not
// be read.
std::vector<FailedFile> known_page_problems(const std::vector<store::DocumentRow>& documents,
                                            const store::Store& store);

}  // namespace fineprint::ingest
