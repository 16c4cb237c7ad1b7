// The walk over the page graph.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "fineprint/core/ids.h"
#include "fineprint/session/page_links.h"

#include "pipelines/molorag/judge.h"
#include "pipelines/molorag/options.h"

namespace fineprint::pipelines::molorag {

// A page with its scores, each from 0 to 1.
struct Scored {
  PageId page;
  double semantic = 0, combined = 0;
};

// The order of the ranking: by combined score, then by semantic score, then by page id.
bool ranks_before(const Scored& a, const Scored& b);

// [1-2] Returns all pages of the pool that the scorers score, best first; `combined` equals
// `semantic`, which is scaled so that the best page has 1 and the worst 0.
std::vector<Scored> pages_by_meaning(session::Context& context, const std::string& question,
                                     retrieve::SearchOptions search);

// [3-8] The walk of one question.
class Walk {
 public:
  // `pages`: the result of pages_by_meaning().
  Walk(session::Context& context, const Options& options, Judge judge, session::PageLinks links,
       const std::vector<Scored>& pages);

  // Returns the judged pages in the order of the visits. Traces each visit as "relevance".
  std::vector<Scored> run();

 private:
  std::vector<Scored> judge(const std::vector<PageId>& pages, int hop);
  Scored combined(PageId page, double verdict) const;
  std::vector<PageId> unvisited_links(const std::vector<Scored>& from);
  void tell(const Scored& page, double verdict, int hop) const;

  session::Context& context_;
  const Options options_;
  Judge judge_;
  session::PageLinks links_;
  std::vector<PageId> start_;
  std::map<PageId, double> semantic_;  // a page that is missing here has 0
  std::set<PageId> visited_;
  std::vector<Scored> judged_;
  bool stopped_ = false;  // a limit was reached
};

}  // namespace fineprint::pipelines::molorag
