// The normalisation of short answers that comes from the VQA challenge.
#pragma once

#include <string>
#include <string_view>

namespace fineprint::metrics {

// As VDocRAG's evaluation of OpenDocVQA applies it: punctuation, numbers in words, articles and
// contractions without their apostrophe. Signs are lost: "-4.2" becomes "4.2".
// Source: Antol et al., VQA (2015), and its evaluation (github.com/GT-Vision-Lab/VQA, BSD
// 2-Clause). `keep_signs` leaves a sign before a number, which the published code loses.
std::string vqa_normalised(std::string_view text, bool keep_signs = false);

}  // namespace fineprint::metrics
