// Serves /v1/documents, /v1/page and its picture.
#include <atomic>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include <unistd.h>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/json.h"
#include "fineprint/core/shortened.h"
#include "fineprint/core/text.h"

#include "server/records.h"
#include "server/refusal.h"
#include "server/routes/routes.h"

namespace fineprint::server {
namespace {

constexpr std::size_t kMostValueBytes = 60;  // of a client's text in a message

// Throws Refusal(400) if the query has a parameter that the path does not have.
void allow_parameters(const HttpRequest& request, std::initializer_list<std::string_view> known) {
  for (const auto& [name, value] : request.query) {
    bool is_known = false;
    for (const std::string_view one : known) is_known = is_known || one == name;
    if (is_known) continue;
    throw Refusal(400, format("{} has no parameter '{}'; its parameters are: {}", request.path,
                              shortened(name, kMostValueBytes), join_texts(known, ", ")));
  }
}

// Only complete numbers are accepted: "2x" is an error and not 2.
template <class Number>
Number number_of(const std::string& text, const char* name) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc() && stop == end) return number;
  throw Refusal(400, format("parameter '{}' must be a number, not \"{}\"", name,
                            shortened(text, kMostValueBytes)));
}

// Throws Refusal(400) if the parameter is missing.
std::string required(const HttpRequest& request, const char* name) {
  if (!request.query.contains(name)) {
    throw Refusal(400, format("{} needs the parameter '{}'", request.path, name));
  }
  return first_value(request.query, name);
}

// A parameter may be repeated, for example to mark several quotes.
std::vector<std::string> all_values(const HttpRequest& request, const std::string& name) {
  std::vector<std::string> values;
  const auto [begin, end] = request.query.equal_range(name);
  for (auto at = begin; at != end; ++at) values.push_back(at->second);
  return values;
}

PageRef page_of(const HttpRequest& request) {
  return {.doc = required(request, "doc"),
          .page = number_of<int>(required(request, "page"), "page")};
}

// Parses "x0,y0,x1,y1", in points.
Box box_of(const std::string& text) {
  float sides[4] = {};
  std::size_t at = 0;
  for (int i = 0; i < 4; ++i) {
    const std::size_t comma = i < 3 ? text.find(',', at) : text.size();
    if (comma == std::string::npos)
      throw Refusal(400, "parameter 'box' must have four numbers: x0,y0,x1,y1");
    sides[i] = number_of<float>(text.substr(at, comma - at), "box");
    at = comma + 1;
  }
  return {sides[0], sides[1], sides[2], sides[3]};
}

// The pages of all listed documents are summed up, because the web page shows both numbers.
HttpReply documents(const Served& served, const HttpRequest& request) {
  allow_parameters(request, {"match"});
  Json list = Json::array();
  std::int64_t pages = 0;
  for (const store::DocumentRow& row :
       served.service.documents(first_value(request.query, "match"))) {
    list.push_back(document_json(row));
    pages += row.page_count;
  }
  return json_reply(dump_json({{"documents", std::move(list)}, {"pages", pages}}));
}

HttpReply page(const Served& served, const HttpRequest& request) {
  allow_parameters(request, {"doc", "page", "mark"});
  const PageRef ref = page_of(request);
  const PageText text = served.service.page(ref);
  return json_reply(
      dump_json(page_json(text, served.service.marks(ref, all_values(request, "mark")))));
}

// Quotes are located by this server; boxes mark places that the client knows already, for example
// from an answer.
HttpReply picture(const Served& served, const HttpRequest& request) {
  allow_parameters(request, {"doc", "page", "mark", "box", "dpi", "format"});
  PictureRequest wanted{.page = page_of(request)};
  wanted.quotes = all_values(request, "mark");
  for (const std::string& box : all_values(request, "box")) wanted.boxes.push_back(box_of(box));
  if (request.query.contains("dpi"))
    wanted.dpi = number_of<double>(required(request, "dpi"), "dpi");
  const std::string format_name =
      request.query.contains("format") ? required(request, "format") : std::string("jpeg");
  if (format_name != "png" && format_name != "jpeg") {
    throw Refusal(400, "parameter 'format' must be 'png' or 'jpeg'");
  }
  wanted.png = format_name == "png";
  const Picture made = served.service.picture(wanted, request.stop);
  return {.type = made.type,
          .body = {reinterpret_cast<const char*>(made.bytes.data()), made.bytes.size()}};
}

// A file that is written while a document arrives. It is removed at the end, unless it was moved.
class Arriving {
 public:
  explicit Arriving(const std::string& folder) {
    static std::atomic<int> count = 0;
    make_folders(folder);
    path_ = format("{}/.arriving-{}-{}", folder, ::getpid(), count++);
    // "x" fails if the file exists, so that two uploads never share one.
    file_.reset(std::fopen(path_.c_str(), "wbx"));
    if (!file_) throw_full();
  }
  ~Arriving() {
    file_.reset();
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
  }
  Arriving(const Arriving&) = delete;
  Arriving& operator=(const Arriving&) = delete;

  void write(std::string_view piece) {
    if (std::fwrite(piece.data(), 1, piece.size(), file_.get()) != piece.size()) throw_full();
  }
  const std::string& finish() {
    if (std::fflush(file_.get()) != 0) throw_full();
    file_.reset();
    return path_;
  }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  [[noreturn]] void throw_full() const {
    throw Refusal(
        507,
        format("cannot write {}; check that the disk is not full and the store is writable", path_),
        0, ErrorCode::unreadable);
  }

  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
};

// Anything but these words is refused, because a misread "replace" would overwrite a document.
bool is_true(const std::string& text) {
  if (text == "true" || text == "1") return true;
  if (text.empty() || text == "false" || text == "0") return false;
  throw Refusal(400, "parameter 'replace' must be true or false");
}

// The name is checked before the body is read, so that a large upload with a bad name is refused at
// once.
HttpReply add(const Served& served, const HttpRequest& request) {
  allow_parameters(request, {"name", "replace"});
  if (served.options.max_upload == 0) {
    throw Refusal(403, "this server accepts no documents (it was started with --max-upload 0)");
  }
  const std::string name = required(request, "name");
  const bool replace = is_true(first_value(request.query, "replace"));
  served.service.check_name(name);
  Arriving file(served.service.upload_folder());
  request.read_body([&file](std::string_view piece) { file.write(piece); });
  const Added added = served.service.add(file.finish(), name, replace);
  return {.status = 201,
          .body = dump_json({{"doc", added.doc},
                             {"pages", added.pages},
                             {"ocr_pages", added.ocr_pages},
                             {"problems", added.problems}})};
}

}  // namespace

void add_document_routes(const Served& served, std::vector<HttpRoute>* routes) {
  routes->push_back(
      {.method = "GET", .path = "/v1/documents", .run = [&served](HttpRequest& request) {
         return documents(served, request);
       }});
  routes->push_back({.method = "POST",
                     .path = "/v1/documents",
                     .body = BodyKind::document,
                     .run = [&served](HttpRequest& request) { return add(served, request); }});
  routes->push_back({.method = "GET", .path = "/v1/page", .run = [&served](HttpRequest& request) {
                       return page(served, request);
                     }});
  routes->push_back({.method = "GET",
                     .path = "/v1/page/picture",
                     .run = [&served](HttpRequest& request) { return picture(served, request); }});
}

}  // namespace fineprint::server
