// Fits of single frames, with all memory of their own.
#pragma once

#include "fit_tracks.hpp"

namespace pantin {

class FitSingle {
 public:
  FitSingle(const FitBody& body, const FitSources& sources, const FitSettings& settings, const FitRules& rules,
            const FitStart& neutral);
  FitSingle(const FitSingle&) = delete;

  // Points (K, 3) of the one source, weights (K) or null; from a start, or cold. Every array of `found` has one row.
  void solve(const double* points, const double* weights, const FitStart* start, const FitFound& found);

 private:
  FitObserved observed_;
  FitTask task_;
  FitTrack track_;
  bool waiting_ = false;
  FitTracks tracks_;
  std::unique_ptr<void, Free> engine_;
};

}  // namespace pantin
