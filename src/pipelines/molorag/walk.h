// The walk over the page graph.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "fineprint/session/page_links.h"

#include "pipelines/molorag/judge.h"
#include "pipelines/molorag/options.h"

namespace fineprint::pipelines::molorag {

// A page with its scores, each from 0 to 1.
struct Scored {
  std::uint32_t page = 0;  // dense
  double semantic = 0, combined = 0;
};

// The order of the ranking: by the combined score, then the semantic one, then the page.
bool ranks_before(const Scored& a, const Scored& b);

// [1-2] All pages of the pool that the scorers know, the best first, `combined` being `semantic`.
std::vector<Scored> pages_by_meaning(session::Context& context, const std::string& question,
                                     retrieve::SearchOptions search);

// [3-8] One question's walk.
class Walk {
 public:
  // `pages`: those of pages_by_meaning.
  Walk(session::Context& context, const Options& options, Judge judge, session::PageLinks links,
       const std::vector<Scored>& pages);

  // The pages that were judged, in the order of the visits. Each step is told as "relevance".
  std::vector<Scored> run();

 private:
  std::vector<Scored> judge(const std::vector<std::uint32_t>& pages, int hop);
  Scored combined(std::uint32_t page, double verdict) const;
  std::vector<std::uint32_t> unvisited_links(const std::vector<Scored>& from);
  void tell(const Scored& page, double verdict, int hop) const;

  session::Context& context_;
  const Options options_;
  Judge judge_;
  session::PageLinks links_;
  std::vector<std::uint32_t> start_;
  std::map<std::uint32_t, double> semantic_;  // 0: the scorers do not know the page
  std::set<std::uint32_t> visited_;
  std::vector<Scored> judged_;
  bool stopped_ = false;  // a limit was met
};

}  // namespace fineprint::pipelines::molorag
