// The pages that a report shows, each drawn once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fineprint/report/report.h"

#include "report/page_finder.h"

namespace fineprint::report {

// A page that is shown.
struct ShownPage {
  PageRef page;              // as answers name it
  std::string source = {};   // the picture: a data URL, or a file's name; empty: there is none
  std::string problem = {};  // why there is none
  float width_pt = 0, height_pt = 0;
};

class PagePictures {
 public:
  // Without a corpus no page is known. What is given must outlive it.
  PagePictures(const session::Corpus* corpus, const session::PageImages* images,
               const ReportOptions& options);

  // Notes a page that is to be shown; returns its place among pages(). `docs`: what the question is
  // about, where the page's own document has no name.
  std::size_t want(const PageRef& page, const std::vector<std::string>& docs = {});

  // Draws them all by several threads: into `folder`, which is made, or, where options or number
  // say so, into memory. Throws Error(unreadable), Error(interrupted).
  void draw(const std::string& folder);

  bool are_shown() const { return images_ != nullptr && options_.pictures != Pictures::none; }
  bool are_files() const { return are_files_; }
  const std::vector<ShownPage>& pages() const { return pages_; }
  std::vector<MissingPage> missing() const;

 private:
  void draw_page(std::size_t at, const std::string& folder);
  std::string file_name(std::uint32_t dense_page) const;

  const session::Corpus* corpus_;
  const session::PageImages* images_;
  const ReportOptions options_;
  std::optional<PageFinder> finder_;
  std::vector<ShownPage> pages_;
  std::vector<std::optional<std::uint32_t>> dense_;  // of each
  std::map<PageRef, std::size_t> place_;
  bool are_files_ = false;
};

}  // namespace fineprint::report
