// The keyword index in the catalogue: what waits to be folded into a segment, which segments there
// are, and which of them holds which document.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "fineprint/store/store.h"

#include "store/postings_image.h"
#include "store/sqlite.h"

namespace fineprint::store {

// The image of one document. Throws Error(store) when a term comes twice.
std::string image_of(std::int64_t document, const FieldIndex& index);

// The document's index of a field, durable with the transaction around it; it waits in the
// catalogue until postings are folded.
void insert_field(Database& database, std::int64_t document, const FieldIndex& index);
// Takes a document out of the keyword index; its postings in segments are dead from then on.
void remove_fields(Database& database, std::int64_t document);

struct PostingsRow {
  std::int64_t id = 0, field = 0;
  std::string file;            // relative to the store's folder
  std::uint64_t checksum = 0;  // PostingsImage::checksum()
  std::int64_t bytes = 0;
  std::int64_t units = 0, live_units = 0;
};
// Of one field, or of all when it is 0; by id.
std::vector<PostingsRow> read_postings_rows(Database& database, std::int64_t field);

// The documents whose postings in a segment are live.
std::set<std::int64_t> live_documents(Database& database, std::int64_t segment);

// Segment files, each mapped once and kept.
class PostingsFiles {
 public:
  explicit PostingsFiles(std::string dir) : dir_(std::move(dir)) {}

  const std::string& dir() const { return dir_; }
  // Throws Error(store) when the file is missing or not what the catalogue says.
  std::shared_ptr<const PostingsImage> image(const PostingsRow& row);
  // Lets go of those that the catalogue does not name any more.
  void keep_only(const std::vector<PostingsRow>& rows);

 private:
  std::string dir_;
  std::map<std::int64_t, std::shared_ptr<const PostingsImage>> images_;
};

// The segments of a field: the mapped ones, and one in memory made of what waits.
std::vector<std::shared_ptr<const PostingsSegment>> read_postings(Database& database,
                                                                  PostingsFiles& files,
                                                                  const std::string& field);

// Folds what waits into one new file a field, together with segments of about its size and with
// those that are mostly dead; deletes files that the catalogue does not name. What is damaged stays
// where it is and is named in the log.
void fold_postings(Database& database, PostingsFiles& files);

// Which segments are written anew when waiting postings are folded: those of which more than half
// is dead; and, when there is something to write, the small ones as long as the next is not larger
// than all that is written already, so that a posting is copied about log2(n) times and at most
// about log2(n) segments remain. Either way no more than about 256 MB at a time.
std::vector<PostingsRow> postings_to_join(std::vector<PostingsRow> segments,
                                          std::int64_t pending_bytes);

// Appends one line for everything that is damaged, naming the documents to index again.
void check_postings(Database& database, PostingsFiles& files, std::vector<std::string>* problems);

}  // namespace fineprint::store
