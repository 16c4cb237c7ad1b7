// The rows of the keyword index: postings that wait to be folded into a segment, the segments, and
// which segment holds which document.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "fineprint/store/store.h"

#include "store/postings/image.h"
#include "store/sqlite.h"

namespace fineprint::store {

// Returns the image of one document. Throws Error(store) if a term occurs twice.
std::string image_of(std::int64_t document, const FieldIndex& index);

// Stores the document's index of a field as part of the open transaction. It waits in the catalogue
// until postings are folded.
void insert_field(Database& database, std::int64_t document, const FieldIndex& index);
// Removes a document from the keyword index. Its postings in segments are dead from then on.
void remove_fields(Database& database, std::int64_t document);

// What the catalogue records about a segment of posting lists.
struct PostingsRow {
  std::int64_t id = 0, field = 0;
  std::string file;            // relative to the store's folder
  std::uint64_t checksum = 0;  // PostingsImage::checksum()
  std::int64_t bytes = 0;
  std::int64_t units = 0, live_units = 0;  // live: of documents that still count
};
// Returns the segments of one field, or of all fields if `field` is 0, ordered by id.
std::vector<PostingsRow> read_postings_rows(Database& database, std::int64_t field);

// Returns the documents whose postings in a segment are live.
std::set<std::int64_t> live_documents(Database& database, std::int64_t segment);

// Segment files. Maps each once and keeps it.
class PostingsFiles {
 public:
  explicit PostingsFiles(std::string dir) : dir_(std::move(dir)) {}

  const std::string& dir() const { return dir_; }
  // Throws Error(store) if the file is missing or its checksum is not the one in the catalogue.
  std::shared_ptr<const PostingsImage> image(const PostingsRow& row);
  // Releases files that the catalogue no longer names.
  void keep_only(const std::vector<PostingsRow>& rows);

 private:
  std::string dir_;
  std::map<std::int64_t, std::shared_ptr<const PostingsImage>> images_;
};

// Returns the segments of a field: the mapped ones, and one in memory for waiting postings.
std::vector<std::shared_ptr<const PostingsSegment>> read_postings(Database& database,
                                                                  PostingsFiles& files,
                                                                  const std::string& field);

// Folds waiting postings into one new file for each field, together with segments of about the same
// size and segments that are mostly dead. Deletes files that the catalogue does not name. Leaves
// damaged postings where they are and warns about them.
void fold_postings(Database& database, PostingsFiles& files);

// Returns which segments to rewrite when waiting postings are folded: those of which more than half
// is dead; and, if there is something to write, the small ones, as long as the next is not larger
// than everything that is written already. So a posting is copied about log2(n) times, and at most
// about log2(n) segments remain. Either way a fold takes at most about 256 MB.
std::vector<PostingsRow> postings_to_join(std::vector<PostingsRow> segments,
                                          std::int64_t pending_bytes);

// Appends one line for everything that is damaged, naming the documents to index again.
void check_postings(Database& database, PostingsFiles& files, std::vector<std::string>* problems);

}  // namespace fineprint::store
