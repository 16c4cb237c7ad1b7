// Answers questions, searches and shows pages for all protocols, over the present state of a store
// and with models that stay loaded.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fineprint/answering/answering.h"
#include "fineprint/core/records.h"
#include "fineprint/core/stop.h"
#include "fineprint/dialogue/follow_up.h"
#include "fineprint/ingest/ingest.h"
#include "fineprint/report/marks.h"
#include "fineprint/session/context.h"
#include "fineprint/settings/settings.h"

namespace fineprint::server {

// What a service works with.
struct ServiceSetup {
  std::string store;            // the folder
  settings::Settings settings;  // as given by the user, without a preset
  session::SessionOptions session;
  ingest::IngestOptions ingest;  // for documents that clients add
  int at_once = 0;               // see ServerOptions
  bool refuses = true;           // refuse with 429 if too many wait; false: all wait for their turn
  std::chrono::milliseconds time_limit = std::chrono::minutes(5);
  std::int64_t kept_answers = 64'000'000;  // see ServerOptions
};

// Names or globs of documents, as the store names them. Empty: all documents.
using DocumentPatterns = std::vector<std::string>;

// A file that a question brings.
struct SentFile {
  std::string name;  // as a document of a store can be named
  std::shared_ptr<const std::string> bytes;
};

// A search for pages.
struct SearchRequest {
  std::string query;
  DocumentPatterns docs = {};
  std::optional<int> k = {};
  std::vector<std::string> scorers = {};  // empty: the scorers of the settings
  std::vector<SentFile> pictures = {};
};

// The bytes that the files of one question may have together.
inline constexpr std::int64_t kMostSentBytes = 32'000'000;

// A question.
struct AskRequest {
  std::string question;
  DocumentPatterns docs = {};
  std::string pipeline = {};           // empty: the pipeline of the settings
  std::optional<double> seconds = {};  // at most the server's own limit
  bool trace = false;                  // put every step into the answer's record
  bool fresh = false;                  // answer again, also if an answer is kept
  // Of the conversation that the question continues, oldest first; empty: it follows none.
  std::vector<dialogue::Turn> earlier = {};
  // If there are any, the question is about these files alone, and not about the store.
  std::vector<SentFile> files = {};
  std::vector<SentFile> pictures = {};
};

// An answer, and whether it was kept from an earlier question. A kept answer has the usage and the
// times of that question.
struct ServedAnswer : Answer {
  bool kept = false;
};

// A pipeline that a client may choose.
struct Way {
  std::string name, summary;
  bool generates = false;  // calls a generator
  bool usable = true;      // false: needs a generator, and the server has none
};

// A page with its text.
struct PageText {
  PageRef ref;
  int pages = 0;  // of the document
  Page page;
};

// A page to draw.
struct PictureRequest {
  PageRef page;
  std::vector<std::string> quotes = {};  // quotes to mark
  std::vector<Box> boxes = {};           // boxes to mark, in points
  double dpi = 110;
  bool png = false;  // false: JPEG
};

// A drawn page.
struct Picture {
  std::vector<std::uint8_t> bytes;
  std::string type;  // "image/png" or "image/jpeg"
  int width = 0, height = 0;
  std::vector<report::Mark> marks;  // of the quotes
};

// A document that was added to the store.
struct Added {
  std::string doc;
  std::int64_t pages = 0, ocr_pages = 0;
  std::vector<std::string> problems;  // of pages that could not be read
};

// Does the work of a server. Requests that cannot be served throw an Error that says why; see
// server/refusal.h for its HTTP status. Safe to use from several threads.
class Service {
 public:
  // Throws Error(usage) if no question could be answered with these settings, and what opening the
  // store throws. Loads no model.
  explicit Service(const ServiceSetup& setup);
  ~Service();

  // Returns the store in its present state. The session stays valid after the store changes.
  std::shared_ptr<const session::Session> session() const;
  // Returns the pipeline that answers if a request names none.
  const std::string& default_pipeline() const;
  // Returns all presets, including the ones that cannot be used without a generator.
  const std::vector<Way>& ways() const;

  // Returns the best pages first. Throws Refusal(404) if `request.docs` matches no document, and
  // Refusal(429) if too many requests wait.
  std::vector<Hit> search(const SearchRequest& request, const StopToken& stop) const;
  // Returns the answer, or the best answer so far if its time is up. Its record's question is the
  // one that was understood. `listener` may be nullptr; it gets the steps as they happen. If the
  // same question was answered before from the same state of the store, returns that answer, and
  // the only step says so. Throws like search(), and if a file of the question cannot be read.
  ServedAnswer ask(const AskRequest& request, const StopToken& stop, EventListener* listener) const;
  // Returns the documents that match `pattern`, by name. An empty pattern matches all.
  std::vector<store::DocumentRow> documents(const std::string& pattern) const;
  // Returns the page. The document must have the exact name that the store uses. Throws
  // Refusal(404) if there is no such page.
  PageText page(const PageRef& ref) const;
  // Returns where the quotes are on the page. Throws Error(input) if one is not there.
  std::vector<report::Mark> marks(const PageRef& ref, const std::vector<std::string>& quotes) const;
  // Draws a page. Throws Refusal(400) if the resolution is out of range, and Error(input) if a
  // quote is not there.
  Picture picture(const PictureRequest& request, const StopToken& stop) const;
  // Returns the name of the encoder of the store's texts, or of the default one, for people.
  std::string text_model() const;
  // Returns unit vectors from this encoder, one row for each text.
  Matrix embed(const std::vector<std::string>& texts, models::TextRole role,
               const StopToken& stop) const;

  // Returns the folder that added documents are kept in.
  std::string upload_folder() const;
  // Throws Refusal(400) if a document cannot have this name: for example a path with folders, or a
  // hidden file.
  void check_name(const std::string& name) const;
  // Reads a file from upload_folder() into the store under `name`. The file is gone afterwards,
  // even after an error. If it cannot be read, throws the reason and leaves the store as it was.
  // With `replace`, an earlier upload of this name is replaced.
  Added add(const std::string& file, const std::string& name, bool replace);

  // The requests in progress, by kind, and the requests that wait for their turn.
  struct Load {
    int searching = 0, asking = 0, drawing = 0, waiting = 0;
  };
  Load load() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fineprint::server
