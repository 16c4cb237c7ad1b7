// Reads and writes the rows of documents, pages, elements, chunks and outlines.
#include "store/catalog.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <sstream>
#include <string_view>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"

#include "store/bytes.h"
#include "store/chunk_pages.h"
#include "store/page_blob.h"
#include "store/row_sums.h"

namespace fineprint::store {

namespace {

// The columns that document_row() reads, in its order.
constexpr const char* kDocumentColumns =
    "SELECT id, doc, path, title, hash, settings, size, mtime_ns, page_count, ocr_pages, "
    "reflowable, languages, format FROM documents ";

// What has no column of its own is stored after the settings ("1f3a state 7 waiting 12 hidden 40 on
// 3"): the identity in the stamp, the number of pages that wait for OCR, and the numbers of hidden
// words and of their pages. A reader that does not know this form sees other settings, and reads
// the document again.
constexpr std::string_view kState = " state ";
constexpr std::string_view kWaiting = " waiting ";
constexpr std::string_view kHidden = " hidden ";
constexpr std::string_view kHiddenOn = " on ";

// Returns the number after the marker, and cuts the text off before it. Returns 0 if the marker is
// missing.
std::uint64_t cut_number(std::string_view marker, std::string* text) {
  std::uint64_t number = 0;
  const std::size_t end = text->find(marker);
  if (end == std::string::npos) return number;
  const char* digits = text->data() + end + marker.size();
  std::from_chars(digits, text->data() + text->size(), number);
  text->resize(end);
  return number;
}

void add_number(std::string_view marker, std::uint64_t number, std::string* text) {
  if (number != 0) *text += std::string(marker) + std::to_string(number);
}

// Returns the text of the column `settings` of a document with this stamp.
std::string settings_of_row(const DocumentRow& row, const FileStamp& stamp) {
  std::string out = stored_settings(row.settings, stamp);
  add_number(kWaiting, static_cast<std::uint64_t>(row.waiting_pages), &out);
  add_number(kHidden, static_cast<std::uint64_t>(row.hidden_words), &out);
  add_number(kHiddenOn, static_cast<std::uint64_t>(row.hidden_pages), &out);
  return out;
}

// Reads such a text. The numbers are cut off from the last to the first.
void read_settings(std::string stored, DocumentRow* out) {
  out->hidden_pages = static_cast<int>(cut_number(kHiddenOn, &stored));
  out->hidden_words = static_cast<int>(cut_number(kHidden, &stored));
  out->waiting_pages = static_cast<int>(cut_number(kWaiting, &stored));
  out->stamp.identity = take_identity(&stored);
  out->settings = std::move(stored);
}

}  // namespace

std::string stored_settings(const std::string& settings, const FileStamp& stamp) {
  std::string out = settings;
  add_number(kState, stamp.identity, &out);
  return out;
}

std::uint64_t take_identity(std::string* settings) { return cut_number(kState, settings); }

namespace {

// Values are taken as they are: row_sums.h explains how damage is found.
DocumentRow document_row(const Query& row) {
  DocumentRow out;
  out.id = row.integer(0);
  out.doc = row.text(1);
  out.path = row.text(2);
  out.title = row.text(3);
  out.hash = row.text(4);
  out.stamp = {row.integer(6), row.integer(7), 0};
  read_settings(row.text(5), &out);
  out.page_count = static_cast<int>(row.integer(8));
  out.ocr_pages = static_cast<int>(row.integer(9));
  out.reflowable = row.integer(10) != 0;
  std::istringstream languages(row.text(11));
  for (std::string language; languages >> language;) out.languages.push_back(language);
  out.format = row.text(12);
  return out;
}

// A box takes four columns, in the order x0, y0, x1, y1.
Query& bind_box(Query& query, const Box& box) {
  return query.bind(double{box.x0}).bind(double{box.y0}).bind(double{box.x1}).bind(double{box.y1});
}

Box box_at(const Query& row, int column) {
  return {static_cast<float>(row.real(column)), static_cast<float>(row.real(column + 1)),
          static_cast<float>(row.real(column + 2)), static_cast<float>(row.real(column + 3))};
}

// Returns the languages of the pages, each once, separated by spaces.
std::string languages_of(const std::vector<Page>& pages) {
  std::set<std::string> languages;
  for (const Page& page : pages) languages.insert(page.language);
  std::string out;
  for (const std::string& language : languages) {
    if (!language.empty()) out += (out.empty() ? "" : " ") + language;
  }
  return out;
}

// Inserts the document's own row. sum_document() adds the checksum later, when all rows are there.
void insert_row(Database& database, const NewDocument& document) {
  const DocumentRow& row = document.row;
  const std::string settings = settings_of_row(row, row.stamp);
  database
      .query(
          "INSERT INTO documents(doc, path, title, hash, settings, size, mtime_ns, page_count, "
          "ocr_pages, reflowable, languages, chunk_count, format, metadata_title) "
          "VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?)")
      .bind(std::string_view(row.doc))
      .bind(std::string_view(row.path))
      .bind(std::string_view(row.title))
      .bind(std::string_view(row.hash))
      .bind(std::string_view(settings))
      .bind(row.stamp.size)
      .bind(row.stamp.mtime_ns)
      .bind(std::int64_t{row.page_count})
      .bind(std::int64_t{row.ocr_pages})
      .bind(std::int64_t{row.reflowable})
      .bind(std::string_view(languages_of(document.pages)))
      .bind(static_cast<std::int64_t>(document.chunks.size()))
      .bind(std::string_view(document.info.format))
      .bind(std::string_view(document.info.title))
      .run();
}

// Words and lines go into one packed blob; page_blob.h describes it.
void insert_page(Database& database, std::int64_t document, const Page& page) {
  const std::string blob = encode_page(page);
  database
      .query(
          "INSERT INTO pages(document, number, label, width_pt, height_pt, rotation, source, "
          "language, problem, words) VALUES(?,?,?,?,?,?,?,?,?,?)")
      .bind(document)
      .bind(std::int64_t{page.number})
      .bind(std::string_view(page.label))
      .bind(double{page.width_pt})
      .bind(double{page.height_pt})
      .bind(std::int64_t{page.rotation})
      .bind(static_cast<std::int64_t>(page.source))
      .bind(std::string_view(page.language))
      .bind(std::string_view(page.problem))
      .bind_blob(blob)
      .run();
}

// Elements are rows and not part of the blob. Their order on the page is the ordinal, and parents
// refer to it.
void insert_elements(Database& database, std::int64_t document, const Page& page) {
  Query insert = database.query(
      "INSERT INTO elements(document, page, ordinal, kind, x0, y0, x1, y1, first_line, line_count, "
      "parent, level, caption) VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?)");
  std::int64_t ordinal = 0;
  for (const Element& element : page.elements) {
    insert.bind(document).bind(std::int64_t{page.number}).bind(ordinal++);
    insert.bind(static_cast<std::int64_t>(element.kind));
    bind_box(insert, element.box)
        .bind(std::int64_t{element.first_line})
        .bind(std::int64_t{element.line_count})
        .bind(std::int64_t{element.parent})
        .bind(std::int64_t{element.level})
        .bind(std::string_view(element.caption))
        .run();
  }
}

// Ordinals count from 0 in reading order. Vectors and posting lists refer to chunks by them.
void insert_chunks(Database& database, std::int64_t document, const std::vector<Chunk>& chunks) {
  Query insert = database.query(
      "INSERT INTO chunks(document, ordinal, page, first_word, word_count, x0, y0, x1, y1, "
      "context, text) VALUES(?,?,?,?,?,?,?,?,?,?,?)");
  std::int64_t ordinal = 0;
  for (const Chunk& chunk : chunks) {
    insert.bind(document).bind(ordinal++).bind(std::int64_t{chunk.page});
    insert.bind(std::int64_t{chunk.first_word}).bind(std::int64_t{chunk.word_count});
    bind_box(insert, chunk.box)
        .bind(std::string_view(chunk.context))
        .bind(std::string_view(chunk.text))
        .run();
  }
}

// In the order of the ordinals, so that the position in the list is the chunk's ordinal.
std::vector<std::int32_t> pages_of(const std::vector<Chunk>& chunks) {
  std::vector<std::int32_t> out;
  for (const Chunk& chunk : chunks) out.push_back(chunk.page);
  return out;
}

// Keeps the order of the entries, because the level of an entry refers to the entries before it.
void insert_outline(Database& database, std::int64_t document,
                    const std::vector<OutlineEntry>& outline) {
  Query insert = database.query(
      "INSERT INTO outline(document, ordinal, level, title, page) VALUES(?,?,?,?,?)");
  std::int64_t ordinal = 0;
  for (const OutlineEntry& entry : outline) {
    insert.bind(document)
        .bind(ordinal++)
        .bind(std::int64_t{entry.level})
        .bind(std::string_view(entry.title))
        .bind(std::int64_t{entry.page})
        .run();
  }
}

// The values are not checked here: unpack() does that when the lines are known.
std::vector<Element> read_elements(Database& database, std::int64_t document, int page) {
  std::vector<Element> out;
  Query rows = database.query(
      "SELECT kind, x0, y0, x1, y1, first_line, line_count, parent, level, caption FROM elements "
      "WHERE document = ? AND page = ? ORDER BY ordinal");
  rows.bind(document).bind(std::int64_t{page});
  while (rows.step()) {
    Element element;
    element.kind = static_cast<ElementKind>(rows.integer(0));
    element.box = box_at(rows, 1);
    element.first_line = static_cast<std::uint32_t>(rows.integer(5));
    element.line_count = static_cast<std::uint32_t>(rows.integer(6));
    element.parent = static_cast<std::int32_t>(rows.integer(7));
    element.level = static_cast<std::uint8_t>(rows.integer(8));
    element.caption = rows.text(9);
    out.push_back(std::move(element));
  }
  return out;
}

// Returns why an element does not fit its page, or an empty text if it does. A parent must come
// before its children, so that code that follows parents always comes to an end.
const char* element_fault(const Page& page, std::size_t place) {
  const Element& element = page.elements[place];
  if (element.kind > ElementKind::furniture) return "an element is of an unknown kind";
  if (std::uint64_t{element.first_line} + element.line_count > page.lines.size()) {
    return "an element refers to lines that do not exist";
  }
  if (element.parent < -1 || element.parent >= static_cast<std::int64_t>(place)) {
    return "the parent of an element does not come before it";
  }
  return "";
}

}  // namespace

// The document's row comes first, because all other rows refer to its id.
std::int64_t insert_document(Database& database, const NewDocument& document) {
  insert_row(database, document);
  const std::int64_t id = database.last_id();
  for (const Page& page : document.pages) {
    insert_page(database, id, page);
    insert_elements(database, id, page);
  }
  insert_chunks(database, id, document.chunks);
  insert_chunk_pages(database, id, pages_of(document.chunks));
  insert_outline(database, id, document.info.outline);
  return id;
}

// Children go before the rows that they refer to, because foreign keys are enforced.
void remove_document(Database& database, std::int64_t document) {
  for (const char* sql :
       {"DELETE FROM outline WHERE document = ?", "DELETE FROM chunks WHERE document = ?",
        "DELETE FROM pages_of_chunks WHERE document = ?", "DELETE FROM elements WHERE document = ?",
        "DELETE FROM pages WHERE document = ?", "DELETE FROM document_maps WHERE document = ?",
        "DELETE FROM document_sums WHERE document = ?", "DELETE FROM documents WHERE id = ?"}) {
    database.query(sql).bind(document).run();
  }
}

void restamp_document(Database& database, const DocumentRow& row) {
  const auto known = read_document(database, row.doc);
  // A new checksum over a damaged row would hide the damage.
  const bool sound = known && row_is_sound(database, known->id);
  const std::string settings = known ? settings_of_row(*known, row.stamp) : "";
  database
      .query("UPDATE documents SET path = ?, settings = ?, size = ?, mtime_ns = ? WHERE doc = ?")
      .bind(std::string_view(row.path))
      .bind(std::string_view(settings))
      .bind(row.stamp.size)
      .bind(row.stamp.mtime_ns)
      .bind(std::string_view(row.doc))
      .run();
  if (sound) sum_document_row(database, known->id);
}

std::vector<DocumentRow> read_documents(Database& database) {
  std::vector<DocumentRow> out;
  Query rows = database.query(std::string(kDocumentColumns) + "ORDER BY doc");
  while (rows.step()) out.push_back(document_row(rows));
  return out;
}

std::optional<DocumentRow> read_document(Database& database, const std::string& doc) {
  Query row = database.query(std::string(kDocumentColumns) + "WHERE doc = ?");
  row.bind(std::string_view(doc));
  if (!row.step()) return std::nullopt;
  return document_row(row);
}

std::optional<DocumentRow> read_document(Database& database, std::int64_t id) {
  Query row = database.query(std::string(kDocumentColumns) + "WHERE id = ?");
  row.bind(id);
  if (!row.step()) return std::nullopt;
  return document_row(row);
}

std::string document_name(Database& database, std::int64_t id) {
  Query row = database.query("SELECT doc FROM documents WHERE id = ?");
  row.bind(id);
  return row.step() ? row.text(0) : fineprint::format("document {}", id);
}

// A damaged segment may hold thousands of documents, so a message names only the first twenty.
std::string first_names(Query& names) {
  constexpr std::size_t kNamed = 20;
  std::string out;
  std::size_t count = 0;
  for (; names.step(); ++count) {
    if (count < kNamed) out += (out.empty() ? "" : ", ") + names.text(0);
  }
  if (count > kNamed) out += fineprint::format(" and {} more", count - kNamed);
  return count == 0 ? "no document" : out;
}

// Copies the blob, because the row is valid only until the query ends and decoding happens later.
PackedPage read_page(Database& database, std::int64_t document, int number) {
  PackedPage out;
  out.name = fineprint::format("{}, page {}", document_name(database, document), number);
  Query row = database.query(
      "SELECT label, width_pt, height_pt, rotation, source, language, problem, words FROM pages "
      "WHERE "
      "document = ? AND number = ?");
  row.bind(document).bind(std::int64_t{number});
  if (!row.step()) {
    throw Error(ErrorCode::store,
                fineprint::format("{}: {} is not in the store; run `fineprint index --repair`",
                                  database.path(), out.name));
  }
  out.page.number = number;
  out.page.label = row.text(0);
  out.page.width_pt = static_cast<float>(row.real(1));
  out.page.height_pt = static_cast<float>(row.real(2));
  out.page.rotation = static_cast<int>(row.integer(3));
  out.page.source = static_cast<TextSource>(row.integer(4));
  out.page.language = row.text(5);
  out.page.problem = row.text(6);
  const auto blob = row.blob(7);
  out.blob.assign(blob.begin(), blob.end());
  out.page.elements = read_elements(database, document, number);
  return out;
}

std::vector<std::string> read_page_labels(Database& database, std::int64_t document) {
  std::vector<std::string> labels;
  Query rows = database.query("SELECT label FROM pages WHERE document = ? ORDER BY number");
  rows.bind(document);
  while (rows.step()) labels.push_back(rows.text(0));
  return labels;
}

// The checksum of the blob covers words and lines only, so the elements are checked one by one.
Page unpack(PackedPage packed) {
  try {
    decode_page({reinterpret_cast<const std::uint8_t*>(packed.blob.data()), packed.blob.size()},
                &packed.page);
    if (packed.page.source > TextSource::ocr) throw BlobDamage("its text source is unknown");
    for (std::size_t i = 0; i < packed.page.elements.size(); ++i) {
      if (const char* fault = element_fault(packed.page, i); *fault != '\0') {
        throw BlobDamage(fault);
      }
    }
  } catch (const BlobDamage& damage) {
    throw Error(ErrorCode::store,
                fineprint::format("{} is damaged in the store: {}; run `fineprint index --repair`",
                                  packed.name, damage.what()));
  }
  return std::move(packed.page);
}

// One query serves both uses: a single chunk is the range from its ordinal to itself.
std::vector<StoredChunk> read_chunks(Database& database, std::int64_t document,
                                     std::optional<std::uint32_t> ordinal) {
  std::vector<StoredChunk> out;
  Query rows = database.query(
      "SELECT ordinal, page, first_word, word_count, x0, y0, x1, y1, context, text FROM chunks "
      "WHERE document = ?1 AND ordinal BETWEEN ?2 AND ?3 ORDER BY ordinal");
  rows.bind(document).bind(std::int64_t{ordinal.value_or(0)});
  rows.bind(std::int64_t{ordinal.value_or(UINT32_MAX)});
  while (rows.step()) {
    StoredChunk stored{
        .document = document, .ordinal = static_cast<std::uint32_t>(rows.integer(0)), .chunk = {}};
    stored.chunk.page = static_cast<int>(rows.integer(1));
    stored.chunk.first_word = static_cast<std::uint32_t>(rows.integer(2));
    stored.chunk.word_count = static_cast<std::uint32_t>(rows.integer(3));
    stored.chunk.box = box_at(rows, 4);
    stored.chunk.context = rows.text(8);
    stored.chunk.text = rows.text(9);
    out.push_back(std::move(stored));
  }
  return out;
}

std::vector<OutlineEntry> read_outline(Database& database, std::int64_t document) {
  std::vector<OutlineEntry> out;
  Query rows =
      database.query("SELECT level, title, page FROM outline WHERE document = ? ORDER BY ordinal");
  rows.bind(document);
  while (rows.step()) {
    out.push_back(
        {static_cast<int>(rows.integer(0)), rows.text(1), static_cast<int>(rows.integer(2))});
  }
  return out;
}

}  // namespace fineprint::store
