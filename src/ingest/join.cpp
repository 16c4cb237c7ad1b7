// Copies the contents of several stores into one.
#include "fineprint/ingest/join.h"

#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/progress.h"
#include "fineprint/core/threads.h"

#include "ingest/fields.h"

namespace fineprint::ingest {
namespace {

using store::DocumentRow;
using store::Store;
using store::VectorSet;

// Bounds the memory for vectors on their way.
constexpr std::size_t kBytesAtOnce = std::size_t{64} << 20;

// Returns whether two sets were made by the same model in the same way, so that their vectors can
// be compared.
bool same_vectors(const VectorSet& a, const VectorSet& b) {
  return a.kind == b.kind && a.unit == b.unit && a.many_vectors == b.many_vectors &&
         a.hash == b.hash && a.input == b.input && a.dim == b.dim && a.format == b.format &&
         a.pool_factor == b.pool_factor;
}

// The documents and vector sets of all stores by name, with the store that had each first.
class Inventory {
 public:
  // Throws Error(input) if something in this store conflicts with another store.
  void add(const Store& one) {
    for (const DocumentRow& row : one.documents()) add(row, one.dir());
    for (const VectorSet& set : one.vector_sets()) add(set, one.dir());
  }

 private:
  void add(const DocumentRow& row, const std::string& dir) {
    const auto [first, is_new] = documents_.try_emplace(row.doc, row, dir);
    if (is_new) return;
    const auto& [known, known_dir] = first->second;
    // Checked for all stores before anything is copied, so that a conflict leaves the target
    // unchanged.
    if (known.hash != row.hash) {
      throw Error(ErrorCode::input,
                  format("{} and {} have different documents called \"{}\"; remove one of them, or "
                         "index both from a folder above them",
                         known_dir, dir, row.doc));
    }
    if (known.settings != row.settings) {
      throw Error(
          ErrorCode::input,
          format("{} and {} have read \"{}\" with different settings (OCR, layout, version); "
                 "index it again in one of them with the settings of the other, or remove it there",
                 known_dir, dir, row.doc));
    }
  }

  void add(const VectorSet& set, const std::string& dir) {
    const auto [first, is_new] = sets_.try_emplace(set.name, set, dir);
    if (is_new || same_vectors(first->second.first, set)) return;
    throw Error(
        ErrorCode::input,
        format("the vector set \"{}\" was made by {} in {} and by {} in {}, or stored differently; "
               "drop it in one of them: fineprint index --drop-set {} --store {}",
               set.name, first->second.first.model, first->second.second, set.model, dir, set.name,
               dir));
  }

  std::map<std::string, std::pair<DocumentRow, std::string>> documents_;
  std::map<std::string, std::pair<VectorSet, std::string>> sets_;
};

store::NewDocument whole_document(const Store& from, const DocumentRow& row) {
  store::NewDocument out;
  out.row = row;
  out.info.page_count = row.page_count;
  out.info.reflowable = row.reflowable;
  out.info.outline = from.outline(row.id);
  for (int number = 1; number <= row.page_count; ++number) {
    out.pages.push_back(from.page(row.id, number));
  }
  for (store::StoredChunk& stored : from.chunks(row.id)) out.chunks.push_back(stored.chunk);
  // Terms are made from the pages again. Posting lists refer to the pages of their own store.
  out.fields = field_indexes(out);
  return out;
}

store::NewVectors copy_of(const store::VectorBlock& block, const VectorSet& set, std::int64_t id) {
  // Copies the originals if the set keeps them, because storing codes of codes would lose
  // precision.
  const score::VectorRows& rows = block.exact ? *block.exact : block.rows;
  store::NewVectors copy{.document = id,
                         .first_unit = block.first_unit,
                         .units = block.units,
                         .rows_of_unit = {},
                         .rows = {rows.count, rows.dim, std::vector<float>(rows.count * rows.dim)}};
  for (std::size_t r = 0; r < rows.count; ++r) {
    score::decode_row(rows, r, copy.rows.row(r).data());
  }
  for (std::uint32_t unit = 0; set.many_vectors && unit < block.units; ++unit) {
    copy.rows_of_unit.push_back(block.first_row[unit + 1] - block.first_row[unit]);
  }
  return copy;
}

// One of the stores being joined.
class Part {
 public:
  Part(const Store& from, Store& into) : from_(from), into_(into) {}

