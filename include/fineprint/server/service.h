// What is done for whoever asks, by whatever protocol: over a store as it is now, with models that
// stay loaded.
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
#include "fineprint/ingest/ingest.h"
#include "fineprint/report/marks.h"
#include "fineprint/session/context.h"
#include "fineprint/settings/settings.h"

namespace fineprint::server {

struct ServiceSetup {
  std::string store;            // the folder
  settings::Settings settings;  // as they were given, without a preset
  session::SessionOptions session;
  ingest::IngestOptions ingest;  // of documents that are taken in
  int at_once = 0;               // see ServerOptions
  bool refuses = true;  // whom there is no room for soon (429); else all wait for their turn
  std::chrono::milliseconds time_limit = std::chrono::minutes(5);
};

// Which documents: names or globs, as they stand in the store; all when empty.
using DocumentPatterns = std::vector<std::string>;

struct SearchRequest {
  std::string query;
  DocumentPatterns docs = {};
  std::optional<int> k = {};
  std::vector<std::string> scorers = {};  // empty: those of the settings
};

struct AskRequest {
  std::string question;
  DocumentPatterns docs = {};
  std::string pipeline = {};           // empty: the one of the settings
  std::optional<double> seconds = {};  // less than the server's own limit
  bool trace = false;                  // every step in the answer's record
};

// A way to answer, as a client may choose it.
struct Way {
  std::string name, summary;
  bool generates = false;  // calls a generator
  bool usable = true;      // it is not one that needs a generator where there is none
};

struct PageText {
  PageRef ref;
  int pages = 0;  // of the document
  Page page;
};

struct PictureRequest {
  PageRef page;
  std::vector<std::string> quotes = {};  // to be marked
  std::vector<Box> boxes = {};           // the same, in points
  double dpi = 110;
  bool png = false;  // else JPEG
};

struct Picture {
  std::vector<std::uint8_t> bytes;
  std::string type;  // "image/png"
  int width = 0, height = 0;
  std::vector<report::Mark> marks;  // of the quotes
};

// A document that was taken in.
struct Added {
  std::string doc;
  std::int64_t pages = 0, ocr_pages = 0;
  std::vector<std::string> problems;  // of pages that could not be read
};

// Whoever is told no is told by an Error that says why; see server/refusal.h for its status. Safe
// from several threads.
class Service {
 public:
  // Throws Error(usage) for settings that no question could be answered with, and what opening the
  // store does. Loads no model.
  explicit Service(const ServiceSetup& setup);
  ~Service();

  // The store as it is now.
  std::shared_ptr<const session::Session> session() const;
  const std::string& default_pipeline() const;
  std::vector<Way> ways() const;

  std::vector<Hit> search(const SearchRequest& request, const StopToken& stop) const;
  // The best answer so far when its time is up. `listener` may be nullptr.
  Answer ask(const AskRequest& request, const StopToken& stop, EventListener* listener) const;
  // By their names; `pattern` may be empty.
  std::vector<store::DocumentRow> documents(const std::string& pattern) const;
  // The document must be named as it stands in the store.
  PageText page(const PageRef& ref) const;
  // Of quotes on the page; throws Error(input) for one that is not there.
  std::vector<report::Mark> marks(const PageRef& ref, const std::vector<std::string>& quotes) const;
  Picture picture(const PictureRequest& request, const StopToken& stop) const;
  // The encoder of the store's texts, or the default one, for people.
  std::string text_model() const;
  // By this encoder: unit vectors, one row a text.
  Matrix embed(const std::vector<std::string>& texts, models::TextRole role,
               const StopToken& stop) const;

  // The folder that documents are taken into.
  std::string upload_folder() const;
  // Throws Refusal for a name that no document may have: of a folder, hidden, or of another kind.
  void check_name(const std::string& name) const;
  // Reads a file that was put beside those of upload_folder() into the store under `name`; the file
  // is gone then, wherever it ends. Throws what is wrong with it; the store is as before then.
  Added add(const std::string& file, const std::string& name, bool replace);

  struct Load {
    int searching = 0, asking = 0, drawing = 0, waiting = 0;
  };
  Load load() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fineprint::server
