// Which vectors an encoder gives, and how pages are shown to it.
#include "fineprint/models/retriever.h"

#include <cmath>
#include <utility>

#include "fineprint/core/format.h"
#include "fineprint/image/resample.h"

namespace fineprint::models {
namespace {

constexpr double kPointsPerInch = 72;
constexpr double kMostPixels = 1 << 24;

}  // namespace

RetrieverKind retriever_kind(const ModelSpec& spec) {
  if (spec.head.vocabulary) return spec.sees() ? RetrieverKind::sparse_page : RetrieverKind::sparse;
  const bool many = spec.head.pooling == Pooling::every_token;
  if (spec.sees()) return many ? RetrieverKind::late : RetrieverKind::page;
  return many ? RetrieverKind::late_text : RetrieverKind::text;
}

std::string_view kind_name(RetrieverKind kind) {
  switch (kind) {
    case RetrieverKind::text:
      return "text";
    case RetrieverKind::late_text:
      return "late-text";
    case RetrieverKind::page:
      return "page";
    case RetrieverKind::late:
      return "late";
    case RetrieverKind::sparse:
    case RetrieverKind::sparse_page:
      return "sparse";
  }
  return {};
}

bool sees_pages(RetrieverKind kind) {
  return kind == RetrieverKind::page || kind == RetrieverKind::late ||
         kind == RetrieverKind::sparse_page;
}

bool gives_many_vectors(RetrieverKind kind) {
  return kind == RetrieverKind::late || kind == RetrieverKind::late_text ||
         kind == RetrieverKind::sparse || kind == RetrieverKind::sparse_page;
}

std::size_t vector_width(const ModelSpec& spec) {
  if (spec.head.vocabulary) {
    return static_cast<std::size_t>(
        std::visit([](const auto& trunk) { return trunk.vocab_size; }, spec.trunk));
  }
  const int hidden = std::visit([](const auto& trunk) { return trunk.hidden; }, spec.trunk);
  // The last layer that changes the width decides: dense layers, else the projection, else the
  // trunk.
  if (!spec.head.dense.empty()) return static_cast<std::size_t>(spec.head.dense.back().out);
  return static_cast<std::size_t>(spec.head.projection > 0 ? spec.head.projection : hidden);
}

std::string to_string(const PageRaster& raster) {
  const std::string dpi = format("{:g} dpi", raster.dpi);
  if (raster.stretch_to == 0) return dpi;
  return dpi + format(", {}x{}", raster.stretch_to, raster.stretch_to);
}

double dpi_for(const PageRaster& raster, double width_pt, double height_pt) {
  const double scale = raster.dpi / kPointsPerInch;
  const double pixels = width_pt * height_pt * scale * scale;
  return pixels > kMostPixels ? raster.dpi * std::sqrt(kMostPixels / pixels) : raster.dpi;
}

Image shown_to(const PageRaster& raster, Image page) {
  const int side = raster.stretch_to;
  if (side == 0 || (page.width == side && page.height == side)) return page;
  return image::resample(page, side, side, image::Filter::bicubic, image::Arithmetic::pillow);
}

}  // namespace fineprint::models
