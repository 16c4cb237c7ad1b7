// Opens documents in worker processes, so that a bad file costs an error record and not the run.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fineprint/core/document.h"
#include "fineprint/core/error.h"
#include "fineprint/core/image.h"
#include "fineprint/core/option.h"
#include "fineprint/documents/isolation.h"
#include "fineprint/documents/office.h"
#include "fineprint/documents/passwords.h"

namespace fineprint::documents {

// `later`: as automatic, but the pages that OCR would read are only marked, see Page::waits.
enum class OcrMode { automatic, never, always, later };

struct ReadOptions {
  OcrMode ocr = OcrMode::automatic;  // automatic: pages whose text layer is missing or junk
  std::string ocr_languages = "eng";
  double ocr_dpi = 300;
  bool reflow = false;  // office files as running text, also where a PDF could be made of them
  std::vector<std::string> passwords;  // tried in order
  std::vector<Password> listed;        // tried before those, on the documents that they are for
};

// What one worker may use. Over a limit of time or memory it is ended and replaced.
struct WorkerLimits {
  // Of one page, or one question about a document. More of the clock than of the processor: a busy
  // machine or a slow drive is no fault of the page.
  double wall_seconds = 240;
  double cpu_seconds = 120;  // of all its threads
  std::int64_t memory_bytes = std::int64_t{4} << 30;
  int max_pages = 20'000;  // of a document; one of more is refused: too_large
  // Of a page's picture, below 170 million. One asked for that is larger is refused (too_large); to
  // see what OCR would find, the page is drawn at the highest resolution that fits.
  std::int64_t max_pixels = 100'000'000;
  // Of a page's text layer; more is cut off, which the page's `problem` tells.
  std::int64_t max_characters = 1'000'000;
};

const OptionTable<ReadOptions>& read_options();
const OptionTable<WorkerLimits>& worker_options();

struct ReaderOptions {
  int workers = 0;      // 0: one a usable core
  std::string program;  // what to spawn with the argument kWorkerArgument; empty: this program
  WorkerLimits limits;  // also of LibreOffice, per file
  OfficeOptions office;
};

// The argument that makes the program run `worker_main` instead of its command line.
inline constexpr const char* kWorkerArgument = "__document-worker";

// The worker's life: answers tasks on its standard input until it closes. Returns the exit code.
int worker_main();

// A pool of worker processes, started when first needed and reused. Safe from several threads.
class Reader {
 public:
  explicit Reader(const ReaderOptions& options = {});
  ~Reader();
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  // Of an office file: of the PDF that is made of it; where that fails, of its running text, with a
  // warning, the pages being reflowable then. Throws Error (see ErrorCode) naming the file.
  DocumentInfo info(const std::string& path, const ReadOptions& options);

  // Reads all pages of a document over all workers and calls `on_page` in page order, from the
  // calling thread. A page that fails (also by crash or overrun, after one retry alone) arrives
  // with `problem` set and no words; the others are not disturbed. `info` says how an office file
  // is read.
  void read_pages(const std::string& path, const DocumentInfo& info, const ReadOptions& options,
                  const std::function<void(Page)>& on_page);

  // One page as a picture. Throws Error(unsupported) for an office file of which there is no PDF,
  // none can be made, and `options.reflow` is not set.
  Image raster(const std::string& path, int page, double dpi, bool grey,
               const ReadOptions& options);

  // What a worker can't do on this machine. Throws Error(internal) when none can be started.
  Isolation isolation();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

struct FoundFile {
  std::string path;      // to open
  std::string relative;  // what names it in the store, '/' between parts
  // Not readable as a document: a directory whose name looks like one, a socket, ...; the reason.
  std::string problem;
  bool unseen = false;  // documents may lie under it that were not found: it could not be listed
};
struct Found {
  std::vector<FoundFile> files;
  std::vector<FoundFile> skipped;  // in folders, of kinds that are not read
};

// The documents under `paths`: files as given, folders recursively, sorted by relative path,
// hidden files and lock files ("~$...") left out, symbolic-link loops cut. A file named directly
// is kept whatever its extension. A path that does not exist is a file with a problem; when none
// exists, throws Error(unreadable) about the first.
Found find_documents(const std::vector<std::string>& paths);

}  // namespace fineprint::documents
