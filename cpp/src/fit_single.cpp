#include "fit_single.hpp"

#include <cstring>
#include <utility>

#include "pantin/kernels/table.hpp"

namespace pantin {

FitSingle::FitSingle(const FitBody& body, const FitSources& sources, const FitSettings& settings, const FitRules& rules,
                     const FitStart& neutral)
    : observed_{.points = std::vector<FitSource>(1), .cameras = {}, .turns = {}, .ties = {}, .prescribed = {},
                .prescribed_dofs = {}},
      task_{.body = &body, .sources = &sources, .settings = &settings, .rules = &rules, .observed = &observed_,
            .neutral = neutral, .found = {}, .aside = {}},
      track_{},
      tracks_(task_, 1, [this]() -> const FitTrack* { return std::exchange(waiting_, false) ? &track_ : nullptr; },
              [](std::ptrdiff_t) { return true; }) {
  const std::size_t bytes = kernels().fit.bytes(body.view(), sources, false);
  engine_ = aligned_scratch(bytes);
  std::memset(engine_.get(), 0, bytes);
  kernels().fit.prepare(engine_.get(), body.view(), sources, settings, false);
}

void FitSingle::solve(const double* points, const double* weights, const FitStart* start, const FitFound& found) {
  observed_.points[0] = {.positions = {points, 0, 3}, .weights = {weights, 0, 1}, .poses = {}};
  task_.found = found;
  track_ = {.begin = 0, .end = 1, .aside = 0, .aside_row = 0, .start = start, .continues = false};
  waiting_ = true;
  kernels().fit.run(engine_.get(), tracks_.supply(), false);
}

}  // namespace pantin
