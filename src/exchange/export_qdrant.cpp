// Exports a store as requests to Qdrant's REST API.
#include <array>
#include <map>
#include <memory>

#include "fineprint/core/atomic_file.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"
#include "fineprint/core/json.h"
#include "fineprint/core/threads.h"
#include "fineprint/documents/address.h"
#include "fineprint/exchange/export.h"
#include "fineprint/exchange/page_record.h"

#include "exchange/vector_text.h"

namespace fineprint::exchange {
namespace {

// Half of Qdrant's default limit for a request.
constexpr std::size_t kMostBytes = std::size_t{16} << 20;

// Units with several rows are compared by MaxSim of dot products, single vectors by cosine, as the
// scorers here do. Float16 is kept; every other format becomes float32.
Json describe_vectors(const store::VectorSet& set) {
  Json out = {{"size", set.dim}, {"distance", set.many_vectors ? "Dot" : "Cosine"}};
  if (set.many_vectors) out["multivector_config"] = {{"comparator", "max_sim"}};
  if (set.format.type == score::VectorType::f16) out["datatype"] = "float16";
  return out;
}

Json describe_collection(const std::vector<store::VectorSet>& sets) {
  Json vectors = Json::object(), sparse = Json::object();
  for (const store::VectorSet& set : sets) {
    if (store::is_sparse(set)) {
      sparse[set.name] = Json::object();
    } else {
      vectors[set.name] = describe_vectors(set);
    }
  }
  Json out = {{"vectors", std::move(vectors)}};
  if (!sparse.empty()) out["sparse_vectors"] = std::move(sparse);
  return out;
}

std::string vector_text(const store::VectorSet& set, const score::VectorRows& rows) {
  if (store::is_sparse(set)) {
    return format("{{\"indices\":{},\"values\":{}}}", column_text(rows, 0), column_text(rows, 1));
  }
  return set.many_vectors ? rows_text(rows) : row_text(rows, 0);
}

// Returns a UUID of version 8 (free format), which is always the same for the same unit.
std::string point_id(const std::string& doc, store::VectorUnit unit, std::uint32_t number) {
  std::string id = content_hash(format("{}#{}#{}", doc, store::unit_name(unit), number));
  // The version and variant digits that RFC 9562 prescribes.
  id[12] = '8';
  id[16] = '8';
  for (const std::size_t at : {20, 16, 12, 8}) id.insert(at, 1, '-');
  return id;
}

// Writes points to files, each of which is the body of one request.
class PointFiles {
 public:
  explicit PointFiles(std::string folder) : folder_(std::move(folder)) {}

  void add(const std::string& point) {
    // One point may be larger than the limit; it then has a file of its own.
    if (file_ != nullptr && bytes_ + point.size() > kMostBytes) end();
    if (file_ == nullptr) begin();
    file_->write(empty_ ? "\n" : ",\n");
    file_->write(point);
    empty_ = false;
    bytes_ += point.size();
  }

  void end() {
    if (file_ == nullptr) return;
    file_->write("\n]}\n");
    file_->finish();
    file_.reset();
  }

 private:
  void begin() {
    file_ = std::make_unique<AtomicFile>(format("{}/points-{:05}.json", folder_, ++number_));
    file_->write("{\"points\": [");
    bytes_ = 0;
    empty_ = true;
  }

  std::string folder_;
  std::unique_ptr<AtomicFile> file_;
  int number_ = 0;
  std::size_t bytes_ = 0;
  bool empty_ = true;
};

constexpr std::array<store::VectorUnit, 3> kUnits = {
    store::VectorUnit::page, store::VectorUnit::chunk, store::VectorUnit::element};

// Writes all points of a store.
class PointWriter {
 public:
  PointWriter(const store::Store& store, const Selection& selection, const std::string& folder)
      : store_(store), selection_(selection), files_(folder) {
    for (const store::VectorSet& set : selection.sets) sets_.emplace_back(store, set);
    element_pages_ = store.element_pages();
  }

  ExportCounts run() {
    for (const Holding& one : selection_.documents) {
      for (const store::VectorUnit unit : kUnits) add_units(one.row, unit);
      ++counts_.documents;
      counts_.pages += one.row.page_count;
    }
    files_.end();
    return counts_;
  }

 private:
  void add_units(const store::DocumentRow& row, store::VectorUnit unit) {
    std::map<std::uint32_t, std::string> vectors_of;  // by unit: "\"late\":[...],\"page\":[...]"
    for (const VectorsOfSet& set : sets_) {
      if (set.set().unit != unit) continue;
      for (const UnitRows& one : set.of(row.id)) {
        throw_if_interrupted();
        std::string& vectors = vectors_of[one.unit];
        vectors += (vectors.empty() ? "" : ",") + dump_json(set.set().name) + ":" +
                   vector_text(set.set(), one.rows);
      }
    }
    for (const auto& [number, vectors] : vectors_of) {
      // Joined as text: as JSON values the vectors would take many times the memory.
      files_.add(format("{{\"id\":\"{}\",\"payload\":{},\"vector\":{{{}}}}}",
                        point_id(row.doc, unit, number), dump_json(payload_of(row, unit, number)),
                        vectors));
      ++counts_.vectors;
      counts_.chunks += unit == store::VectorUnit::chunk ? 1 : 0;
    }
  }

  Json payload_of(const store::DocumentRow& row, store::VectorUnit unit, std::uint32_t number) {
    Json out = {{"doc", row.doc},
                {"path", documents::shown_path(row.path)},
                {"title", row.title},
                {"unit", store::unit_name(unit)}};
    if (unit == store::VectorUnit::page) {
      // Units count from 0, pages from 1.
      const int page = static_cast<int>(number) + 1;
      out["page"] = page;
      out["text"] = page_text(store_.page(row.id, page));
    } else if (unit == store::VectorUnit::chunk) {
      const Chunk chunk = store_.chunk(row.id, number).chunk;
      out["page"] = chunk.page;
      out["ordinal"] = number;
      out["context"] = chunk.context;
      out["text"] = chunk.text;
      out["box"] = describe(chunk.box);
    } else {
      out["page"] = element_pages_.at(row.id).at(number);
      out["ordinal"] = number;
    }
    return out;
  }

  const store::Store& store_;
  const Selection& selection_;
  PointFiles files_;
  std::vector<VectorsOfSet> sets_;
  std::map<std::int64_t, std::vector<std::int32_t>> element_pages_;
  ExportCounts counts_;
};

}  // namespace

ExportCounts export_qdrant(const store::Store& store, const Selection& selection,
                           const std::string& folder) {
  make_folders(folder);
  write_file_atomic(folder + "/collection.json",
                    describe_collection(selection.sets).dump(2) + "\n");
  return PointWriter(store, selection, folder).run();
}

}  // namespace fineprint::exchange
