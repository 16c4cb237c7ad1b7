// A store of a few documents that a test writes by hand, and a session that asks it.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fineprint/session/context.h"
#include "fineprint/store/store.h"
#include "fineprint/text/terms.h"

#include "support/temp_dir.h"
#include "support/typed_page.h"

namespace fineprint::testing {

// A chunk of each element but headings and furniture; the heading above is its context.
inline std::vector<Chunk> chunks_of(const Page& page) {
  std::vector<Chunk> chunks;
  for (const Element& element : page.elements) {
    if (element.kind == ElementKind::heading || element.kind == ElementKind::furniture) continue;
    Chunk chunk{page.number, page.lines[element.first_line].first_word, 0, element.box, "", ""};
    for (std::uint32_t i = element.first_line; i < element.first_line + element.line_count; ++i) {
      chunk.word_count += page.lines[i].word_count;
      chunk.text += (chunk.text.empty() ? "" : "\n") + line_text(page, page.lines[i]);
    }
    if (element.parent >= 0) {
      const Element& heading = page.elements[static_cast<std::size_t>(element.parent)];
      chunk.context = line_text(page, page.lines[heading.first_line]);
    }
    chunks.push_back(std::move(chunk));
  }
  return chunks;
}

// `languages`: of each chunk's page.
inline store::FieldIndex chunk_field(const std::vector<Chunk>& chunks,
                                     const std::vector<std::string>& languages) {
  std::map<std::string, std::map<std::uint32_t, std::uint32_t>> counts;
  store::FieldIndex field{"chunk", {}, {}, {}};
  for (std::uint32_t unit = 0; unit < chunks.size(); ++unit) {
    const auto terms =
        text::terms(chunks[unit].context + "\n" + chunks[unit].text, languages[unit]);
    for (const std::string& term : terms) ++counts[term][unit];
    field.lengths.push_back(static_cast<std::uint32_t>(terms.size()));
  }
  for (const auto& [term, units] : counts) {
    field.terms.push_back(term);
    field.postings.emplace_back();
    for (const auto& [unit, frequency] : units) field.postings.back().push_back({unit, frequency});
  }
  return field;
}

// A store whose vectors, where a test wants them, are registered and put by the test.
class SmallStore {
 public:
  SmallStore() : store_(dir_.file("store"), store::Mode::write) {}

  // Numbers the pages from 1. Returns the document's id. `waiting_pages`: how many still need OCR.
  std::int64_t put(const std::string& doc, std::vector<Page> pages, int waiting_pages = 0) {
    store::NewDocument document;
    document.row.doc = doc;
    document.row.path = "/somewhere/" + doc;
    document.row.title = doc;
    document.row.page_count = static_cast<int>(pages.size());
    document.row.waiting_pages = waiting_pages;
    document.info.page_count = document.row.page_count;
    std::vector<std::string> languages;
    for (std::size_t i = 0; i < pages.size(); ++i) {
      pages[i].number = static_cast<int>(i) + 1;
      for (Chunk& chunk : chunks_of(pages[i])) {
        document.chunks.push_back(std::move(chunk));
        languages.push_back(pages[i].language);
      }
    }
    document.pages = std::move(pages);
    document.fields = {chunk_field(document.chunks, languages)};
    return store_.put(document);
  }

  // A set over pages or chunks in float32.
  void register_set(const std::string& kind, store::VectorUnit unit, std::size_t dim,
                    bool many_vectors = false) {
    store::VectorSet set;
    set.name = set.kind = set.model = set.hash = kind;
    set.unit = unit;
    set.dim = dim;
    set.many_vectors = many_vectors;
    store_.register_set(set);
  }

  // Any other one.
  void register_set(const store::VectorSet& set) { store_.register_set(set); }

  // The vectors of a document's first units, one list of rows a unit.
  void put_vectors(const std::string& set, std::int64_t document,
                   const std::vector<std::vector<std::vector<float>>>& units) {
    store::NewVectors part;
    part.document = document;
    part.units = static_cast<std::uint32_t>(units.size());
    for (const auto& rows : units) {
      part.rows_of_unit.push_back(static_cast<std::uint32_t>(rows.size()));
      for (const auto& row : rows) {
        part.rows.cols = row.size();
        ++part.rows.rows;
        part.rows.values.insert(part.rows.values.end(), row.begin(), row.end());
      }
    }
    store_.put_vectors(set, std::vector{part});
  }

  void put_map(std::int64_t document, const store::StoredMap& map) {
    store_.put_document_map(document, map);
  }
  void put_page_graph(const std::string& set, std::int64_t document,
                      const store::StoredGraph& graph) {
    store_.put_page_graph(document, set, graph);
  }

  const store::Store& store() const { return store_; }

 private:
  TempDir dir_;
  store::Store store_;
};

// What a question needs, over a store as it is now.
class Asking {
 public:
  explicit Asking(const SmallStore& store, bool trace = false)
      : session_(store.store(), {}), trace_(trace) {}
  Asking(const SmallStore& store, std::unique_ptr<const session::EncoderSource> encoders)
      : session_(store.store(), {}, std::move(encoders)), trace_(true) {}

  session::Context& context() { return context_; }
  const session::Corpus& corpus() const { return session_.corpus(); }
  const Trace& trace() const { return trace_; }

 private:
  session::Session session_;
  Trace trace_;
  Budget budget_;
  session::Context context_{session_, trace_, budget_};
};

}  // namespace fineprint::testing
