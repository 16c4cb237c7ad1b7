// Answers as one page of HTML for people: what was asked and answered, whether it is right, and the
// pages that prove it as pictures with the quotes marked.
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

// Where the pictures of pages go. `automatic`: into the page of HTML where they are few
// (kMostEmbedded), else into files beside it.
enum class Pictures { automatic, embed, files, none };

inline constexpr std::size_t kMostEmbedded = 40;

struct ReportOptions {
  Pictures pictures = Pictures::automatic;
  double dpi = 110;  // of pictures of pages
};

const OptionTable<ReportOptions>& report_options();

// What a scorer gave for a question.
struct Score {
  std::string id;
  std::optional<double> score;           // 0..1, the benchmark's measure
  std::optional<bool> correct;           // absent: the scorer does not say
  std::vector<std::string> quirks = {};  // of the published scorer, that touched the score
  std::string error = {};                // with which the published scorer would have stopped
  std::string fields_json = "{}";        // the rest of the line, an object
};

// One {"id", "score"?, "correct"?, "quirks"?, "error"?, ...} a line. Throws Error(input) naming
// file and line.
std::vector<Score> read_scores(const std::string& path);

// What is shown. With `questions` their order is kept and those without an answer are shown as
// missing; without, the answers stand for themselves. Of several answers or scores with one id the
// last counts.
struct Material {
  std::string title;
  std::vector<Answer> answers;
  std::vector<Question> questions = {};
  std::vector<Score> scores = {};
};

// A page that was to be shown and could not be drawn.
struct MissingPage {
  PageRef page;
  std::string reason;
};

struct Written {
  std::size_t questions = 0;
  std::size_t pages = 0;    // that are shown as pictures
  std::string folder = {};  // of the pictures; empty: there is none
  std::uint64_t bytes = 0;  // of the file
  std::vector<MissingPage> missing = {};
};

// Writes `out`, an .html file, and FOLDER.pages beside it where pictures are files: a picture that
// is there already is not drawn again. `corpus` and `images` are where pages come from; both
// nullptr: there are no pictures. A page that cannot be drawn is shown as missing, with the reason.
// Throws Error(unreadable) when a file can't be written, Error(interrupted).
Written write_report(const Material& material, const session::Corpus* corpus,
                     const session::PageImages* images, const ReportOptions& options,
                     const std::string& out);

}  // namespace fineprint::report