  void copy_documents(JoinReport* report, Progress* progress) {
    for (const DocumentRow& row : from_.documents()) {
      throw_if_interrupted();
      // The inventory has made sure that a document of this name is the same one.
      const std::optional<DocumentRow> known = into_.find(row.doc);
      if (known) {
        ++report->known;
        ids_[row.id] = known->id;
      } else {
        ids_[row.id] = into_.put(whole_document(from_, row));
        ++report->documents;
        report->pages += row.page_count;
      }
      copy_map(row.id);
      progress->advance(row.page_count);
    }
    for (const store::UnreadFile& file : from_.unread_files()) {
      // A file that another store could read is not unread in the joined one.
      if (!into_.find(file.doc)) into_.put_unread(file);
    }
  }

  void copy_vectors() {
    for (const VectorSet& set : from_.vector_sets()) {
      into_.register_set(set);
      copy_set(set);
      for (const auto& [from_id, id] : ids_) {
        throw_if_interrupted();
        const auto graph = from_.page_graph(from_id, set.name);
        if (graph && !into_.page_graph(id, set.name)) into_.put_page_graph(id, set.name, *graph);
      }
    }
  }

 private:
  void copy_map(std::int64_t from_id) {
    const std::int64_t id = ids_.at(from_id);
    if (into_.document_map(id)) return;
    if (const auto map = from_.document_map(from_id)) into_.put_document_map(id, *map);
  }

  // Copies the vectors that `into` lacks, a limited number at a time.
  void copy_set(const VectorSet& set) {
    const auto missing = into_.missing_vectors(set.name);
    std::vector<store::NewVectors> parts;
    std::size_t bytes = 0;
    const auto write = [&] {
      throw_if_interrupted();
      if (!parts.empty()) into_.put_vectors(set.name, parts);
      parts.clear();
      bytes = 0;
    };
    for (const store::VectorBlock& block : from_.vectors(set.name)) {
      const std::int64_t id = ids_.at(block.document);
      // A run that was killed continues here: documents that already have vectors are skipped.
      if (!missing.contains(id)) continue;
      parts.push_back(copy_of(block, set, id));
      bytes += parts.back().rows.values.size() * sizeof(float);
      if (bytes >= kBytesAtOnce) write();
    }
    write();
  }

  const Store& from_;
  Store& into_;
  std::map<std::int64_t, std::int64_t> ids_;  // ids of documents: in `from` -> in `into`
};

std::int64_t lacking_units(const Store& store) {
  std::int64_t lacking = 0;
  for (const VectorSet& set : store.vector_sets()) {
    for (const auto& [document, ranges] : store.missing_vectors(set.name)) {
      for (const store::UnitRange& range : ranges) lacking += range.count;
    }
  }
  return lacking;
}

}  // namespace

JoinReport join_stores(const std::vector<std::string>& from, Store& into) {
  std::vector<std::unique_ptr<Store>> stores;
  Inventory inventory;
  inventory.add(into);
  std::int64_t pages = 0;
  for (const std::string& dir : from) {
    stores.push_back(std::make_unique<Store>(dir, store::Mode::read));
    inventory.add(*stores.back());
    pages += stores.back()->totals().pages;
  }
  JoinReport report;
  Progress progress("joining", "pages", pages);
  std::vector<Part> parts;
  for (const auto& store : stores) {
    parts.emplace_back(*store, into);
    parts.back().copy_documents(&report, &progress);
  }
  for (Part& part : parts) part.copy_vectors();
  progress.finish();
  // Many small segments would slow down each search; compacting makes the joined store like one
  // that a single run made.
  into.compact();
  report.lacking = lacking_units(into);
  return report;
}

}  // namespace fineprint::ingest
