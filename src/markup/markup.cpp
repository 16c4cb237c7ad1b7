// Selects the reader by the file's extension.
#include "fineprint/markup/markup.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"
#include "fineprint/core/formats.h"

#include "markup/decoding.h"
#include "markup/html.h"
#include "markup/office/readers.h"
#include "markup/readers.h"

namespace fineprint::markup {
namespace {

// Adds the text of a file to `html` and returns its title, or "" if it has none.
using Add = std::string (*)(const std::string& name, const std::string& bytes, Html* html);

// The function of a reader in the table of formats.
struct Reader {
  FormatReader reader;
  Add add;
};

template <char Separator>
std::string add_separated(const std::string& name, const std::string& bytes, Html* html) {
  add_delimited(name, bytes, Separator, html);
  return {};
}

std::string add_as_json(const std::string& name, const std::string& bytes, Html* html) {
  add_json(name, bytes, html);
  return {};
}

std::string add_as_xml(const std::string& name, const std::string& bytes, Html* html) {
  add_xml(name, bytes, html);
  return {};
}

// Shown as written; the markup of these formats is not interpreted.
std::string add_as_text(const std::string& name, const std::string& bytes, Html* html) {
  add_plain(name, bytes, html);
  return {};
}

// '\0' lets the reader guess the separator, because .csv files do not always use commas.
constexpr std::array<Reader, 7> kReaders = {{
    {FormatReader::separated, add_separated<'\0'>},
    {FormatReader::tabbed, add_separated<'\t'>},
    {FormatReader::json, add_as_json},
    {FormatReader::xml, add_as_xml},
    {FormatReader::as_written, add_as_text},
    {FormatReader::mail, add_mail},
    {FormatReader::outlook, add_outlook},
}};

// Returns the function that reads files of this format, or nullptr if it is not one of kReaders.
// `format` may be nullptr.
Add function_for(const FileFormat* format) {
  if (format == nullptr) return nullptr;
  const auto found = std::ranges::find(kReaders, format->reader, &Reader::reader);
  return found == kReaders.end() ? nullptr : found->add;
}

std::string core_title(const Package& package) {
  const auto part = package.target("", "core-properties");
  const std::optional<Tree> tree = part ? package.xml(*part) : std::nullopt;
  const Node* title = tree && tree->root() != nullptr ? child(*tree->root(), "title") : nullptr;
  return title == nullptr ? "" : text_of(*title);
}

// Selects the reader by the root element of the main part, because the file's name may be wrong.
std::string add_package(const std::string& name, const std::string& bytes, Html* html,
                        std::string* kind) {
  const Package package(name, bytes);
  const std::string main = package.main_part();
  const Tree tree = package.need_xml(main);
  const std::string_view root = name_of(*tree.root());
  if (root == "document") {
    *kind = "DOCX";
    add_text_document(package, main, html);
  } else if (root == "workbook") {
    *kind = "XLSX";
    add_workbook(package, main, html);
  } else if (root == "presentation") {
    *kind = "PPTX";
    add_slides(package, main, html);
  } else {
    throw Error(
        ErrorCode::damaged,
        format("{}: its main part {} is not a document, workbook or presentation", name, main));
  }
  return core_title(package);
}

}  // namespace

bool has_markup_name(const std::string& path) {
  return function_for(format_of_name(path)) != nullptr;
}

bool is_office_package(const std::string& path) {
  const FileFormat* format = format_of_name(path);
  return format != nullptr && format->reader == FormatReader::package &&
         format->fits(file_head(path, kSignatureBytes));
}

Markup to_markup(const std::string& name, const std::string& bytes) {
  // Checked before unpacking, too: Package counts unpacked bytes.
  if (bytes.size() > kMostBytes) {
    throw Error(ErrorCode::too_large,
                format("{}: this file is larger than {} MiB", name, kMostBytes >> 20));
  }
  Html html;
  Markup out;
  const FileFormat* by_name = format_of_name(name);
  if (const Add add = function_for(by_name)) {
    out.title = add(name, bytes, &html);
    out.format = by_name->name;
  } else {
    out.title = add_package(name, bytes, &html, &out.format);
  }
  if (html.empty()) throw Error(ErrorCode::empty, format("{}: this file contains no text", name));
  html.check_size(name);
  out.width_pt = html.width_pt();
  out.pages = html.pages();
  out.hidden = html.hidden();
  out.tables = html.take_tables();
  out.files = html.take_files();
  out.xhtml = html.take();
  return out;
}

bool states_tables(const std::string& path) {
  const FileFormat* format = format_of_name(path);
  if (format == nullptr || format->reader != FormatReader::mupdf) return false;
  return format->kind() == "html" || format->kind() == "md";
}

std::vector<StatedTable> stated_tables(const std::string& path, const std::string& text) {
  if (!states_tables(path) || text.size() > kMostBytes) return {};
  return format_of_name(path)->kind() == "html" ? read_html_tables(text) : read_pipe_tables(text);
}

Markup read_markup(const std::string& path, const std::string& encoding) {
  return to_markup(path, read_text(path, encoding));
}

}  // namespace fineprint::markup
