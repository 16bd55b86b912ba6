// Tracks of a recording, a lane each: every frame starts from the one before, or cold where there is none or where the
// objective jumps.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "fit_robust.hpp"
#include "fit_seen.hpp"

namespace pantin {

// A fit that waits for work: what is the same for every frame.
struct FitTask {
  const FitBody* body;
  const FitSources* sources;
  const FitSettings* settings;
  const FitRules* rules;
  const FitObserved* observed;
  FitStart neutral;          // what cold fits start from
  FitFound found, aside;
};

// Where the cold fit of a frame starts first.
FitStart first_start(const FitTask& task, std::ptrdiff_t frame);

// The cost of each frame beside those before it.
class RunningMedian {
 public:
  void clear() { costs_.clear(), order_.clear(), oldest_ = 0; }
  void add(double cost);
  bool is_full() const { return order_.size() >= kLeast; }
  double value() const { return order_[order_.size() / 2]; }

 private:
  static constexpr std::size_t kWindow = 31, kLeast = 5;
  std::vector<double> costs_, order_;
  std::size_t oldest_ = 0;
};

class FitTracks {
 public:
  // `next_track` gives tracks until it gives null; `stopped` is looked at before every frame, `done` is told of frames.
  FitTracks(const FitTask& task, int lanes, std::function<const FitTrack*()> next_track,
            std::function<bool(std::ptrdiff_t)> go_on);
  // Starts of a cold fit of a frame, whose observations go to the rows.
  std::vector<FitStart> starts_of(std::ptrdiff_t frame, const FitLane& rows);
  FitSupply supply() { return {.self = this, .next = next, .rival = rival}; }

 private:
  struct Answer {
    FitStart state;
    std::vector<double> misfits, costs;
    FitOutcome outcome;
  };
  struct Lane {
    const FitTrack* track = nullptr;
    std::ptrdiff_t frame = 0;
    std::vector<FitStart> starts;      // those still to try for this frame, last first
    bool cold = true, restarted = false, any = false, changed = false;
    Answer best, trial;
    FitStart last, before;             // states of the frames before
    double last_cost = 0.0;
    int known = 0;                     // how many of them there are, up to 2
    RunningMedian median;
    std::vector<bool> pattern;
    std::vector<bool> seen, gap;       // per freedom, at this pattern
    FitSeen::Met met;
  };

  static FitRival rival(void* self);
  static bool next(void* self, int lane, const FitOutcome* outcome, const FitLane& rows);
  bool next(Lane& lane, const FitOutcome* outcome, const FitLane& rows);
  void begin(Lane& lane, const FitTrack& track);
  bool begin_frame(Lane& lane, const FitLane& rows);
  std::vector<FitStart> cold(const FitLane& rows);
  bool load(Lane& lane, const FitLane& rows);
  void ease_in(Lane& lane, const FitLane& rows);
  FitStart within(const Lane& lane, FitStart start) const;
  void load_start(const Lane& lane, const FitStart& start, const FitLane& rows);
  void look_up_seen(Lane& lane, const FitStart& start, const FitLane& rows);
  void load_prior(const Lane& lane, const FitLane& rows);
  FitStart warm_start(const Lane& lane) const;
  void read(Answer& answer, const FitOutcome& outcome, const FitLane& rows) const;
  void rest(Lane& lane);
  bool exceeds(double cost, double other) const;
  bool jumps(const Lane& lane) const;
  bool is_doubtful(const Lane& lane) const;
  void commit(Lane& lane);
  void write(const Lane& lane, const FitFound& found, std::ptrdiff_t row) const;

  const FitTask& task_;
  const FitPlan& plan_;
  std::function<const FitTrack*()> next_track_;
  std::function<bool(std::ptrdiff_t)> go_on_;
  FitProbe probe_;
  FitSeen seen_;
  std::optional<RobustStarts> robust_;  // where the loss is not convex
  std::vector<Lane> lanes_;
  int nsources_, nmisfits_;
};

}  // namespace pantin
