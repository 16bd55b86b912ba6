// Which lane works on what: targets come in row after row, each tries its starts until one reaches.
//
// A lane that is free takes a start that is needed, else a new target, else a start that may be needed later.
// What is answered does not depend on it (question.hpp).
#pragma once

#include "pantin/solve/iterate.hpp"
#include "pantin/solve/posture.hpp"
#include "pantin/solve/question.hpp"

namespace pantin::PANTIN_ISA {

inline constexpr int kNearIterations = 4;  // in which a seed near its target most likely reaches it
inline constexpr long kNever = 1L << 62;

struct Conveyor {
  ReachTask task;
  Lanes lanes;
  struct Lane {
    int question, start;  // -1: free
    bool nudged;
  } lane[kReachLanes];
  Question questions[kReachLanes];
  RestMemory rest;
  std::size_t next_row;
  long steps, refill_at;  // iterations done; when free lanes are looked at again
  int free;               // lanes, as bits
};

inline constexpr int kAllLanes = (1 << kReachLanes) - 1;

inline double at(const P& pack, int l) { return lane(pack, l); }

// Lets a lane begin at the numbers x. The first of all lanes takes the others along: a lane that is free then
// computes what another does.
inline void put_start(Conveyor& c, int l, int q, int start, const double* x, bool nudged) {
  const bool alone = c.free == kAllLanes;
  const auto put = [l, alone](P& pack, double value) {
    if (alone)
      pack = P(value);
    else
      set_lane(pack, l, value);
  };
  c.lane[l] = {q, start, nudged};
  c.free &= ~(1 << l);
  Lanes& lanes = c.lanes;
  const double* const target = c.questions[q].target;
  for (int k = 0; k < c.task.problem->nx; ++k) put(lanes.x[k], x[k]);
  for (int i = 0; i < 9; ++i) put(lanes.target.R.m[i / 3][i % 3], target[i]);
  put(lanes.target.p.x, target[9]);
  put(lanes.target.p.y, target[10]);
  put(lanes.target.p.z, target[11]);
  put(lanes.cost, __builtin_inf());
  put(lanes.damping, kLeastDamping);
  put(lanes.roams, start > 0 ? 1.0 : 0.0);
  put(lanes.iteration, 0.0);
  put(lanes.mark_iteration, 0.0);
  put(lanes.mark_cost, __builtin_inf());
}

template <template <class> class Residual>
inline void issue(Conveyor& c, int l, int q) {
  const int start = c.questions[q].next++;
  put_start(c, l, q, start, first_numbers<Residual>(c.questions[q], c.task, start), false);
}

// Whether a target may hand out starts that it does not need yet. One whose seed is near seldom needs them.
inline bool looks_ahead(const Conveyor& c, int q) {
  const Question& question = c.questions[q];
  if (question.next >= question.first + kWindow || question.next >= end_start(c.task)) return false;
  if (question.next > 1 || c.steps >= question.opened_at + kNearIterations) return true;
  double cost = 0.0;
  for (int l = 0; l < kReachLanes; ++l)
    if (c.lane[l].question == q) cost = at(c.lanes.cost, l);
  return c.steps > question.opened_at && cost > kNear;
}

// Gives a lane work; false where there is none.
template <template <class> class Residual>
inline bool refill(Conveyor& c, int l, long long now) {
  int closed = -1, early = -1;
  for (int q = 0; q < kReachLanes; ++q) {
    const Question& question = c.questions[q];
    if (!question.open) {
      closed = q;
    } else if (question.next < question.last) {
      issue<Residual>(c, l, q);
      return true;
    } else if (looks_ahead(c, q)) {
      early = q;
    } else if (question.next == 1) {
      c.refill_at = c.steps + 1;
    }
  }
  if (c.next_row < c.task.range.last) {
    open_question(c.questions[closed], c.task, c.next_row++, now, c.steps);
    early = closed;
  }
  if (early < 0) return false;
  issue<Residual>(c, l, early);
  return true;
}

inline void release(Conveyor& c, int l) {
  c.lane[l].question = -1;
  c.free |= 1 << l;
}

inline void close(Conveyor& c, int q, ReachStatus status) {
  write_answer(c.questions[q], c.task, status);
  for (int l = 0; l < kReachLanes; ++l)
    if (c.lane[l].question == q) release(c, l);
}

// Notes where a lane's start has come to; a nudged one counts only if it came lower than the point it left.
inline Candidate& note(Conveyor& c, int l, const Progress& progress) {
  const auto [q, start, nudged] = c.lane[l];
  Question& question = c.questions[q];
  Candidate& candidate = question.at(start);
  const double cost = at(c.lanes.cost, l);
  const bool reached = progress.reached >> l & 1;
  if (nudged && !reached && !(cost < candidate.cost * (1.0 - kNoLower))) return candidate;
  for (int k = 0; k < c.task.problem->nx; ++k) candidate.x[k] = at(c.lanes.base[k], l);
  candidate.cost = cost;
  candidate.position2 = at(c.lanes.position2, l);
  candidate.rotation2 = at(c.lanes.rotation2, l);
  candidate.start = start;
  candidate.iterations = int(at(c.lanes.iteration, l));
  candidate.reached = reached;
  candidate.rests = progress.stationary >> l & 1;
  if (reached && start > 0 && c.task.seeded) {
    unwind(*c.task.problem, *c.task.bounds, question.seed, candidate.x);
    candidate.distance = largest_motion(*c.task.problem, question.seed, candidate.x, c.task.bounds->length);
  }
  if (reached && c.task.max_change < __builtin_inf())
    candidate.reached = largest_motion(*c.task.problem, question.seed, candidate.x, 1.0) <= c.task.max_change;
  return candidate;
}

// Where joints may not move far, puts back those of a finalist that have.
template <template <class> class Residual>
inline bool bring_near(Conveyor& c, const Question& question, Candidate& finalist) {
  const ReachTask& task = c.task;
  if (!(task.max_change < __builtin_inf())) return false;
  if (!keep_near(*task.problem, question.seed, task.max_change, finalist.x)) return false;
  const Derivatives& d = c.rest.derivatives;
  look<Residual>(*task.problem, *task.bounds, *task.settings, broadcast_pose<double>(question.target), finalist.x, c.rest.derivatives);
  finalist.cost = d.cost;
  finalist.position2 = d.position2;
  finalist.rotation2 = d.rotation2;
  return true;
}

// Lets the finalists come to rest and takes the best of them for an answer; one may reach on the way.
template <template <class> class Residual>
inline ReachStatus conclude(Conveyor& c, Question& question) {
  const ReachTask& task = c.task;
  const SE3<double> target = broadcast_pose<double>(question.target);
  for (Candidate& finalist : question.finalists) {
    if (finalist.start < 0) continue;
    Rest rest;
    for (int turns = 0; turns < 4; ++turns) {
      rest = come_to_rest<Residual>(*task.problem, *task.bounds, *task.settings, target, finalist.x, c.rest);
      if (rest.reached || !unwind_held(*task.problem, *task.bounds, finalist.x)) break;
    }
    finalist.cost = rest.cost;
    finalist.position2 = rest.position2;
    finalist.rotation2 = rest.rotation2;
    finalist.iterations += rest.iterations - 1;
    if (bring_near<Residual>(c, question, finalist)) rest.reached = c.rest.derivatives.reached;
    if (!rest.reached && !is_lower(finalist, question.answer)) continue;
    copy_candidate(task.problem->nx, finalist, question.answer);
    if (rest.reached) return ReachStatus::kReached;
  }
  return is_out_of_workspace(task, question.row) ? ReachStatus::kOutOfWorkspace : ReachStatus::kNotFound;
}

// Closes a target whose starts have decided; an answer that reaches is drawn to the posture first.
template <template <class> class Residual>
inline void finish(Conveyor& c, int q, ReachStatus status) {
  const ReachTask& task = c.task;
  if (status == ReachStatus::kReached && task.posture_weight > 0.0) {
    Question& question = c.questions[q];
    Candidate& answer = question.answer;
    const SE3<double> target = broadcast_pose<double>(question.target);
    read_numbers(task, task.posture ? task.posture : task.seeds + question.row * task.seed_stride, c.rest.goal);
    approach<Residual>(*task.problem, *task.bounds, *task.settings, target, c.rest.goal, task.posture_weight, question.seed,
                       task.max_change, answer.x, c.rest);
    look<Residual>(*task.problem, *task.bounds, *task.settings, target, answer.x, c.rest.derivatives);
    answer.position2 = c.rest.derivatives.position2;
    answer.rotation2 = c.rest.derivatives.rotation2;
  }
  close(c, q, status);
}

// A lane's start has ended: by its result the target may be answered, or the point it began at was a saddle.
template <template <class> class Residual>
inline void settle(Conveyor& c, int l, const Progress& progress) {
  const auto [q, start, nudged] = c.lane[l];
  Question& question = c.questions[q];
  const Candidate& candidate = note(c, l, progress);
  if (candidate.rests && !candidate.reached && candidate.iterations == 1 && !nudged &&
      !is_minimum<Residual>(*c.task.problem, *c.task.bounds, *c.task.settings, broadcast_pose<double>(question.target), candidate.x, c.rest)) {
    nudge(*c.task.problem, *c.task.bounds, candidate.x, question.nudged);
    keep_locked(*c.task.problem, question.seed, question.nudged);
    return put_start(c, l, q, start, question.nudged, true);
  }
  question.settled |= Question::bit(start);
  release(c, l);
  switch (judge(question, c.task)) {
    case Verdict::kReached:
      return finish<Residual>(c, q, ReachStatus::kReached);
    case Verdict::kNotFound:
      return finish<Residual>(c, q, conclude<Residual>(c, question));
    case Verdict::kWaits:
      return;
  }
}

// Closes the targets whose time is over with the best that their starts have come to.
template <template <class> class Residual>
inline void expire(Conveyor& c, long long now, long long limit) {
  for (int q = 0; q < kReachLanes; ++q) {
    Question& question = c.questions[q];
    if (!question.open || now - question.opened < limit) continue;
    for (int l = 0; l < kReachLanes; ++l) {
      if (c.lane[l].question != q) continue;
      note(c, l, {});
      question.settled |= Question::bit(c.lane[l].start);
    }
    question.last = question.next;
    compare_group(question, c.task.problem->nx);
    for (Candidate& finalist : question.finalists) {
      if (finalist.start < 0) continue;
      bring_near<Residual>(c, question, finalist);
      if (is_lower(finalist, question.answer)) copy_candidate(c.task.problem->nx, finalist, question.answer);
    }
    close(c, q, ReachStatus::kDeadline);
    c.refill_at = c.steps;
  }
}

template <template <class> class Residual>
__attribute__((noinline)) void settle_lanes(Conveyor& c, const Progress& progress) {
  for (int done = progress.done & ~c.free; done; done &= done - 1) {
    const int l = __builtin_ctz(done);
    if (c.lane[l].question < 0) continue;  // its target was answered by a lane before it
    settle<Residual>(c, l, progress);
    c.refill_at = 0;
  }
}

// Up to `steps` iterations; true when all targets of the task are answered.
template <template <class> class Residual, class Chain>
inline bool advance(Conveyor& c, int steps, long long now) {
  const ReachTask& task = c.task;
  for (; steps > 0; --steps, ++c.steps) {
    if (c.free && c.steps >= c.refill_at) {
      c.refill_at = kNever;
      for (int l = 0; l < kReachLanes; ++l)
        if ((c.free >> l & 1) && !refill<Residual>(c, l, now)) break;
      if (c.free == kAllLanes) return true;
    }
    const auto reached = [&](int lanes) {
      settle_lanes<Residual>(c, {lanes, lanes, 0});
      return c.free == kAllLanes;
    };
    const Progress progress = iterate<Residual, Chain>(*task.problem, *task.bounds, *task.settings, c.lanes, reached);
    if (progress.done & ~c.free) settle_lanes<Residual>(c, progress);
  }
  return false;
}

inline void begin(void* memory, const ReachTask& task) {
  Conveyor& c = *static_cast<Conveyor*>(memory);
  c.task = task;
  c.lanes.most_iterations = P(double(task.settings->max_iterations));
  for (auto& lane : c.lane) lane = {-1, -1, false};
  for (Question& question : c.questions) question.open = false;
  c.free = kAllLanes;
  c.next_row = task.range.first;
  c.steps = c.refill_at = 0;
}

}  // namespace pantin::PANTIN_ISA
