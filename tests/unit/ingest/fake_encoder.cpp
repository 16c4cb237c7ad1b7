// Deterministic stand-ins for encoders.
#include "fake_encoder.h"

#include <chrono>
#include <cmath>
#include <thread>

#include "fineprint/core/error.h"
#include "fineprint/core/hash.h"
#include "fineprint/core/threads.h"

namespace fineprint::ingest::testing {

namespace {

using models::RetrieverKind;

constexpr std::size_t kDim = 8;
constexpr int kSide = 32;
constexpr int kRowsAPage = 6;

class WordTokenizer : public tokenizer::Tokenizer {
 public:
  std::vector<tokenizer::Token> encode(std::string_view utf8, bool) const override {
    std::vector<tokenizer::Token> out;
    for (std::size_t at = 0; at < utf8.size();) {
      const std::size_t begin = utf8.find_first_not_of(" \n", at);
      if (begin == std::string_view::npos) break;
      at = std::min(utf8.find_first_of(" \n", begin), utf8.size());
      out.push_back({1, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(at)});
    }
    return out;
  }
  std::vector<tokenizer::Token> encode_pair(std::string_view first,
                                            std::string_view) const override {
    return encode(first, false);
  }
  std::size_t count(std::string_view utf8) const override { return encode(utf8, false).size(); }
  std::string decode(const std::vector<std::int32_t>&, bool) const override { return ""; }
  std::int32_t id_of(std::string_view) const override { return -1; }
};

std::string whole_spec(const std::string& spec) {
  if (spec == models::kNewTextSets) return "text:default";
  return spec.empty() ? "text:float32" : spec;
}

RetrieverKind kind_of(const std::string& spec) {
  const std::string kind = whole_spec(spec).substr(0, whole_spec(spec).find(':'));
  for (const auto known : {RetrieverKind::text, RetrieverKind::late_text, RetrieverKind::page,
                           RetrieverKind::late, RetrieverKind::sparse_page}) {
    if (models::kind_name(known) == kind) return known;
  }
  throw Error(ErrorCode::model, "there is no model " + spec);
}

// Unit vectors that follow from `seed` alone.
Matrix hashed(const std::string& seed, std::size_t rows) {
  Matrix out{rows, kDim, {}};
  for (std::size_t r = 0; r < rows; ++r) {
    double length = 0;
    for (std::size_t i = 0; i < kDim; ++i) {
      const std::uint64_t bits = checksum(seed + "/" + std::to_string(r * kDim + i));
      out.values.push_back(static_cast<float>(bits % 2001) / 1000 - 1);
      length += out.values.back() * out.values.back();
    }
    for (float& value : out.row(r)) value /= static_cast<float>(std::sqrt(length));
  }
  return out;
}

// Weights of some tokens that follow from `seed` alone.
Matrix hashed_tokens(const std::string& seed) {
  Matrix out{0, store::kSparseColumns, {}};
  for (std::size_t token = 0; token < kDim; ++token) {
    const std::uint64_t bits = checksum(seed + "/" + std::to_string(token));
    if (bits % 2 == 0) continue;
    ++out.rows;
    out.values.push_back(static_cast<float>(token));
    out.values.push_back(static_cast<float>(1 + bits % 128) / store::kWeightSteps);
  }
  return out;
}

class HashEncoder final : public models::Encoder {
 public:
  HashEncoder(Counts& counts, std::string spec)
      : counts_(counts), spec_(whole_spec(spec)), kind_(kind_of(spec)) {}
  std::string name() const override { return spec_; }
  std::string hash() const override { return spec_; }
  std::size_t dim() const override { return kDim; }
  bool many_vectors() const override { return models::gives_many_vectors(kind_); }
  bool sees() const override { return models::sees_pages(kind_); }
  int calls_at_a_time() const override { return counts_.calls_at_a_time; }

  std::vector<Matrix> embed_texts(std::span<const std::string> texts,
                                  models::TextRole) const override {
    begin_call();
    counts_.texts += static_cast<int>(texts.size());
    ++counts_.text_calls;
    check_failure();
    std::vector<Matrix> out;
    for (const std::string& one : texts) out.push_back(fake_vectors(spec_, one));
    return out;
  }

  std::vector<Matrix> embed_images(std::span<const Image> pages) const override {
    begin_call();
    for (const Image& page : pages) {
      if (page.width < counts_.smallest_side) throw Error(ErrorCode::input, "too narrow a page");
    }
    counts_.pages += static_cast<int>(pages.size());
    check_failure();
    if (counts_.pages > counts_.interrupt_after) set_interrupted(true);
    throw_if_interrupted();
    std::vector<Matrix> out;
    for (const Image& page : pages) {
      const std::lock_guard lock(counts_.mutex);
      counts_.sizes.emplace_back(page.width, page.height);
      out.push_back(fake_vectors(spec_, page));
    }
    return out;
  }

 private:
  void begin_call() const {
    std::this_thread::sleep_for(std::chrono::milliseconds(counts_.delay_ms.load()));
  }
  void check_failure() const {
    if (counts_.texts + counts_.pages <= counts_.fail_after) return;
    throw Error(ErrorCode::model, "the model broke");
  }

  Counts& counts_;
  std::string spec_;
  RetrieverKind kind_;
};

}  // namespace

Matrix fake_vectors(const std::string& spec, const std::string& text) {
  const std::string seed = whole_spec(spec) + "\n" + text;
  const bool many = models::gives_many_vectors(kind_of(spec));
  return hashed(seed, many ? 1 + text.size() % 5 : 1);
}

Matrix fake_vectors(const std::string& spec, const Image& picture) {
  const std::string pixels(picture.pixels.begin(), picture.pixels.end());
  const std::string seed = whole_spec(spec) + "\n" + content_hash(pixels);
  if (kind_of(spec) == RetrieverKind::sparse_page) return hashed_tokens(seed);
  return hashed(seed, models::gives_many_vectors(kind_of(spec)) ? kRowsAPage : 1);
}

FindEncoder fake_encoders(Counts& counts, const std::map<std::string, std::string>& moved) {
  return [&counts, moved](const std::string& given) {
    const auto other = moved.find(given);
    const std::string spec = other == moved.end() ? given : other->second;
    KnownEncoder out;
    out.spec = given;
    out.name = whole_spec(spec);
    out.kind = kind_of(spec);
    if (out.kind == RetrieverKind::page) out.raster.stretch_to = kSide;
    out.dim = kDim;
    out.hash = [spec] { return whole_spec(spec); };
    out.tokenizer_hash = [] { return "words"; };
    out.tokenizer = [] { return std::make_shared<WordTokenizer>(); };
    out.load = [&counts, spec] {
      ++counts.loads;
      return std::make_unique<HashEncoder>(counts, spec);
    };
    return out;
  };
}

}  // namespace fineprint::ingest::testing
