// The tools of MCP: their schemas, and what each does.
#include "server/mcp/tools.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "fineprint/core/base64.h"
#include "fineprint/core/document.h"
#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/log.h"
#include "fineprint/core/shortened.h"
#include "fineprint/session/question_picture.h"

#include "server/links.h"
#include "server/records.h"
#include "server/refusal.h"
#include "server/sent_pictures.h"

namespace fineprint::server {
namespace {

// Limits for the length of replies, because a model reads all of them.
constexpr int kMostFound = 100, kMostListed = 1000;
constexpr double kLongest = 86400;  // seconds
constexpr std::size_t kMostToolBytes = 60;

Json text_block(const std::string& text) { return {{"type", "text"}, {"text", text}}; }

// Returns a result with a text for models and a structure for programs.
Json tool_result(const std::string& text, Json structured) {
  return {{"content", Json::array({text_block(text)})},
          {"structuredContent", std::move(structured)},
          {"isError", false}};
}

// Throws Refusal(400) if the field is missing or out of range.
int page_number(Fields& arguments) {
  const auto page = arguments.whole("page", 1, std::numeric_limits<int>::max());
  if (!page) throw Refusal(400, "field 'page' is missing");
  return static_cast<int>(*page);
}

// The text is numbered for models; the structure has all fields of the hits.
Json run_search(const Service& service, Fields& arguments, const StopToken& stop, const TellStep&) {
  SearchRequest wanted{.query = arguments.text("query")};
  wanted.docs = arguments.texts("docs");
  wanted.k = static_cast<int>(arguments.whole("k", 1, kMostFound).value_or(10));
  wanted.pictures = sent_pictures(arguments);
  arguments.end();
  const std::vector<Hit> hits = service.search(wanted, stop);
  std::string text;
  for (const Hit& hit : hits) {
    text += format("{}. {}, page {}\n   {}\n", hit.rank, hit.page.doc, hit.page.page, hit.snippet);
  }
  return tool_result(text.empty() ? "no page was found" : text, {{"hits", hits_json(hits)}});
}

Json run_read_page(const Service& service, Fields& arguments, const StopToken&, const TellStep&) {
  PageRef ref{.doc = arguments.text("doc")};
  ref.page = page_number(arguments);
  arguments.end();
  const PageText page = service.page(ref);
  const std::string text = page_text(page.page);
  Json structured = page_json(page, {});
  // No quotes were asked for, so the field would always be empty.
  structured.erase("marks");
  return tool_result(text.empty() ? "this page has no words" : text, std::move(structured));
}

// Sent as JPEG, the default of PictureRequest, which is smaller than PNG.
Json run_show_page(const Service& service, Fields& arguments, const StopToken& stop,
                   const TellStep&) {
  PictureRequest wanted;
  wanted.page.doc = arguments.text("doc");
  wanted.page.page = page_number(arguments);
  wanted.quotes = arguments.texts("marks");
  wanted.dpi = arguments.number("dpi", 20, 200).value_or(100);
  arguments.end();
  const Picture picture = service.picture(wanted, stop);
  std::string data;
  append_base64(picture.bytes, &data);
  const std::string told =
      format("{}, page {}: {} x {} pixels, {} quotes marked", wanted.page.doc, wanted.page.page,
             picture.width, picture.height, picture.marks.size());
  return {{"content",
           Json::array({{{"type", "image"}, {"data", std::move(data)}, {"mimeType", picture.type}},
                        text_block(told)})},
          {"isError", false}};
}

// Long lists are divided by name and not by position, so that a changed store neither repeats nor
// skips documents.
Json run_list_documents(const Service& service, Fields& arguments, const StopToken&,
                        const TellStep&) {
  const std::string match = arguments.text_or("match", "");
  const std::string after = arguments.text_or("after", "");
  const auto most =
      static_cast<std::size_t>(arguments.whole("limit", 1, kMostListed).value_or(kMostFound));
  arguments.end();
  std::vector<store::DocumentRow> rows = service.documents(match);
  std::erase_if(rows, [&](const store::DocumentRow& row) { return row.doc <= after; });
  Json list = Json::array();
  std::string text;
  for (std::size_t i = 0; i < std::min(most, rows.size()); ++i) {
    list.push_back(document_json(rows[i]));
    text += format("{} ({} pages)\n", rows[i].doc, rows[i].page_count);
  }
  // A model must learn that the list goes on, or it takes the part for everything.
  const std::size_t left = rows.size() - list.size();
  if (left > 0) {
    text +=
        format("{} more follow; call again with after=\"{}\"\n", left, rows[list.size() - 1].doc);
  }
  return tool_result(text.empty() ? "there are no documents" : text,
                     {{"documents", std::move(list)}, {"more", left}});
}

// Passes on the steps of an answer to clients that asked for progress.
class StepLines : public EventListener {
 public:
  explicit StepLines(const TellStep& tell) : tell_(tell) {}
  bool wants_lines() const override { return true; }
  void take(const Event& event) override {
    if (!event.line.empty()) tell_(event.line);
  }

