// Compares names letter by letter.
#include "cli/nearest_name.h"

#include <algorithm>

namespace fineprint::cli {
namespace {

// Computes the table of distances between prefixes row by row. An exchange of letters needs the row
// before the last one.
std::size_t letters_apart(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] =
          std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      const bool exchanged =
          i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && a[i - 1] != a[i - 2];
      if (exchanged) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

}  // namespace

std::optional<std::string> nearest_name(std::string_view typed,
                                        const std::vector<std::string>& names) {
  constexpr std::size_t kLongestTyped = 64;  // a longer word is not a typing error
  if (typed.size() > kLongestTyped) return std::nullopt;
  std::optional<std::string> nearest;
  std::size_t least = 0;
  for (const std::string& name : names) {
    const std::size_t apart = letters_apart(typed, name);
    // A name that differs more is another word, and suggesting it would confuse.
    if (3 * apart > std::max(typed.size(), name.size())) continue;
    if (nearest && apart >= least) continue;
    nearest = name;
    least = apart;
  }
  return nearest;
}

}  // namespace fineprint::cli
