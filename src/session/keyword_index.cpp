// Renumbers the keyword index of all documents by chunk id or by page id.
#include "fineprint/session/keyword_index.h"

#include <algorithm>
#include <limits>

#include "fineprint/core/error.h"
#include "fineprint/core/format.h"
#include "fineprint/session/corpus.h"

namespace fineprint::session {
namespace {

constexpr std::uint32_t kGone = std::numeric_limits<std::uint32_t>::max();

// Happens only if the index of a document was damaged or written for other units.
[[noreturn]] void fail_unfit(const Corpus& corpus, DocumentId document, store::VectorUnit unit) {
  throw Error(
      ErrorCode::store,
      fineprint::format("{}: the keyword index of {} does not fit its {}s; run `fineprint index "
                        "--repair`",
                        corpus.store().dir(), corpus.documents()[document.value].row.doc,
                        store::unit_name(unit)));
}

// The ids of a document's chunks or pages.
struct IdRange {
  std::uint32_t first = 0, count = 0;
};

IdRange ids_of(const Corpus& corpus, DocumentId document, store::VectorUnit unit) {
  if (unit == store::VectorUnit::page) {
    const CorpusDocument& held = corpus.documents()[document.value];
    return {held.first_page.value, static_cast<std::uint32_t>(held.row.page_count)};
  }
  const ChunkTable& chunks = corpus.chunks();
  return {chunks.begin_of(document).value, chunks.end_of(document) - chunks.begin_of(document)};
}

}  // namespace

// Units without postings keep the length 0, so the average counts every one.
KeywordIndex::KeywordIndex(const Corpus& corpus, const std::string& field, store::VectorUnit unit)
    : unit_(unit) {
  const std::size_t units =
      unit == store::VectorUnit::page ? corpus.page_count() : corpus.chunks().page.size();
  std::vector<std::uint32_t> lengths(units);
  for (auto& segment : corpus.store().postings(field)) {
    add(corpus, std::move(segment), &lengths);
  }
  damping_ = score::bm25_damping(lengths, {});
}

void KeywordIndex::add(const Corpus& corpus, std::shared_ptr<const store::PostingsSegment> postings,
                       std::vector<std::uint32_t>* lengths) {
  const auto of_units = postings->lengths();
  std::vector<std::uint32_t> ids(of_units.size(), kGone);
  bool all_live = true;
  for (const store::SegmentDocument& held : postings->documents()) {
    all_live &= held.live;
    if (!held.live) continue;
    const DocumentId document = corpus.index_of(held.document);
    const IdRange range = ids_of(corpus, document, unit_);
    if (held.units > range.count) fail_unfit(corpus, document, unit_);
    held_ += held.units;
    for (std::uint32_t i = 0; i < held.units; ++i) {
      ids[held.first_unit + i] = range.first + i;
      (*lengths)[range.first + i] = of_units[held.first_unit + i];
    }
  }
  segments_.push_back({std::move(postings), std::move(ids), all_live});
}

void KeywordIndex::read(std::string_view term, std::vector<score::Posting>* out) const {
  out->clear();
  for (std::size_t segment = 0; segment < segments_.size(); ++segment) append(segment, term, out);
}

void KeywordIndex::append(std::size_t segment, std::string_view term,
                          std::vector<score::Posting>* out) const {
  const Segment& own = segments_[segment];
  std::size_t count = out->size();
  own.postings->append(term, out);
  // Renumbers in place. A posting of a dead document is overwritten by the next one.
  for (std::size_t i = count; i < out->size(); ++i) {
    const auto [unit, frequency] = (*out)[i];
    const std::uint32_t id = own.id[unit];
    (*out)[count] = {id, frequency};
    count += id == kGone ? 0 : 1;
  }
  out->resize(count);
}

std::size_t KeywordIndex::count(std::size_t segment, std::string_view term) const {
  if (segments_[segment].all_live) return segments_[segment].postings->count(term);
  std::vector<score::Posting> postings;
  append(segment, term, &postings);
  return postings.size();
}

// Has a mutex of its own, because building the index calls chunks(), which locks the other.
const KeywordIndex& Corpus::keywords(const std::string& field, store::VectorUnit unit) const {
  const std::lock_guard lock(keywords_mutex_);
  std::unique_ptr<const KeywordIndex>& index = keywords_[field];
  if (index == nullptr) index = std::make_unique<const KeywordIndex>(*this, field, unit);
  return *index;
}

}  // namespace fineprint::session
