// Files that a store keeps next to its catalogue.
#include "cli/kept_files.h"

#include <set>

#include "fineprint/core/log.h"
#include "fineprint/documents/office.h"

#include "cli/wiring.h"

namespace fineprint::cli {

void require_store(const std::string& dir) { const store::Store store(dir, store::Mode::read); }

void prune_pdfs(const store::Store& store) {
  std::set<std::string> wanted;
  for (const store::DocumentRow& row : store.documents()) wanted.insert(row.hash);
  const auto count = documents::KeptPdfs(pdf_folder(store.dir())).prune(wanted);
  if (count > 0) log::note("removed {} PDFs of office files", count);
}

}  // namespace fineprint::cli