 private:
  const TellStep& tell_;
};

// Says for a model where the pictures of the question were found, and what was not done with them.
std::string pictures_text(const Answer& answer) {
  std::string text;
  for (const PictureRecord& picture : answer.images) {
    for (const ShownOn& shown : picture.found) {
      text += format("\n{} is shown on {}, page {} ({:.2f})", picture.name, shown.page.doc,
                     shown.page.page, shown.score);
    }
    for (const std::string& note : picture.notes) text += format("\n{}: {}", picture.name, note);
  }
  return text;
}

// If the answer abstains, its citations are only related pages, and the text says so.
Json run_ask(const Service& service, Fields& arguments, const StopToken& stop,
             const TellStep& tell) {
  AskRequest wanted{.question = arguments.text("question")};
  wanted.docs = arguments.texts("docs");
  wanted.pipeline = arguments.text_or("pipeline", "");
  wanted.seconds = arguments.number("max_seconds", 0, kLongest);
  wanted.pictures = sent_pictures(arguments);
  arguments.end();
  StepLines lines(tell);
  const ServedAnswer answer = service.ask(wanted, stop, &lines);
  std::string text = answer.answer + "\n";
  if (!answer.answerable && !answer.citations.empty())
    text += "related pages that do not answer it:\n";
  for (std::size_t i = 0; i < answer.citations.size(); ++i) {
    const Citation& citation = answer.citations[i];
    text += format("[{}] {}, page {}: {}\n", i + 1, citation.page.doc, citation.page.page,
                   citation.quote);
  }
  text += format("confidence {:.2f}", answer.confidence) + pictures_text(answer);
  return tool_result(text, answer_json(answer));
}

// Returns the JSON Schema of one argument.
Json property(const char* type, const char* description) {
  return {{"type", type}, {"description", description}};
}

Json texts_property(const char* description) {
  return {{"type", "array"}, {"items", {{"type", "string"}}}, {"description", description}};
}

Json whole_property(int least, int most, const char* description) {
  return {{"type", "integer"}, {"minimum", least}, {"maximum", most}, {"description", description}};
}

constexpr const char* kDocs =
    "only these documents: names from list_documents, or globs; default: all";

Json images_property() {
  return {{"type", "array"},
          {"maxItems", session::kMostPictures},
          {"items",
           {{"type", "object"},
            {"properties",
             {{"data", property("string", "the picture's file in base64")},
              {"mimeType", property("string", "its type; the file itself decides")},
              {"name", property("string", "its name in the answer")}}},
            {"required", Json::array({"data"})}}},
          {"description",
           "pictures that the question is about: photos, screenshots, parts of pages; pages that "
           "show them come first"}};
}

Json search_properties() {
  return {{"images", images_property()},
          {"query", property("string", "what the pages should be about, in plain words")},
          {"k", whole_property(1, kMostFound, "how many pages; default: 10")},
          {"docs", texts_property(kDocs)}};
}

Json page_properties() {
  return {{"doc", property("string", "the document's name from search or list_documents")},
          {"page", whole_property(1, std::numeric_limits<int>::max(), "the page number, from 1")}};
}

Json show_properties() {
  Json properties = page_properties();
  properties["marks"] = texts_property("quotes from the page to mark in the picture");
  properties["dpi"] = {{"type", "number"},
                       {"minimum", 20},
                       {"maximum", 200},
                       {"description", "dots per inch; default: 100"}};
  return properties;
}

Json list_properties() {
  return {{"match", property("string", "a name or a glob; default: all documents")},
          {"after", property("string", "only documents that follow this name in the list")},
          {"limit", whole_property(1, kMostListed, "how many; default: 100")}};
}

Json ask_properties() {
  return {{"images", images_property()},
          {"question", property("string", "a question that the documents may answer")},
          {"docs", texts_property(kDocs)},
          {"pipeline", property("string", "the pipeline that answers; default: the server's")},
          {"max_seconds",
           {{"type", "number"},
            {"minimum", 0},
            {"description", "after this time, returns the best answer so far"}}}};
}

struct Tool {
  const char* name;
  const char* title;
  const char* description;
  Json (*properties)();
  std::vector<const char*> required;
  Json (*run)(const Service&, Fields&, const StopToken&, const TellStep&);
};

// Descriptions are for models: they say when to use a tool and what follows.
const std::vector<Tool>& tools() {
  static const std::vector<Tool> kAll = {
      {"search",
       "Find pages",
       "Finds the pages of the documents that a query is about, by words and by meaning, best "
       "first, each with a snippet. Open a page with read_page or show_page.",
       search_properties,
       {"query"},
       run_search},
      {"read_page",
       "Read a page",
       "Returns the text of one page of a document.",
       page_properties,
       {"doc", "page"},
       run_read_page},
      {"show_page",
       "Look at a page",
       "Returns one page of a document as a picture, with quotes marked. Use it for tables, charts "
       "and figures, and to check that a quote is on the page.",
       show_properties,
       {"doc", "page"},
       run_show_page},
      {"list_documents",
       "List documents",
       "Lists the documents of the store by name, with their pages.",
       list_properties,
       {},
       run_list_documents},
      {"ask",
       "Ask the documents",
       "Answers a question from the documents, with quotes that support the answer, or says that "
       "they do not contain it.",
       ask_properties,
       {"question"},
       run_ask},
  };
  return kAll;
}

}  // namespace

Json mcp_tools() {
  Json list = Json::array();
  for (const Tool& tool : tools()) {
    Json schema = {{"type", "object"},
                   {"properties", tool.properties()},
                   {"required", tool.required},
                   // Arguments that the schema does not name are refused, so that a model notices a
                   // misspelt one.
                   {"additionalProperties", false}};
    list.push_back({{"name", tool.name},
                    {"title", tool.title},
                    {"description", tool.description},
                    {"inputSchema", std::move(schema)},
                    {"annotations",
                     {{"title", tool.title}, {"readOnlyHint", true}, {"openWorldHint", false}}}});
  }
  return list;
}

// The protocol wants errors of a tool as results, so that the model can read and correct them.
Json call_mcp_tool(const Service& service, const std::string& name, Fields arguments,
                   const StopToken& stop, const TellStep& tell) {
  const auto tool =
      std::ranges::find_if(tools(), [&](const Tool& one) { return name == one.name; });
  if (tool == tools().end()) {
    throw Refusal(404, format("there is no tool \"{}\"; tools/list names all tools",
                              shortened(name, kMostToolBytes)));
  }
  try {
    return tool->run(service, arguments, stop, tell);
  } catch (const Error& error) {
    // A fault of the program must be seen by whoever runs the server, not only by the model.
    if (error.code() == ErrorCode::internal) log::error("{}: {}", name, error.what());
    return {{"content", Json::array({text_block(error.what())})}, {"isError", true}};
  }
}

}  // namespace fineprint::server
