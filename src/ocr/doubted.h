// Decides how far the result of an engine can be trusted.
#pragma once

#include <vector>

#include "fineprint/ocr/engine.h"

namespace fineprint::ocr {

// Returns the mean confidence over the characters of all words, or 1 if there is none.
double mean_confidence(const std::vector<RecognizedWord>& words);

// Drops whole lines and not single words. Tesseract is only as sure of a word as of its worst
// letter, so most words that it doubts are nearly right if other words in their line are certain.
// What it sees in photographs, it doubts line by line.
void drop_doubted_lines(std::vector<RecognizedWord>& words, double min_confidence);

}  // namespace fineprint::ocr
