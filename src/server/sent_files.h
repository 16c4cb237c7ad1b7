// Files that clients send within a question. They are read as uploads are, into temporary stores.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/core/stop.h"
#include "fineprint/ingest/ingest.h"
#include "fineprint/server/service.h"
#include "fineprint/session/context.h"

namespace fineprint::server {

inline constexpr std::size_t kMostSentFiles = 20;

// What a client says about a file. `path` is the field of its data, for messages.
struct SentDescription {
  std::string name;        // a file name or a title; empty: none was given
  std::string media_type;  // empty: unknown
  std::string path;
};

// Returns a file of base64 text, or of a data URL. The name is made one that a document can have:
// it gets an extension by the file's first bytes or by its type if it has none. Throws Refusal(400)
// with the field if the data is no base64, or if the file's kind is unknown.
// Source of the URL's form: RFC 2397.
SentFile sent_file(const std::string& data, const SentDescription& description);
// The same for a file whose bytes are given as they are.
SentFile sent_bytes(std::string bytes, const SentDescription& description);

// Adds a file to those of a question. A file that is there already is not added again, because
// clients repeat a conversation's files with each question; another file of the same name gets a
// number. Throws Refusal(413) if there are too many bytes or files.
void add_sent_file(const SentFile& file, std::vector<SentFile>* files);

// Keeps the stores of the files that were sent last, so that a follow-up does not read them again.
// Safe to use from several threads.
class SentFiles {
 public:
  // `models` must outlive the object and all sessions.
  SentFiles(ingest::IngestOptions options, const session::Models& models);

  // Returns a session over exactly these files, which lives as long as somebody holds it. Files are
  // read one question at a time; the others wait. Throws if a file cannot be read, with its name
  // and the reason, and Refusal(413) if too many pages need OCR.
  std::shared_ptr<const session::Session> session(const std::vector<SentFile>& files,
                                                  const StopToken& stop);

 private:
  struct Read;

  const ingest::IngestOptions options_;
  const session::Models& models_;
  std::timed_mutex reading_;                     // guards the next
  std::list<std::shared_ptr<const Read>> kept_;  // last used first
};

}  // namespace fineprint::server
