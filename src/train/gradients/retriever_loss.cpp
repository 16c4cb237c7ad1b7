// Losses of encoders of questions and pages: HKRAG, section 3.2, Eq. 1 to 5.
#include "train/gradients/retriever_loss.h"

#include <cmath>

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cross_entropy_loss.h>
#include <ATen/ops/full_like.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randint.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

namespace fineprint::train {
namespace {

using score::Spread;

// Computed over the last dimension, which is kept with size 1.
at::Tensor spread_of(const at::Tensor& values, Spread spread) {
  switch (spread) {
    case Spread::standard_deviation:
      return values.var(-1, /*unbiased=*/false, /*keepdim=*/true).sqrt();
    case Spread::unbiased_standard_deviation:
      return values.var(-1, /*unbiased=*/true, /*keepdim=*/true).sqrt();
    case Spread::variance:
      return values.var(-1, /*unbiased=*/false, /*keepdim=*/true);
  }
  return {};
}

// Returns the rank of each value in its row, the least first.
at::Tensor places_of(const at::Tensor& values) {
  constexpr std::int64_t kLast = -1;
  return values.argsort(kLast, /*descending=*/false).argsort(kLast, /*descending=*/false);
}

// Returns 1 above the threshold, else 0. With `soft`, the gradient is that of a sigmoid.
at::Tensor step_at(const at::Tensor& above, const at::Tensor& width, bool soft) {
  const at::Tensor hard = (above > 0).to(above.scalar_type());
  if (!soft) return hard;
  const at::Tensor smooth = (above / width).sigmoid();
  return hard + (smooth - smooth.detach());
}

// Returns the cosines of questions [B, d] with masked pages, [B, N]. Masks are [N, d]; or [B, N,
// d], one for every pair; or [B, 1, d].
at::Tensor masked_cosines(const at::Tensor& questions, const at::Tensor& pages,
                          const at::Tensor& masks) {
  constexpr double kShortest = 1e-12;
  if (masks.dim() == 2) {
    const at::Tensor masked = pages * masks;
    const at::Tensor lengths = masked.norm(2, -1, true).clamp_min(kShortest);
    return at::matmul(questions, (masked / lengths).t());
  }
  const at::Tensor masked = pages.unsqueeze(0) * masks;  // [B, N, d]
  const at::Tensor lengths = masked.norm(2, -1).clamp_min(kShortest);
  return (masked * questions.unsqueeze(1)).sum(-1) / lengths;
}

// Returns the mask of each page with its own question, [N, d].
at::Tensor own_masks(const BatchVectors& batch, const RetrieverOptions& options) {
  return hybrid_mask(batch.questions.index_select(0, batch.of), batch.pages, options);
}

// Returns the masks for Eq. 4 and 5, in a shape that masked_cosines() accepts.
at::Tensor masks_of(const BatchVectors& batch, const RetrieverOptions& options) {
  const std::int64_t count = batch.questions.size(0);
  switch (options.others) {
    case OthersMask::own:
      return own_masks(batch, options);
    case OthersMask::pairwise:
      return hybrid_mask(batch.questions.unsqueeze(1), batch.pages.unsqueeze(0), options);
    case OthersMask::anchor:
      return hybrid_mask(batch.questions, batch.pages.narrow(0, 0, count), options).unsqueeze(1);
  }
  return {};
}

// Eq. 4: questions search masked pages, and masked pages search questions.
at::Tensor masked_loss(const BatchVectors& batch, const at::Tensor& masks,
                       const RetrieverOptions& options) {
  const std::int64_t count = batch.questions.size(0);
  const at::Tensor cosines = masked_cosines(batch.questions, batch.pages, masks);
  // A page that searches its question has one mask: with `anchor`, the mask of the two.
  const at::Tensor back =
      options.others == OthersMask::anchor
          ? masked_cosines(batch.questions, batch.pages.narrow(0, 0, count), masks.squeeze(1))
          : cosines.narrow(1, 0, count);
  return (contrastive_loss(cosines, options.temperature) +
          contrastive_loss(back.t(), options.temperature)) /
         2;
}

// Eq. 5: questions search pages of which one part of the mask is kept.
at::Tensor parted_loss(const BatchVectors& batch, const at::Tensor& masks,
                       const RetrieverOptions& options, const Partition& partition) {
  const at::Tensor flat = masks.reshape({-1, masks.size(-1)});
  const at::Tensor parts = partition(flat.detach()).view(masks.sizes());
  at::Tensor sum = at::zeros({}, batch.questions.options());
  for (int part = 0; part < options.parts; ++part) {
    const at::Tensor left = masks * (parts == part).to(masks.scalar_type());
    sum = sum +
          contrastive_loss(masked_cosines(batch.questions, batch.pages, left), options.temperature);
  }
  return sum / options.parts;
}

}  // namespace

at::Tensor contrastive_loss(const at::Tensor& similarities, double temperature) {
  const at::Tensor own = at::arange(similarities.size(0), similarities.options().dtype(at::kLong));
  return at::cross_entropy_loss(similarities / temperature, own);
}

at::Tensor hybrid_mask(const at::Tensor& question, const at::Tensor& page,
                       const RetrieverOptions& options) {
  const score::MaskOptions& mask = options.mask;
  // In float64, because values near a threshold decide which dimensions are kept.
  at::Tensor agreement = (question * page).to(at::kDouble);  // C
  if (!options.mask_gradient) agreement = agreement.detach();
  if (mask.absolute) agreement = agreement.abs();
  const at::Tensor spread = spread_of(agreement, mask.inner_spread);
  const at::Tensor squashed =
      ((agreement - agreement.mean(-1, true)) / (spread + mask.epsilon)).sigmoid();  // Eq. 1
  const at::Tensor middle = squashed.mean(-1, true);
  const at::Tensor width = spread_of(squashed, mask.outer_spread);
  const double side = mask.swapped ? -1 : 1;
  const auto beyond = [&](double distance) {
    const at::Tensor above = (squashed - (middle + distance * width)) * side;
    return step_at(above, width.clamp_min(mask.epsilon), options.mask_gradient);
  };
  return ((beyond(-mask.alpha) + beyond(mask.alpha)) / 2).to(question.scalar_type());  // Eq. 2
}

// Drawn on the CPU, so that a seed gives the same parts on every device.
at::Tensor mask_parts(const at::Tensor& masks, const RetrieverOptions& options,
                      const at::Generator& random) {
  const std::int64_t rows = masks.size(0), d = masks.size(1);
  const std::int64_t drawn = options.parts_of_batch ? 1 : rows;
  const auto numbers = at::TensorOptions(at::kDouble);
  at::Tensor places;  // of each dimension in its row's order, [drawn, d]
  if (options.parted == MaskParts::blocks) {
    const at::Tensor starts = at::randint(d, {drawn, 1}, random, at::TensorOptions(at::kLong));
    places = (at::arange(d, at::kLong).unsqueeze(0) + starts).remainder(d);
  } else {
    places = places_of(at::rand({drawn, d}, random, numbers));
  }
  places = places.to(masks.device()).expand({rows, d});
  if (options.parted != MaskParts::support) {
    return (places * options.parts).div(d, "floor");
  }
  // Dimensions that the mask keeps come first, in the drawn order.
  const at::Tensor kept = masks > 0;
  const at::Tensor order = places_of(at::where(kept, places, places + d));
  const at::Tensor sizes = kept.sum(-1, true).clamp_min(1);
  return at::where(kept, (order * options.parts).div(sizes, "floor"), at::full_like(order, -1));
}

at::Tensor retriever_loss(const BatchVectors& batch, const RetrieverOptions& options,
                          const Partition& partition) {
  if (options.loss == RetrieverLoss::generated) return {};
  if (options.loss == RetrieverLoss::contrastive || teaches_pages(options.loss)) {
    return contrastive_loss(at::matmul(batch.questions, batch.pages.t()), options.temperature);
  }
  const at::Tensor masks = masks_of(batch, options);
  if (options.loss == RetrieverLoss::masked) return masked_loss(batch, masks, options);
  const at::Tensor parted = parted_loss(batch, masks, options, partition);
  if (options.loss == RetrieverLoss::parted) return parted;
  return masked_loss(batch, masks, options) + options.beta * parted;
}

}  // namespace fineprint::train
