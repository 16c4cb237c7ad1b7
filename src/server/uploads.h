// Adds documents that clients send. They are kept in a folder of the store, and read as `index`
// reads files.
#pragma once

#include <mutex>
#include <string>

#include "fineprint/ingest/ingest.h"
#include "fineprint/server/service.h"

namespace fineprint::server {

// One document is added at a time; the others wait. Safe to use from several threads.
class Uploads {
 public:
  Uploads(std::string store, ingest::IngestOptions options);

  const std::string& folder() const { return folder_; }
  // See Service::add. Throws Refusal(409) if the store already has a document of this name, or if
  // another process writes to the store.
  Added add(const std::string& file, const std::string& name, bool replace);

 private:
  class Replacing;

  ingest::IngestReport read(const std::string& place, store::Store& store,
                            Replacing* replacing) const;
  void require_free(const store::Store& store, const std::string& name, bool replace) const;

  const std::string store_, folder_;
  const ingest::IngestOptions options_;
  std::mutex adding_;
};

}  // namespace fineprint::server
