// The normalisation of short answers that comes from the VQA challenge.
#pragma once

#include <string>
#include <string_view>

namespace fineprint::metrics {

// Normalises as VDocRAG's evaluation of OpenDocVQA does: punctuation, numbers in words, articles,
// and contractions without their apostrophe. Signs are lost: "-4.2" becomes "4.2". With
// `keep_signs`, a sign before a number stays, which the published code does not do. Source: Antol
// et al., VQA (2015), and its evaluation (github.com/GT-Vision-Lab/VQA, BSD 2-Clause).
std::string vqa_normalised(std::string_view text, bool keep_signs = false);

}  // namespace fineprint::metrics
