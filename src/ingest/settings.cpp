// Hashes the settings of a run.
#include "ingest/settings.h"

#include <algorithm>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"
#include "fineprint/text/chunk.h"

#include "ingest/fields.h"

namespace fineprint::ingest {

namespace {

// Raised whenever the same file would be read, cut or indexed differently than before, so that
// stores made by an older program are brought up to date by the next `index`.
constexpr int kReadingVersion = 1;

constexpr const char* kKnownScorers[] = {"bm25", "text"};

}  // namespace

bool wants(const IngestOptions& options, const std::string& scorer) {
  return std::count(options.scorers.begin(), options.scorers.end(), scorer) > 0;
}

void check_scorers(const IngestOptions& options) {
  for (const std::string& scorer : options.scorers) {
    if (std::count(std::begin(kKnownScorers), std::end(kKnownScorers), scorer) > 0) continue;
    throw Error(
        ErrorCode::usage,
        fineprint::format("the scorer \"{}\" cannot be prepared; choose from bm25, text", scorer));
  }
}

std::string settings_hash(const IngestOptions& options, const EncoderSource& encoder) {
  const text::ChunkOptions chunk;
  const auto& read = options.read;
  const std::string reading =
      fineprint::format("{} ocr {} {} {}", kReadingVersion, static_cast<int>(read.ocr),
                        read.ocr_languages, read.ocr_dpi);
  const std::string cutting =
      fineprint::format("chunk {} {} {} fields {}", chunk.max_tokens, chunk.overlap_tokens,
                        chunk.context_tokens, field_names());
  // The encoder's tokenizer measures the chunks, also when no vectors are wanted.
  return content_hash(fineprint::format("{} {} text {} {}", reading, cutting,
                                        wants(options, "text"), encoder.identity));
}

}  // namespace fineprint::ingest
