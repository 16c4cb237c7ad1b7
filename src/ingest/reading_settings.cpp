// Hashes the settings of a run.
#include "ingest/reading_settings.h"

#include <filesystem>

#include "fineprint/core/format.h"
#include "fineprint/core/formats.h"
#include "fineprint/core/hash.h"
#include "fineprint/documents/parsed_files.h"
#include "fineprint/session/source_file.h"
#include "fineprint/text/chunk.h"

#include "ingest/fields.h"

namespace fineprint::ingest {

namespace {

// Increase this number if the same file would be read, chunked or indexed differently than before,
// so that the next `index` updates stores of older programs.
constexpr int kReadingVersion = 9;

std::string reading_and_cutting(const documents::ReadOptions& read) {
  const text::ChunkOptions chunk;
  std::string reading = fineprint::format(
      "{} ocr {} {} {}", kReadingVersion, static_cast<int>(read.ocr),
      read.ocr_engine_hash.empty() ? read.ocr_languages : read.ocr_engine_hash, read.ocr_dpi);
  if (!read.layout_model_hash.empty()) reading += " layout " + read.layout_model_hash;
  const std::string cutting =
      fineprint::format("chunk {} {} {} fields {}", chunk.max_tokens, chunk.overlap_tokens,
                        chunk.context_tokens, field_names());
  return reading + " " + cutting;
}

std::string limits_of(const documents::WorkerLimits& limits) {
  return fineprint::format(" limits {} {} {}", limits.cpu_seconds, limits.memory_bytes,
                           limits.max_pages);
}

// Identifies another program's output for the document by name and stamp, so that the document is
// read again with each change. Returns "" if there is none.
std::string parsed_file_of(const std::string& path) {
  if (documents::parsed_form(path) != documents::ParsedForm::none) return "itself";
  const std::string parsed_file = documents::parsed_beside(path);
  if (parsed_file.empty()) return "";
  const store::FileStamp stamp = session::stamp_of(parsed_file);
  return fineprint::format("{} {} {}", std::filesystem::path(parsed_file).filename().string(),
                           stamp.size, stamp.mtime_ns);
}

}  // namespace

ReadingSettings::ReadingSettings(const IngestOptions& options, const KnownEncoder& measure)
    : converts_(!options.document_workers.office.program.empty()),
      encoding_(options.read.encoding),
      limits_(limits_of(options.document_workers.limits)),
      hash_(content_hash(reading_and_cutting(options.read) + " tokenizer " +
                         measure.tokenizer_hash())),
      hash_as_pdf_(content_hash(hash_ + " as PDF")) {}

std::string ReadingSettings::hash_for(const std::string& path) const {
  if (converts_ && documents::has_office_name(path)) return hash_as_pdf_;
  const FileFormat* format = format_of_name(path);
  if (!encoding_.empty() && format != nullptr && format->is_encoded_text()) {
    return content_hash(hash_ + " encoding " + encoding_);
  }
  const std::string parsed = parsed_file_of(path);
  return parsed.empty() ? hash_ : content_hash(hash_ + " parsed " + parsed);
}

std::string ReadingSettings::hash_for_failure(const std::string& path) const {
  return content_hash(hash_for(path) + limits_);
}

bool ReadingSettings::mean_the_same_as(const std::string& stored, const std::string& path) const {
  if (documents::has_office_name(path)) {
    return stored == hash_as_pdf_ || (!converts_ && stored == hash_);
  }
  return stored == hash_for(path);
}

}  // namespace fineprint::ingest
