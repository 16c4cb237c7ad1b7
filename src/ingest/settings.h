// What, besides a file's content, decides what is stored for it.
#pragma once

#include <string>

#include "fineprint/ingest/ingest.h"

#include "ingest/encoder_source.h"

namespace fineprint::ingest {

// Whether `options.scorers` names `scorer`.
bool wants(const IngestOptions& options, const std::string& scorer);

// Throws Error(usage) for a scorer that nothing here prepares.
void check_scorers(const IngestOptions& options);

// Equal for two runs exactly when they would store the same for the same file.
std::string settings_hash(const IngestOptions& options, const EncoderSource& encoder);

}  // namespace fineprint::ingest
