// Makes passes over the vectors of a set: alone, or for several searches at once.
#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>

#include "fineprint/core/threads.h"
#include "fineprint/session/loaded_models.h"
#include "fineprint/session/vectors.h"

namespace fineprint::session {
namespace {

constexpr std::size_t kAloneBytes = std::size_t{4} << 20;  // small enough to share the work evenly
// Several passes take smaller pieces, which stay in a core's cache from one pass to the next.
constexpr std::size_t kSharedBytes = std::size_t{256} << 10;

std::size_t bytes_of(const VectorPart& part) {
  return part.rows.count * part.rows.dim * score::vector_type_bytes(part.rows.type);
}

// Units [first, first + units) of a part.
struct UnitRange {
  const VectorPart* part = nullptr;
  std::uint32_t first = 0, units = 0;
};

void cut(const VectorPart& part, std::size_t piece_bytes, std::vector<UnitRange>* pieces) {
  const std::size_t count = std::min<std::size_t>(part.units, bytes_of(part) / piece_bytes + 1);
  for (std::size_t i = 0; i < count; ++i) {
    const auto begin = static_cast<std::uint32_t>(part.units * i / count);
    const auto end = static_cast<std::uint32_t>(part.units * (i + 1) / count);
    pieces->push_back({&part, begin, end - begin});
  }
}

}  // namespace

struct VectorView::RunningPass {
  const Models& models;
  const VectorPass& pass;
  const VectorPart* first = nullptr;  // the first part that the pass looks at
  std::atomic<bool> has_failed = false;
  std::mutex mutex = {};  // guards the next
  std::exception_ptr error = {};

  bool looks_at(const VectorPart& part) const {
    return &part >= first && pass.documents[part.document.value];
  }

  // Keeps an error to itself, because the other passes are not to blame.
  void visit(const UnitRange& piece) {
    if (has_failed) return;
    try {
      if (pass.stop.unwanted()) throw_if_stopped(pass.stop);
      pass.visit(*piece.part, piece.first, piece.units);
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!error) error = std::current_exception();
      has_failed = true;
    }
  }
};

void VectorView::run(std::span<RunningPass* const> passes) const {
  const auto is_wanted = [&](const VectorPart& part) {
    return std::ranges::any_of(passes, [&](const RunningPass* one) { return one->looks_at(part); });
  };
  std::vector<UnitRange> pieces;
  for (const VectorPart& part : parts_) {
    if (is_wanted(part)) cut(part, passes.size() == 1 ? kAloneBytes : kSharedBytes, &pieces);
  }
  const ScanThreads threads(passes.front()->models);
  parallel_for(pieces.size(), threads.count(), [&](std::size_t p) {
    for (RunningPass* one : passes) {
      if (one->looks_at(*pieces[p].part)) one->visit(pieces[p]);
    }
  });
}

void VectorView::scan(const Models& models, const VectorPass& pass) const {
  RunningPass running{.models = models, .pass = pass, .first = parts_.data() + pass.first_part};
  std::size_t bytes = 0;
  for (const VectorPart& part : parts_) bytes += running.looks_at(part) ? bytes_of(part) : 0;
  if (bytes < kAloneBytes) {
    RunningPass* const alone = &running;
    run({&alone, 1});
  } else {
    together_.run(running);
  }
  if (running.error) std::rethrow_exception(running.error);
}

}  // namespace fineprint::session
