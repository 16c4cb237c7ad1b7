// Finds encoders and identifies them without loading them.
#include "ingest/known_encoder.h"

#include <filesystem>
#include <utility>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/core/hash.h"
#include "fineprint/models/checkpoint.h"
#include "fineprint/models/load_tokenizer.h"
#include "fineprint/models/model_spec.h"
#include "fineprint/remote/served_models.h"
#include "fineprint/session/load.h"

namespace fineprint::ingest {

namespace {

// Returns a function that calls `make` at the first call and remembers the result.
std::function<std::string()> remembered(std::function<std::string()> make) {
  return [make = std::move(make), made = std::make_shared<std::string>()] {
    if (made->empty()) *made = make();
    return *made;
  };
}

// Returns a folder or file as an absolute path, so that a run from another folder finds it again.
std::string lasting_spec(const std::string& spec) {
  if (spec.starts_with(models::kInt8Prefix)) {
    const std::size_t place = models::kInt8Prefix.size();
    return spec.substr(0, place) + lasting_spec(spec.substr(place));
  }
  std::error_code ignored;
  if (spec.empty() || !std::filesystem::exists(spec, ignored)) return spec;
  return std::filesystem::absolute(spec).lexically_normal().string();
}

KnownEncoder served_source(const std::string& spec, const session::ModelOptions& options) {
  const remote::ServedEncoder found =
      remote::find_served_encoder(spec, options.prefixes, options.openai);
  KnownEncoder out;
  out.spec = found.spec;
  out.name = found.name;
  out.kind = found.kind;
  out.hash = [hash = found.hash] { return hash; };
  out.asked_dim = [again = found.spec, options] {
    return remote::make_served_encoder(again, options.prefixes, options.openai)->dim();
  };
  out.load = [again = found.spec, options] { return session::load_encoder(again, options); };
  return out;
}

KnownEncoder source_of(const std::string& spec, const session::ModelOptions& options) {
  if (remote::names_served_encoder(spec)) return served_source(spec, options);
  const models::ModelSpec model = models::read_encoder(spec, options.hub_cache, options.prefixes);
  KnownEncoder out;
  out.spec = lasting_spec(spec);
  out.name = model.name;
  out.kind = models::retriever_kind(model);
  out.raster = model.raster;
  out.dim = models::vector_width(model);
  out.hash = remembered([model] { return models::Checkpoint(model).hash(); });
  out.tokenizer_hash = remembered([path = model.tokenizer_path] { return file_hash(path); });
  out.tokenizer = [path = model.tokenizer_path] { return models::load_tokenizer(path); };
  out.load = [again = out.spec, options] { return session::load_encoder(again, options); };
  return out;
}

}  // namespace

FindEncoder find_encoders(const session::ModelOptions& options) {
  return [options](const std::string& spec) { return source_of(spec, options); };
}

}  // namespace fineprint::ingest
