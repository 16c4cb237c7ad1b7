// Selects the reader by the file's extension.
#include "fineprint/markup/markup.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "fineprint/core/error.h"
#include "fineprint/core/files.h"
#include "fineprint/core/format.h"

#include "markup/html.h"
#include "markup/office/readers.h"
#include "markup/readers.h"

namespace fineprint::markup {
namespace {

// Adds the text of a file to `html` and returns its title, or "" if it has none.
using Add = std::string (*)(const std::string& name, const std::string& bytes, Html* html);

// A kind of file and its reader.
struct Kind {
  std::string_view extension;
  std::string_view format;
  Add add;
};

template <char Separator>
std::string add_separated(const std::string& /*name*/, const std::string& bytes, Html* html) {
  add_delimited(bytes, Separator, html);
  return {};
}

std::string add_as_json(const std::string& /*name*/, const std::string& bytes, Html* html) {
  add_json(bytes, html);
  return {};
}

// Shown as written; the markup of these formats is not interpreted.
std::string add_as_text(const std::string& /*name*/, const std::string& bytes, Html* html) {
  add_plain(bytes, html);
  return {};
}

// '\0' lets the reader guess the separator, because .csv files do not always use commas.
constexpr std::array<Kind, 10> kKinds = {{
    {".csv", "CSV", add_separated<'\0'>},
    {".tsv", "TSV", add_separated<'\t'>},
    {".tab", "TSV", add_separated<'\t'>},
    {".json", "JSON", add_as_json},
    {".rst", "reStructuredText", add_as_text},
    {".tex", "LaTeX", add_as_text},
    {".ltx", "LaTeX", add_as_text},
    {".latex", "LaTeX", add_as_text},
    {".eml", "EML", add_mail},
    {".msg", "MSG", add_outlook},
}};

constexpr std::array<std::string_view, 6> kPackages = {".docx", ".docm", ".pptx",
                                                       ".pptm", ".xlsx", ".xlsm"};

std::string extension_of(const std::string& path) {
  std::string extension = std::filesystem::path(path).extension().string();
  for (char& c : extension) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return extension;
}

bool has_package_name(const std::string& path) {
  return std::ranges::find(kPackages, extension_of(path)) != kPackages.end();
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

std::vector<std::string_view> extensions() {
  std::vector<std::string_view> all;
  for (const Kind& kind : kKinds) all.push_back(kind.extension);
  return all;
}

bool has_markup_name(const std::string& path) {
  return std::ranges::find(kKinds, extension_of(path), &Kind::extension) != kKinds.end();
}

bool is_office_package(const std::string& path) {
  using namespace std::string_view_literals;
  if (!has_package_name(path)) return false;
  std::ifstream file(path, std::ios::binary);
  std::string head(4, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  return head == "PK\3\4"sv;
}

Markup to_markup(const std::string& name, const std::string& bytes) {
  // Checked before unpacking, too: Package counts unpacked bytes.
  if (bytes.size() > kMostBytes) {
    throw Error(ErrorCode::too_large,
                format("{}: this file is larger than {} MiB", name, kMostBytes >> 20));
  }
  Html html;
  Markup out;
  const auto kind = std::ranges::find(kKinds, extension_of(name), &Kind::extension);
  if (kind != kKinds.end()) {
    out.title = kind->add(name, bytes, &html);
    out.format = kind->format;
  } else {
    out.title = add_package(name, bytes, &html, &out.format);
  }
  if (html.empty()) throw Error(ErrorCode::empty, format("{}: this file contains no text", name));
  html.check_size(name);
  out.width_pt = html.width_pt();
  out.xhtml = html.take();
  return out;
}

Markup read_markup(const std::string& path) { return to_markup(path, read_file(path)); }

}  // namespace fineprint::markup
