// Makes page graphs from stored vectors. Source: MoLoRAG, section 3.2.
#include "ingest/page_graphs.h"

#include <cstring>
#include <map>

#include "fineprint/core/progress.h"
#include "fineprint/core/threads.h"
#include "fineprint/score/max_sim.h"

namespace fineprint::ingest {

namespace {

using Blocks = std::vector<const store::VectorBlock*>;  // of one document, by page

// Threshold for graphs over texts. Related pages have lower similarities by the mean vectors of
// their texts than by their pictures. Source: MoLoRAG, appendix D.2.
constexpr double kLeastOfTexts = 0.4;

// All vectors of a document, one page after the other. `first` gives the first row of each page.
struct Bags {
  score::EncodedRows rows;
  std::vector<std::uint32_t> first;
};

// Options of a set's graphs: as given, else as in the store, else the defaults.
score::GraphOptions graph_options(const store::VectorSet& set, const GraphChoice& choice,
                                  const std::vector<store::DocumentRow>& documents,
                                  const store::Store& store) {
  score::GraphOptions options;
  if (set.unit == store::VectorUnit::chunk) options.threshold = kLeastOfTexts;
  for (const store::DocumentRow& row : documents) {
    if (const auto stored = store.page_graph(row.id, set.name)) {
      options = stored->options;
      break;
    }
  }
  options.similarity = choice.similarity.value_or(options.similarity);
  options.neighbours = choice.neighbours.value_or(options.neighbours);
  options.threshold = choice.threshold.value_or(options.threshold);
  return options;
}

const score::VectorRows& best_rows_of(const store::VectorBlock& block) {
  return block.exact ? *block.exact : block.rows;
}

void append(const score::VectorRows& rows, score::EncodedRows* out) {
  const std::size_t bytes = rows.count * rows.dim * score::vector_type_bytes(rows.type);
  const auto* values = static_cast<const std::uint8_t*>(rows.values);
  out->values.insert(out->values.end(), values, values + bytes);
  if (rows.scales != nullptr) {
    out->scales.insert(out->scales.end(), rows.scales, rows.scales + rows.count);
  }
  out->count += rows.count;
}

// Returns the page of each unit of a document, counted from 0. Chunks are in the order of pages.
std::vector<std::uint32_t> pages_of_units(const store::VectorSet& set,
                                          const store::DocumentRow& row,
                                          const store::Store& store) {
  std::vector<std::uint32_t> pages;
  if (set.unit == store::VectorUnit::page) {
    for (int page = 0; page < row.page_count; ++page)
      pages.push_back(static_cast<std::uint32_t>(page));
    return pages;
  }
  for (const store::StoredChunk& stored : store.chunks(row.id)) {
    pages.push_back(static_cast<std::uint32_t>(stored.chunk.page - 1));
  }
  return pages;
}

Bags bags_of(const Blocks& blocks, const std::vector<std::uint32_t>& pages_of_units,
             std::uint32_t pages) {
  Bags out;
  out.rows.type = best_rows_of(*blocks.front()).type;
  out.rows.dim = blocks.front()->rows.dim;
  for (const store::VectorBlock* block : blocks) {
    const auto before = static_cast<std::uint32_t>(out.rows.count);
    for (std::uint32_t i = 0; i < block->units; ++i) {
      // A page without vectors begins where the next page does.
      const std::uint32_t page = pages_of_units.at(block->first_unit + i);
      while (out.first.size() <= page) out.first.push_back(before + block->first_row[i]);
    }
    append(best_rows_of(*block), &out.rows);
  }
  out.first.resize(std::size_t{pages} + 1, static_cast<std::uint32_t>(out.rows.count));
  return out;
}

}  // namespace

void update_page_graphs(const store::VectorSet& set, const IngestOptions& options,
                        store::Store& store) {
  const std::vector<store::DocumentRow> documents = store.documents();
  const score::GraphOptions wanted = graph_options(set, options.graph, documents, store);
  std::vector<const store::DocumentRow*> stale;
  for (const store::DocumentRow& row : documents) {
    const auto stored = store.page_graph(row.id, set.name);
    if (!stored || stored->options != wanted) stale.push_back(&row);
  }
  if (stale.empty()) return;
  const std::vector<store::VectorBlock> all = store.vectors(set.name);
  std::map<std::int64_t, Blocks> blocks;
  for (const store::VectorBlock& block : all) blocks[block.document].push_back(&block);
  std::vector<std::vector<std::uint32_t>> units;
  for (const store::DocumentRow* row : stale) units.push_back(pages_of_units(set, *row, store));
  Progress progress("linking pages", "documents", static_cast<long>(stale.size()));
  const int threads =
      options.document_workers.workers > 0 ? options.document_workers.workers : usable_cores();
  parallel_for(stale.size(), threads, [&](std::size_t i) {
    throw_if_interrupted();
    const auto found = blocks.find(stale[i]->id);
    if (found != blocks.end()) {
      const Bags bags =
          bags_of(found->second, units[i], static_cast<std::uint32_t>(stale[i]->page_count));
      store.put_page_graph(stale[i]->id, set.name,
                           {wanted, score::page_graph({bags.rows.view(), bags.first}, wanted)});
    }
    progress.advance();
  });
  progress.finish();
}

}  // namespace fineprint::ingest
