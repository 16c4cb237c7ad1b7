// Selects the documents of a store that a command is about.
#include "fineprint/session/document_filter.h"

#include <algorithm>

#include <fnmatch.h>

#include "fineprint/core/dates.h"
#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/unicode.h"
#include "fineprint/documents/kinds.h"

namespace fineprint::session {
namespace {

std::optional<std::string> date_problem(const std::string& text) {
  if (text.empty() || parse_utc(text)) return std::nullopt;
  return "expected a day or a time in UTC, for example 2026-11-25 or 2026-11-25T18:30";
}

std::optional<std::string> kind_problem(const std::string& text) {
  if (documents::is_known_kind(text)) return std::nullopt;
  return format(
      "expected the extension of a supported file, for example pdf, docx or png, or one of "
      "{}",
      documents::kind_groups());
}

// Returns true if the document's file is at or under this absolute path.
bool lies_under(std::string place, const std::string& path) {
  while (place.ends_with('/')) place.pop_back();
  return path.starts_with(place) && (path.size() == place.size() || path[place.size()] == '/');
}

// Patterns of a filter may be absolute paths, too.
bool names_row(const std::string& pattern, const store::DocumentRow& row) {
  return names_document(pattern, row.doc, row.path);
}

// A day without a time counts from its beginning.
bool is_since(const store::DocumentRow& row, const std::string& since) {
  const std::optional<Moment> from = parse_utc(since);
  return !from || moment_of(row.stamp.mtime_ns) >= *from;
}

bool is_of_any(const store::DocumentRow& row, const std::vector<std::string>& kinds) {
  const std::string kind = documents::kind_of(row.path);
  return kinds.empty() || std::ranges::any_of(kinds, [&](const std::string& asked) {
           return documents::is_of_kind(kind, asked);
         });
}

// Describes the conditions for messages: "of --kind pdf and changed --since 2026-11-25".
std::string described(const DocumentFilter& filter) {
  std::string kinds;
  for (const std::string& kind : filter.kinds) kinds += (kinds.empty() ? "" : " or ") + kind;
  std::string out = kinds.empty() ? "" : "of --kind " + kinds;
  if (!filter.since.empty()) {
    out += format("{}changed --since {}", out.empty() ? "" : " and ", filter.since);
  }
  return out;
}

}  // namespace

const OptionTable<DocumentFilter>& document_filter_options() {
  static const OptionTable<DocumentFilter> table =
      OptionTable<DocumentFilter>()
          .add("since", &DocumentFilter::since,
               {.help = "only documents whose files changed on this day (UTC) or later",
                .value = "DATE",
                .flag_only = true,
                .problem = date_problem})
          .add("kind", &DocumentFilter::kinds,
               {.help = "only files of this kind: an extension (pdf, docx, png), or image, office, "
                        "table, text, mail, book; can be repeated",
                .value = "KIND",
                .flag_only = true,
                .problem = kind_problem});
  return table;
}

// fnmatch without FNM_PATHNAME, so that `*` also matches `/`: "2024/*" covers folders below.
bool names_document(const std::string& asked, const std::string& stored) {
  const std::string pattern = composed_name(asked), doc = composed_name(stored);
  const std::string name = doc.substr(doc.rfind('/') + 1);
  if (pattern == doc || pattern == name) return true;
  return fnmatch(pattern.c_str(), doc.c_str(), 0) == 0 ||
         fnmatch(pattern.c_str(), name.c_str(), 0) == 0;
}

bool names_document(const std::string& pattern, const std::string& doc, const std::string& path) {
  return pattern.starts_with('/') ? lies_under(composed_name(pattern), composed_name(path))
                                  : names_document(pattern, doc);
}

std::vector<store::DocumentRow> filtered(std::vector<store::DocumentRow> rows,
                                         const DocumentFilter& filter, const std::string& dir) {
  // Each pattern must match something, as in Corpus::pool().
  for (const std::string& pattern : filter.docs) {
    if (std::ranges::any_of(rows, [&](const auto& row) { return names_row(pattern, row); })) {
      continue;
    }
    throw Error(ErrorCode::input,
                format("no document in {} matches \"{}\" (a relative path, a file name, a glob, or "
                       "an absolute path of a file or folder)",
                       dir, pattern));
  }
  const bool any = !rows.empty();
  std::erase_if(rows, [&](const store::DocumentRow& row) {
    const bool named =
        filter.docs.empty() || std::ranges::any_of(filter.docs, [&](const std::string& pattern) {
          return names_row(pattern, row);
        });
    return !named || !is_since(row, filter.since) || !is_of_any(row, filter.kinds);
  });
  if (any && rows.empty()) {
    throw Error(ErrorCode::input,
                format("no document in {}{} is {}", dir,
                       filter.docs.empty() ? "" : " that is named", described(filter)));
  }
  return rows;
}

}  // namespace fineprint::session
