// Writes answers as one HTML page for people: the questions and answers, whether they are right,
// and pictures of the pages that support them, with the quotes marked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fineprint/core/option.h"
#include "fineprint/core/records.h"
#include "fineprint/session/page_images.h"

namespace fineprint::report {

// Where the pictures of pages are stored. `automatic` puts them into the HTML page if there are at
// most kMostEmbedded, else into files next to it.
enum class Pictures { automatic, embed, files, none };

// The most pictures that `automatic` embeds.
inline constexpr std::size_t kMostEmbedded = 40;

// How a report shows pages.
struct ReportOptions {
  Pictures pictures = Pictures::automatic;
  double dpi = 110;  // resolution of the pictures of pages
};

// Returns the options of this header that the command line and preset files can set.
const OptionTable<ReportOptions>& report_options();

// The result of a scorer for one question.
struct Score {
  std::string id;
  std::optional<double> score;           // 0..1, as the benchmark measures it
  std::optional<bool> correct;           // absent: the scorer does not decide
  std::vector<std::string> quirks = {};  // of the published scorer, if they affected the score
  std::string error = {};                // with which the published scorer would have stopped
  std::string fields_json = "{}";        // the other fields of the line, as an object
};

// Reads lines of the form {"id", "score"?, "correct"?, "quirks"?, "error"?, ...}. Throws
// Error(input) with file and line if a line does not have this form.
std::vector<Score> read_scores(const std::string& path);

// The contents of a report. With `questions`, their order is kept, and questions without an answer
// are shown as missing. Without them, the answers are shown alone. If several answers or scores
// have the same id, the last one counts.
struct Material {
  std::string title;
  std::vector<Answer> answers;
  std::vector<Question> questions = {};
  std::vector<Score> scores = {};
};

// A page of the report that could not be drawn.
struct MissingPage {
  PageRef page;
  std::string reason;
};

// What write_report() has written.
struct Written {
  std::size_t questions = 0;
  std::size_t pages = 0;    // shown as pictures
  std::string folder = {};  // of the pictures; empty: no picture is a file
  std::uint64_t bytes = 0;  // of the HTML file
  std::vector<MissingPage> missing = {};
};

// Writes `out`, an HTML file. If pictures are files, writes them into a folder next to it:
// "answers.pages" for "answers.html". Files that exist already are not drawn again. `corpus` and
// `images` provide the pages; if both are nullptr, there are no pictures. A page that cannot be
// drawn is shown as missing, with the reason. Throws Error(unreadable) if a file cannot be written,
// and Error(interrupted).
Written write_report(const Material& material, const session::Corpus* corpus,
                     const session::PageImages* images, const ReportOptions& options,
                     const std::string& out);

}  // namespace fineprint::report
