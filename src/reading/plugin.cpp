// Exports the only function of the reading library.
#include "fineprint/documents/reading_library.h"
#include "fineprint/ocr/recognizer.h"
#include "fineprint/pdf/document.h"
#include "fineprint/reading/worker.h"

namespace fineprint::reading {
namespace {

int plain_worker(const documents::WorkerStart& start) { return run_worker({}, start); }

documents::ReadingFacts facts() {
  return {.mupdf = pdf::mupdf_version(),
          .tesseract = ocr::tesseract_version(),
          .ocr_languages = ocr::installed_languages()};
}

constexpr documents::ReadingTable kTable = {plain_worker, facts};

}  // namespace
}  // namespace fineprint::reading

extern "C" __attribute__((visibility("default"))) const fineprint::documents::ReadingTable*
fineprint_reading(std::uint64_t interface) {
  return interface == fineprint::documents::kReadingInterface ? &fineprint::reading::kTable
                                                              : nullptr;
}
