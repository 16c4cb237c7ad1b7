// Losses of encoders of questions and pages.
#pragma once

#include <functional>

#include <ATen/core/Generator.h>
#include <ATen/core/Tensor.h>

#include "fineprint/train/training.h"

namespace fineprint::train {

// The vectors of a batch, of unit length, in float32. Page b < B is the positive one of question b.
// The other pages are hard negatives of the questions in `of`.
struct BatchVectors {
  at::Tensor questions;  // [B, d]
  at::Tensor pages;      // [N, d], N >= B
  at::Tensor of;         // [N] of int64: each page's question
};

// Returns the mean over the rows b of similarities [B, N] of -log(e^(s_bb / t) / sum over i of
// e^(s_bi / t)). Source: HKRAG, Eq. 3; van den Oord et al., "Contrastive Predictive Coding" (2018),
// Eq. 4.
at::Tensor contrastive_loss(const at::Tensor& similarities, double temperature);

// Returns M of Eq. 1 and 2 for rows of unit length that broadcast: [..., d], with values 0, 0.5 and
// 1.
at::Tensor hybrid_mask(const at::Tensor& question, const at::Tensor& page,
                       const RetrieverOptions& options);

// Returns the part, 0 .. parts - 1, of each dimension of each mask [N, d], or -1 for none. The
// parts of a row have the same size, except that they may differ by one.
at::Tensor mask_parts(const at::Tensor& masks, const RetrieverOptions& options,
                      const at::Generator& random);

// Returns the part of each dimension of each of the masks [n, d], like mask_parts().
using Partition = std::function<at::Tensor(const at::Tensor& masks)>;

// Returns the loss that the options select, as far as it depends on the batch's vectors; it is
// undefined for RetrieverLoss::generated. Masks are divided in the order of pages; if there is one
// for each pair, in the order of questions, and of pages within each question.
at::Tensor retriever_loss(const BatchVectors& batch, const RetrieverOptions& options,
                          const Partition& partition);

}  // namespace fineprint::train
