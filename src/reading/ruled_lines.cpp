// Sorts pieces by place and joins them if they touch.
#include "reading/ruled_lines.h"

#include <algorithm>

namespace fineprint::reading {
namespace {

constexpr float kSameTrack = 1.5F;  // points; pieces of one line are apart by at most this
constexpr float kTouching = 3;      // points between the ends of two pieces

std::vector<RuledLine> joined_pieces(std::vector<RuledLine> pieces) {
  std::ranges::sort(pieces, {}, &RuledLine::at);
  std::vector<RuledLine> lines;
  for (std::size_t first = 0; first < pieces.size();) {
    std::size_t end = first + 1;
    while (end < pieces.size() && pieces[end].at - pieces[end - 1].at <= kSameTrack &&
           pieces[end].at - pieces[first].at <= 2 * kSameTrack) {
      ++end;
    }
    const float at = (pieces[first].at + pieces[end - 1].at) / 2;
    std::sort(pieces.begin() + static_cast<std::ptrdiff_t>(first),
              pieces.begin() + static_cast<std::ptrdiff_t>(end),
              [](const RuledLine& a, const RuledLine& b) { return a.from < b.from; });
    const std::size_t before = lines.size();
    for (; first < end; ++first) {
      if (lines.size() > before && pieces[first].from - lines.back().to <= kTouching) {
        lines.back().to = std::max(lines.back().to, pieces[first].to);
      } else {
        lines.push_back({at, pieces[first].from, pieces[first].to});
      }
    }
  }
  return lines;
}

}  // namespace

RuledLines ruled_lines(const std::vector<Box>& rules) {
  RuledLines lines;
  for (const Box& rule : rules) {
    if (rule.width() > rule.height()) {
      lines.across.push_back({(rule.y0 + rule.y1) / 2, rule.x0, rule.x1});
    } else {
      lines.down.push_back({(rule.x0 + rule.x1) / 2, rule.y0, rule.y1});
    }
  }
  lines.across = joined_pieces(std::move(lines.across));
  lines.down = joined_pieces(std::move(lines.down));
  return lines;
}

}  // namespace fineprint::reading
