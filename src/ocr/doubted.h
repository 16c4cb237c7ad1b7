// How far what Tesseract reads can be believed.
#pragma once

#include <vector>

#include "fineprint/ocr/recognizer.h"

namespace fineprint::ocr {

// Over the characters of all words; 1 when there is none.
double mean_confidence(const std::vector<RecognizedWord>& words);

// Tesseract is as sure of a word as of its worst letter: most words that it doubts are nearly right
// when they stand among others that it does not doubt. What it sees in photographs is doubted
// line by line.
void drop_doubted_lines(std::vector<RecognizedWord>& words, double min_confidence);

}  // namespace fineprint::ocr
