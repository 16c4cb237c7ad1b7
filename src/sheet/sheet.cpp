// What all forms of a table share.
#include "fineprint/sheet/sheet.h"

#include <algorithm>
#include <array>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/text.h"

namespace fineprint::sheet {

bool has_unit_column(const Column& column) {
  const bool has_units = column.type == ColumnType::number || column.type == ColumnType::money;
  return has_units && column.unit.empty();
}

SheetFormat format_of(const std::string& path) {
  static constexpr std::array<std::pair<std::string_view, SheetFormat>, 4> kEndings = {
      {{".csv", SheetFormat::csv},
       {".xlsx", SheetFormat::xlsx},
       {".html", SheetFormat::html},
       {".jsonl", SheetFormat::jsonl}}};
  const std::string lower = lower_ascii(path);
  for (const auto& [ending, format] : kEndings) {
    if (lower.ends_with(ending)) return format;
  }
  throw Error(ErrorCode::usage,
              format("--out {}: the ending of the name decides the form; use one of: {}", path,
                     join_texts(kEndings, ", ", [](const auto& one) { return one.first; })));
}

}  // namespace fineprint::sheet
