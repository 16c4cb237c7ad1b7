// What a model gives vectors of, and how pages are shown to it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "fineprint/core/image.h"
#include "fineprint/models/model_spec.h"

namespace fineprint::models {

enum class RetrieverKind {
  text,       // one vector a text: sentence encoders
  late_text,  // a vector a token of a text: ColBERT
  page,       // one vector a page image: Phi-3-vision, document screenshot embedding
  late,       // many vectors a page image: ColPali, ColQwen2
};

RetrieverKind retriever_kind(const ModelSpec& spec);
// "text", "late-text", "page", "late": what scorers and vector sets are called.
std::string_view kind_name(RetrieverKind kind);
bool sees_pages(RetrieverKind kind);
bool gives_many_vectors(RetrieverKind kind);

// The length of the model's vectors.
std::size_t vector_width(const ModelSpec& spec);

// "144 dpi", "144 dpi, 1344x1344": what a store remembers of its page vectors.
std::string to_string(const PageRaster& raster);

// The dots per inch at which a page of this size is rasterised: raster.dpi, less for a page that
// would have more than 2^24 pixels (A1 has 16 million at 144 dpi), so that the pictures of a few
// pages always fit into memory. A page without a known size gets raster.dpi.
double dpi_for(const PageRaster& raster, double width_pt, double height_pt);

// The picture that the model's image processor is given of a page that was rasterised so.
Image shown_to(const PageRaster& raster, Image page);

}  // namespace fineprint::models
