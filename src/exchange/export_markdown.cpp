// Exports a store as a folder of Markdown files.
#include <filesystem>

#include "fineprint/core/dates.h"
#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/threads.h"
#include "fineprint/evidence/page_markdown.h"
#include "fineprint/exchange/export.h"

namespace fineprint::exchange {
namespace {

namespace fs = std::filesystem;

// Returns the path of DOC.md below the folder. Names are not trusted: they come from the writer of
// the store.
fs::path place_in(const std::string& folder, const std::string& doc) {
  const fs::path name(doc + ".md");
  bool leads_out = name.is_absolute();
  for (const fs::path& part : name) leads_out = leads_out || part == "..";
  if (leads_out) {
    throw Error(ErrorCode::input,
                format("{}: the document's name leads out of the folder {}; leave the document out",
                       doc, folder));
  }
  return fs::path(folder) / name;
}

// Returns the facts about a text in the form that Markdown tools read: YAML. JSON strings are valid
// YAML.
std::string head_of(const store::DocumentRow& row) {
  return format("---\ntitle: {}\nsource: {}\nchanged: {}\npages: {}\n---\n", dump_json(row.title),
                dump_json(row.doc), utc_text(moment_of(row.stamp.mtime_ns)), row.page_count);
}

std::string markdown_of(const store::Store& store, const store::DocumentRow& row) {
  std::string text = head_of(row);
  for (int page = 1; page <= row.page_count; ++page) {
    throw_if_interrupted();
    text +=
        format("\n<!-- page {} -->\n\n{}", page, evidence::page_markdown(store.page(row.id, page)));
  }
  return text;
}

}  // namespace

ExportCounts export_markdown(const store::Store& store, const Selection& selection,
                             const std::string& folder) {
  // All names are checked before the first file is written.
  for (const Holding& one : selection.documents) place_in(folder, one.row.doc);
  ExportCounts counts;
  make_folders(folder);
  for (const Holding& one : selection.documents) {
    const fs::path place = place_in(folder, one.row.doc);
    make_folders(place.parent_path().string());
    write_file_atomic(place.string(), markdown_of(store, one.row));
    ++counts.documents;
    counts.pages += one.row.page_count;
  }
  return counts;
}

}  // namespace fineprint::exchange
