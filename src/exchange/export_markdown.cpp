// A store as a folder of Markdown.
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

// DOC.md below the folder. Names come of whoever wrote the store.
fs::path place_in(const std::string& folder, const std::string& doc) {
  const fs::path name(doc + ".md");
  bool leads_out = name.is_absolute();
  for (const fs::path& part : name) leads_out = leads_out || part == "..";
  if (leads_out) {
    throw Error(ErrorCode::input,
                format("{}: a document of this name cannot be written below {}", doc, folder));
  }
  return fs::path(folder) / name;
}

// What Markdown keeps of facts about a text: YAML, of which strings of JSON are a part.
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
