// The pictures that a question carries: a photograph, a screenshot, a cut-out of a page.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fineprint/core/geometry.h"
#include "fineprint/core/image.h"
#include "fineprint/core/page_ref.h"

namespace fineprint {

// A page that shows a picture of the question.
struct ShownOn {
  PageRef page;
  // Where, in points. A part of the picture may lie beyond the page.
  Box box;
  // 0..1: how sure it is that the page shows this picture.
  double score = 0;
};

// What an answer's record says about a picture of its question.
struct PictureRecord {
  std::string name;    // of the file, without its folder; or what the client calls it
  std::string sha256;  // of the file, 64 hexadecimal digits
  std::int64_t bytes = 0;
  int width = 0, height = 0;  // in pixels, as displayed
  std::string text;           // what OCR read from it; empty if there is none
  // What took part in the answer: "words" (its text was searched for), the vector sets that it was
  // searched by ("late", "page"), "pages" (pages that show it were looked for), "generator" (a
  // generator was shown it), "text" (a generator or the question was given its text).
  std::vector<std::string> used = {};
  std::vector<ShownOn> found = {};      // pages that show it, best first
  std::int64_t compared_pages = 0;      // on how many pages it was looked for
  std::vector<std::string> notes = {};  // what was not done with it, and why

  // Notes a use, or something that was not done, once.
  void note_use(const std::string& use);
  void note(const std::string& what);
};

// A picture that a document worker has decoded and read.
struct QuestionPicture {
  PictureRecord record;
  SharedImage image;  // RGB, upright
};

}  // namespace fineprint
