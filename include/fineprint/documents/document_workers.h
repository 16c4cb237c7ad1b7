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
#include "fineprint/onnx/graph_network.h"

namespace fineprint::documents {

// When pages are read by OCR. automatic: if their text layer is missing or junk. later: as
// automatic, but such pages are only marked, see Page::waits.
enum class OcrMode { automatic, never, always, later };

// The OCR engine that is always there.
inline constexpr const char* kTesseract = "tesseract";

// How documents are read.
struct ReadOptions {
  OcrMode ocr = OcrMode::automatic;
  std::string ocr_engine = kTesseract;  // or the folder of an engine, see onnx::OcrFiles
  std::string ocr_engine_hash;          // of the files in this folder; empty for tesseract
  std::string ocr_languages = "eng";    // for tesseract
  std::string layout_model;             // the folder of one, see onnx::LayoutFiles; empty: none
  std::string layout_model_hash;        // of the files in this folder
  double ocr_dpi = 300;
  std::string encoding;                // of texts that do not say it; empty: it is guessed
  bool reflow = false;                 // office files as running text, even if a PDF could be made
  std::vector<std::string> passwords;  // tried in order
  std::vector<Password> listed;        // tried before `passwords`, on the documents that they name
};

// What one worker may use. A worker that exceeds the time or memory limit is killed and replaced.
struct WorkerLimits {
  // Time for one page, or for one question about a document. The limit by the clock is longer than
  // the limit of CPU time, because a busy machine or a slow drive is not the page's fault.
  double wall_seconds = 240;
  double cpu_seconds = 120;  // CPU time of all its threads
  std::int64_t memory_bytes = std::int64_t{4} << 30;
  int max_pages = 20'000;  // of a document; a longer document is refused with too_large
  // Largest picture of a page; must be below 170 million. A larger picture is refused with
  // too_large. For OCR, the page is drawn at the highest resolution that fits instead.
  std::int64_t max_pixels = 100'000'000;
  // Longest text layer of a page. Anything beyond is cut off, and the page's `problem` says so.
  std::int64_t max_characters = 1'000'000;
};

// Return the tables of command-line options for the two types above.
const OptionTable<ReadOptions>& read_options();
const OptionTable<WorkerLimits>& worker_options();

// The folders of the models that workers load when they start. A worker may not open files later,
// so these do not come with a document.
struct WorkerModels {
  std::string ocr_engine = {};    // empty: Tesseract
  std::string layout_model = {};  // empty: none
};

// How document workers are run.
struct DocumentWorkerOptions {
  int workers = 0;      // 0: one per usable core
  std::string program;  // started with the argument kWorkerArgument; empty: this program
  WorkerLimits limits;  // also apply to LibreOffice, per file
  OfficeOptions office;
  WorkerModels models = {};
};

// The argument that makes the program run `worker_main` instead of its command line.
inline constexpr const char* kWorkerArgument = "__document-worker";

// Opens the graph of an ONNX file, which then runs on one thread of the CPU. Throws Error(model).
using OpenGraph = std::unique_ptr<onnx::GraphNetwork> (*)(const std::string& path);

// What a worker is given when it starts.
struct WorkerStart {
  WorkerModels models = {};
  OpenGraph open_graph = nullptr;  // for the graphs of the models; not called without one
};

// Runs a worker: answers tasks on its standard input until that is closed. `arguments` are those of
// the program after kWorkerArgument. Returns the exit code of the process.
int worker_main(const std::vector<std::string>& arguments, OpenGraph open_graph);

// A pool of worker processes, which are started when first needed and then reused. Thread-safe.
class DocumentWorkers {
 public:
  explicit DocumentWorkers(const DocumentWorkerOptions& options = {});
  ~DocumentWorkers();
  DocumentWorkers(const DocumentWorkers&) = delete;
  DocumentWorkers& operator=(const DocumentWorkers&) = delete;

  // Returns the facts of a document. For an office file these are facts of the PDF made from it. If
  // no PDF can be made, they are those of its running text, whose pages are `reflowable`, and a
  // warning is logged. Throws Error naming the file; ErrorCode lists the causes.
  DocumentInfo info(const std::string& path, const ReadOptions& options);

  // Reads all pages of a document with all workers. Calls `on_page` in page order, in the calling
  // thread. If a page fails, it arrives with `problem` set and without words, and the other pages
  // are not affected. A page that crashes its worker is retried once, alone; a page that runs out
  // of time is not. `info` comes from the function above and determines how an office file is read.
  void read_pages(const std::string& path, const DocumentInfo& info, const ReadOptions& options,
                  const std::function<void(Page)>& on_page);

  // Returns one page as a picture at `dpi`. Throws Error(unsupported) for an office file if it has
  // no PDF, none can be made, and `options.reflow` is not set.
  Image raster(const std::string& path, int page, double dpi, bool grey,
               const ReadOptions& options);

  // Returns what a worker cannot do on this machine. Throws Error(internal) if no worker can be
  // started.
  Isolation isolation();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// A file that find_documents found.
struct FoundFile {
  std::string path;      // path to open it by
  std::string relative;  // name in the store, with '/' between parts
  // Why it cannot be read as a document, for example because it is a directory whose name looks
  // like a document, or a socket. Empty if it can.
  std::string problem;
  // True if it could not be listed, so that there may be documents under it that were not found.
  bool unseen = false;
};
// The result of find_documents.
struct Found {
  std::vector<FoundFile> files;
  std::vector<FoundFile> skipped;  // files in folders whose kind is not read
};

// Finds the documents under `paths`. Files are taken as given, folders are searched recursively.
// Returns them sorted by relative path, without hidden files and lock files ("~$..."). Loops of
// symbolic links are cut. A file that is named directly is kept whatever its extension is. A path
// that does not exist becomes a file with a `problem`; if no path exists, throws Error(unreadable)
// about the first. Copies of files elsewhere (documents/address.h) are named by their addresses.
Found find_documents(const std::vector<std::string>& paths);

// Returns the paths as the file system spells them. A name that does not exist is replaced by one
// in the same folder that differs only in how letters and their marks are composed (NFC, NFD).
// Other paths stay as they are.
std::vector<std::string> spelt_as_on_disk(std::vector<std::string> paths);

}  // namespace fineprint::documents
