// Losses of encoders of questions and pages.
#pragma once

#include <functional>

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

#include "fineprint/train/training.h"

namespace fineprint::train {

// The vectors of a batch, of unit length, in float32. Page b < B is the positive one of question b;
// the others are hard negatives, of the questions that `of` names.
struct BatchVectors {
  at::Tensor questions;  // [B, d]
  at::Tensor pages;      // [N, d], N >= B
  at::Tensor of;         // [N] of int64: each page's question
};

// -log(e^(s_bb / t) / sum over i of e^(s_bi / t)), its mean over the rows b of similarities
// [B, N]. Source: HKRAG, Eq. 3; van den Oord et al., "Contrastive Predictive Coding" (2018), Eq. 4.
at::Tensor contrastive_loss(const at::Tensor& similarities, double temperature);

// M of Eq. 1 and 2, of rows of unit length that broadcast: [..., d], values 0, 0.5 and 1.
at::Tensor hybrid_mask(const at::Tensor& question, const at::Tensor& page,
                       const RetrieverOptions& options);

// Which part of 0 .. parts - 1 each dimension of each mask [N, d] falls into, or -1: none. Parts of
// a row are of equal size but for one.
at::Tensor mask_parts(const at::Tensor& masks, const RetrieverOptions& options,
                      const at::Generator& random);

// The part of each dimension of each of the masks [n, d], as mask_parts has them.
using Partition = std::function<at::Tensor(const at::Tensor& masks)>;

// The loss that the options ask for, without what is not of the batch's vectors: nothing of
// RetrieverLoss::generated. Masks are parted in the order of pages; with one for each pair
// in the order of questions, and of pages within each.
at::Tensor retriever_loss(const BatchVectors& batch, const RetrieverOptions& options,
                          const Partition& partition);

}  // namespace fineprint::train
