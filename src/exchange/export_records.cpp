// Exports a store as JSON Lines.
#include <algorithm>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/text.h"
#include "fineprint/core/threads.h"
#include "fineprint/exchange/export.h"
#include "fineprint/exchange/page_record.h"

#include "exchange/vector_text.h"

namespace fineprint::exchange {
namespace {

// Readers check this name. Change the number if the format changes.
constexpr const char* kSchema = "fineprint.export/1";
constexpr const char* kNoSets = "none";

Json describe_set(const store::VectorSet& set) {
  return {{"name", set.name},
          {"kind", set.kind},
          {"unit", store::unit_name(set.unit)},
          {"many_vectors", set.many_vectors},
          {"model", set.model},
          {"hash", set.hash},
          {"input", set.input},
          {"dim", set.dim},
          {"format", store::to_string(set.format)},
          {"pool_factor", set.pool_factor}};
}

Json describe_store(const store::Store& store, const Selection& selection) {
  Json sets = Json::array();
  for (const store::VectorSet& set : selection.sets) sets.push_back(describe_set(set));
  return {{"type", "store"},
          {"schema", kSchema},
          {"id", store.id()},
          {"documents", selection.documents.size()},
          {"sets", std::move(sets)}};
}

// Puts the type first, so that readers see it before anything else.
Json typed(const char* type, const Json& record) {
  Json out = {{"type", type}};
  out.update(record);
  return out;
}

Json describe_outline(const std::vector<OutlineEntry>& outline) {
  Json out = Json::array();
  for (const OutlineEntry& entry : outline) {
    out.push_back({{"level", entry.level}, {"title", entry.title}, {"page", entry.page}});
  }
  return out;
}

// As arrays without keys, because there are many of them.
Json words_and_lines(const Page& page) {
  Json words = Json::array(), lines = Json::array();
  for (const Word& word : page.words) {
    words.push_back({word.text, describe(word.box), plain_number(word.size_pt),
                     plain_number(word.confidence), word.bold, word.italic});
  }
  for (const Line& line : page.lines) {
    lines.push_back({line.first_word, line.word_count, describe(line.box)});
  }
  return {{"words", std::move(words)}, {"lines", std::move(lines)}};
}

// Returns the page's record with everything that its elements are made of.
Json whole_page(const PageRef& ref, const Page& page) {
  Json record = typed("page", describe(ref, page));
  // Words and lines are only in exports: listings do not need them.
  record["rotation"] = page.rotation;
  record.update(words_and_lines(page));
  for (std::size_t i = 0; i < page.elements.size(); ++i) {
    const Element& element = page.elements[i];
    record["elements"][i]["lines"] = {element.first_line, element.line_count};
  }
  return record;
}

Json describe_chunk(const std::string& doc, const store::StoredChunk& stored) {
  const Chunk& chunk = stored.chunk;
  return {{"type", "chunk"},
          {"doc", doc},
          {"ordinal", stored.ordinal},
          {"page", chunk.page},
          {"words", {chunk.first_word, chunk.word_count}},
          {"box", describe(chunk.box)},
          {"context", chunk.context},
          {"text", chunk.text}};
}

// Writes all records of a store.
class RecordWriter {
 public:
  RecordWriter(const store::Store& store, const Selection& selection, const Write& write)
      : store_(store), selection_(selection), write_(write) {
    // Sets are opened once and not for each document.
    for (const store::VectorSet& set : selection.sets) sets_.emplace_back(store, set);
  }

  ExportCounts run() {
    write_line(describe_store(store_, selection_));
    for (const Holding& one : selection_.documents) write_document(one);
    return counts_;
  }

 private:
  void write_line(const Json& record) { write_(dump_json(record) + "\n"); }

  void write_document(const Holding& holding) {
    const store::DocumentRow& row = holding.row;
    Json record = describe(holding);
    record["outline"] = describe_outline(store_.outline(row.id));
    write_line(typed("document", record));
    ++counts_.documents;
    for (int page = 1; page <= row.page_count; ++page) {
      throw_if_interrupted();
      write_line(whole_page({row.doc, page}, store_.page(row.id, page)));
      ++counts_.pages;
    }
    for (const store::StoredChunk& chunk : store_.chunks(row.id)) {
      write_line(describe_chunk(row.doc, chunk));
      ++counts_.chunks;
    }
    if (const auto map = store_.document_map(row.id)) {
      write_line({{"type", "map"},
                  {"doc", row.doc},
                  {"maker", map->maker},
                  {"map", parse_json(map->json, row.doc)}});
    }
    for (const VectorsOfSet& set : sets_) write_vectors(row, set);
  }

  // Joined as text: as JSON values the vectors would take ten times the memory.
  void write_vectors(const store::DocumentRow& row, const VectorsOfSet& set) {
    for (const UnitRows& unit : set.of(row.id)) {
      throw_if_interrupted();
      const std::string head = dump_json(
          {{"type", "vectors"}, {"set", set.set().name}, {"doc", row.doc}, {"unit", unit.unit}});
      // Replaces the closing bracket of the head by the rows.
      write_(head.substr(0, head.size() - 1) + ",\"rows\":" + rows_text(unit.rows) + "}\n");
      ++counts_.vectors;
    }
  }

  const store::Store& store_;
  const Selection& selection_;
  const Write& write_;
  std::vector<VectorsOfSet> sets_;
  ExportCounts counts_;
};

}  // namespace

std::vector<store::VectorSet> chosen_sets(const store::Store& store,
                                          const std::vector<std::string>& names) {
  std::vector<store::VectorSet> all = store.vector_sets();
  if (names.empty()) return all;
  if (names.size() == 1 && names.front() == kNoSets) return {};
  for (const std::string& name : names) {
    if (std::ranges::find(all, name, &store::VectorSet::name) != all.end()) continue;
    const std::string available = join_texts(all, ", ", &store::VectorSet::name);
    throw Error(ErrorCode::usage,
                format("--set {}: {} has no vector set of this name; choose one of: {}", name,
                       store.dir(), available.empty() ? kNoSets : available));
  }
  // The store's order is kept, whatever the order of the names.
  std::erase_if(all, [&](const store::VectorSet& set) {
    return std::ranges::find(names, set.name) == names.end();
  });
  return all;
}

ExportCounts export_records(const store::Store& store, const Selection& selection,
                            const Write& write) {
  return RecordWriter(store, selection, write).run();
}

}  // namespace fineprint::exchange
