// What the observations of a frame say something of.
#pragma once

#include <unordered_map>
#include <vector>

#include "fit_rows.hpp"
#include "fit_starts.hpp"

namespace pantin {

class FitSeen {
 public:
  // Which freedoms are seen, by which observations there are.
  using Met = std::unordered_map<std::vector<bool>, std::vector<bool>>;

  FitSeen(const FitBody& body, const FitSources& sources, const FitSettings& settings, const FitRules& rules);
  FitSeen(const FitSeen&) = delete;

  // Which freedoms the data of a frame say something of: as it was when the pattern was met first, in `met`, at a start.
  // Where all points are seen that is known beforehand.
  const std::vector<bool>& at(const std::vector<bool>& pattern, const FitStart& start, const FitLane& rows, Met& met);
  // Freedoms are in a gap where they are not seen and some keypoint that they move is missing; those that no keypoint
  // shows when all are there never are.
  std::vector<bool> gaps(const std::vector<bool>& pattern, const std::vector<bool>& seen) const;

 private:
  bool shows_all(const std::vector<bool>& pattern, const FitLane& rows) const;
  void show_all();
  std::vector<bool> seen_at(const FitStart& state);

  const FitBody& body_;
  const FitPlan& plan_;
  const FitSources sources_;  // by squares: what a robust loss sets aside is seen all the same
  const FitRules& rules_;
  FitProbe probe_;
  std::vector<double> variances_;
  std::vector<bool> if_all_;  // once it was asked
};

}  // namespace pantin
