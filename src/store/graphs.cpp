// Packs, reads and writes page graphs.
#include "store/graphs.h"

#include <cmath>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "store/bytes.h"
#include "store/catalog.h"
#include "store/row_sums.h"
#include "store/state.h"
#include "store/vectors/sets.h"

namespace fineprint::store {

namespace {

using Guard = std::lock_guard<std::mutex>;

// Checks before storing, because encode_graph() relies on ascending neighbours.
void check_graph(const StoredGraph& graph, const DocumentRow& row) {
  const auto require = [&](bool holds, std::string_view what) {
    if (holds) return;
    throw Error(ErrorCode::internal,
                fineprint::format("the page graph of {} cannot be stored: {}", row.doc, what));
  };
  // SQLite stores NaN as NULL, which could not be read back.
  require(!std::isnan(graph.options.threshold), "its threshold is not a number");
  require(graph.neighbours.size() == static_cast<std::size_t>(row.page_count),
          "it needs exactly one list for each page");
  for (const auto& neighbours : graph.neighbours) {
    std::int64_t before = -1;
    for (const std::uint32_t page : neighbours) {
      require(page > before && page < graph.neighbours.size(),
              "its neighbours are out of order or do not exist");
      before = page;
    }
  }
}

}  // namespace

// Neighbours ascend, so a gap from the last one takes one byte in most documents.
std::string encode_graph(const score::PageGraph& graph) {
  ByteWriter out;
  out.varint(graph.size());
  for (const auto& neighbours : graph) {
    out.varint(neighbours.size());
    std::uint32_t next = 0;
    for (const std::uint32_t page : neighbours) {
      out.varint(page - next);
      next = page + 1;
    }
  }
  return out.bytes();
}

// Every count is checked against the bytes that are left, and every page against the graph's size.
score::PageGraph decode_graph(std::span<const std::uint8_t> blob) {
  ByteReader in(blob);
  score::PageGraph out(in.count(1));
  for (auto& neighbours : out) {
    neighbours.resize(in.count(1));
    std::uint64_t next = 0;
    for (std::uint32_t& page : neighbours) {
      next += in.varint32();
      if (next >= out.size()) throw BlobDamage("a neighbour is not a page of the document");
      page = static_cast<std::uint32_t>(next++);
    }
  }
  // Surplus bytes mean damage too, even if the rest could be read.
  if (!in.at_end()) throw BlobDamage("it has bytes after its end");
  return out;
}

// Replaces the graph of the same document and set. The checksum is computed in the same statement.
void insert_graph(Database& database, std::int64_t document, std::int64_t set,
                  const StoredGraph& graph) {
  const std::string blob = encode_graph(graph.neighbours);
  database
      .query(
          "INSERT OR REPLACE INTO page_graphs(document, vector_set, similarity, neighbours, "
          "threshold, smallest, graph, sum) "
          "VALUES(?1,?2,?3,?4,?5,?6,?7, row_sum(?1,?2,?3,?4,?5,?6,?7))")
      .bind(document)
      .bind(set)
      .bind(static_cast<std::int64_t>(graph.options.similarity))
      .bind(std::int64_t{graph.options.neighbours})
      .bind(graph.options.threshold)
      .bind(std::int64_t{graph.options.smallest})
      .bind_blob(blob)
      .run();
}

// Compares the checksum first, so that damage is reported as such and not as strange values.
std::optional<StoredGraph> read_graph(Database& database, std::int64_t document, std::int64_t set) {
  Query row = database.query(fineprint::format(
      "SELECT similarity, neighbours, threshold, smallest, graph, sum = {} FROM page_graphs WHERE "
      "document = ? AND vector_set = ?",
      row_sum_of("page_graphs")));
  row.bind(document).bind(set);
  if (!row.step()) return std::nullopt;
  if (row.integer(5) == 0) throw BlobDamage("its checksum is wrong");
  StoredGraph out;
  constexpr auto kLastSimilarity = static_cast<std::int64_t>(score::GraphSimilarity::mean_dot);
  if (row.integer(0) < 0 || row.integer(0) > kLastSimilarity) {
    throw BlobDamage("its similarity is unknown");
  }
  out.options.similarity = static_cast<score::GraphSimilarity>(row.integer(0));
  out.options.neighbours = static_cast<int>(row.integer(1));
  out.options.threshold = row.real(2);
  out.options.smallest = static_cast<int>(row.integer(3));
  out.neighbours = decode_graph(row.blob(4));
  return out;
}

// A set that does not exist has no graphs, which is not an error: callers ask for any set.
std::optional<StoredGraph> Store::page_graph(std::int64_t document, const std::string& set) const {
  const Guard guard(state_->mutex);
  const auto found = find_set(*state_->database, set);
  if (!found) return std::nullopt;
  try {
    return read_graph(*state_->database, document, found->id);
  } catch (const BlobDamage& damage) {
    throw Error(ErrorCode::store,
                fineprint::format("{}: the page graph of document {} is damaged: {}; run "
                                  "`fineprint index --repair`",
                                  state_->database->path(), document, damage.what()));
  }
}

// Needs no transaction of its own, because a graph is a single row.
void Store::put_page_graph(std::int64_t document, const std::string& set,
                           const StoredGraph& graph) {
  state_->require_writer();
  const Guard guard(state_->mutex);
  const SetRow found = require_set(*state_->database, set);
  const auto row = read_document(*state_->database, document);
  // The document was removed while its graph was computed.
  if (!row) return;
  check_graph(graph, *row);
  insert_graph(*state_->database, document, found.id, graph);
}

}  // namespace fineprint::store
