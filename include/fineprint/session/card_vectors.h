// Vectors of sets in the memory of a GPU, for as long as a session lives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "fineprint/models/device.h"
#include "fineprint/score/cuda.h"
#include "fineprint/session/vectors.h"

namespace fineprint::session {

// Parts [first_part, first_part + parts) of a view, one after the other.
struct CardSlab {
  std::size_t first_part = 0;
  std::size_t parts = 0;
  std::size_t units = 0;
  std::size_t rows = 0;
  score::DeviceRows* on_card = nullptr;
};

// As many of a set's first parts as the card had room for. Immutable; safe from several threads.
class CardSet {
 public:
  // Copies the rows of the view as they are stored (codes, where it keeps codes and originals), up
  // to `most_bytes`. Says so when not all go in. Throws Error(internal) as the library does.
  CardSet(const score::CudaTable& table, int device, const VectorView& view,
          std::size_t most_bytes);
  ~CardSet();
  CardSet(const CardSet&) = delete;
  CardSet& operator=(const CardSet&) = delete;

  const score::CudaTable& table() const { return table_; }
  const std::vector<CardSlab>& slabs() const { return slabs_; }
  // Parts [0, parts()) of the view are on the card.
  std::size_t parts() const;
  std::size_t bytes() const { return bytes_; }

 private:
  bool add_slab(const VectorView& view, int device, std::size_t most_bytes);

  const score::CudaTable& table_;
  std::vector<CardSlab> slabs_;
  std::size_t bytes_ = 0;
};

// Which sets lie on the card. With `device` "cuda" a set is copied when it is first scanned; with
// "auto" once the session has scanned it a few times, because one question pays more for the
// copying than it gains; with "cpu", or without a GPU, never. All sets together take at most half
// of the memory that is free when the first one is copied: the rest is for networks.
class CardVectors {
 public:
  // `table`: nullptr is the library beside the program, opened when a set is first to be copied.
  CardVectors(const models::DeviceOptions& options, const score::CudaTable* table);
  ~CardVectors();

  // To be called once for each scan of the view. nullptr: the CPU scans it.
  const CardSet* for_scan(const VectorView& view) const;

 private:
  bool has_card() const;

  struct Asked {
    int scans = 0;
    std::unique_ptr<const CardSet> set;
  };
  int device_ = -1;  // -1: none is wanted
  int scans_before_ = 0;
  mutable std::mutex mutex_;
  mutable const score::CudaTable* table_ = nullptr;
  mutable bool looked_ = false;   // for the library and the card
  mutable std::size_t room_ = 0;  // bytes
  mutable std::map<const VectorView*, Asked> asked_;
};

}  // namespace fineprint::session
