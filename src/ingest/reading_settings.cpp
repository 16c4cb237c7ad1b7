// Hashes the settings of a run.
#include "ingest/reading_settings.h"

#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"
#include "fineprint/text/chunk.h"

#include "ingest/fields.h"

namespace fineprint::ingest {

namespace {

// Raised whenever the same file would be read, cut or indexed differently than before, so that
// stores made by an older program are brought up to date by the next `index`.
constexpr int kReadingVersion = 5;

std::string reading_and_cutting(const documents::ReadOptions& read) {
  const text::ChunkOptions chunk;
  const std::string reading =
      fineprint::format("{} ocr {} {} {}", kReadingVersion, static_cast<int>(read.ocr),
                        read.ocr_languages, read.ocr_dpi);
  const std::string cutting =
      fineprint::format("chunk {} {} {} fields {}", chunk.max_tokens, chunk.overlap_tokens,
                        chunk.context_tokens, field_names());
  return reading + " " + cutting;
}

std::string limits_of(const documents::WorkerLimits& limits) {
  return fineprint::format(" limits {} {} {}", limits.cpu_seconds, limits.memory_bytes,
                           limits.max_pages);
}

}  // namespace

ReadingSettings::ReadingSettings(const IngestOptions& options, const KnownEncoder& measure)
    : converts_(!options.reader.office.program.empty()),
      limits_(limits_of(options.reader.limits)),
      hash_(content_hash(reading_and_cutting(options.read) + " tokenizer " +
                         measure.tokenizer_hash())),
      hash_as_pdf_(content_hash(hash_ + " as PDF")) {}

const std::string& ReadingSettings::hash_for(const std::string& path) const {
  return converts_ && documents::has_office_name(path) ? hash_as_pdf_ : hash_;
}

std::string ReadingSettings::hash_for_failure(const std::string& path) const {
  return content_hash(hash_for(path) + limits_);
}

bool ReadingSettings::mean_the_same_as(const std::string& stored, const std::string& path) const {
  if (documents::has_office_name(path)) {
    return stored == hash_as_pdf_ || (!converts_ && stored == hash_);
  }
  return stored == hash_;
}

}  // namespace fineprint::ingest
