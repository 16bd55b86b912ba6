// One open target: its starts, what they came to, and which of them is the answer.
//
// The answer does not depend on what else is solved at the time, nor in which order the starts end:
//   - start 0 is the seed; where it reaches, it is the answer;
//   - then starts are compared in groups of `kGroup`: of those that reach, the one nearest to the seed is the
//     answer, and a group without any is followed by the next;
//   - without a seed there is no start 0, and the first start that reaches is the answer;
//   - where all starts end without reaching, the seed's and the few with the smallest errors come to rest, and the
//     one with the smallest error then is the answer.
#pragma once

#include "pantin/solve/starts.hpp"

namespace pantin::PANTIN_ISA {

inline constexpr int kGroup = 3;
inline constexpr int kWindow = 16;        // starts under way or waiting to be compared
inline constexpr int kFinalists = 8;       // starts that come to rest where none reaches, the seed's included
inline constexpr double kNoLower = 1e-9;  // part by which an error has to be lower to be preferred

// Where a start ended.
struct Candidate {
  double* x;
  double cost, position2, rotation2, distance;
  int start, iterations;  // start: -1 for none
  bool reached, rests;
};

// Whether the error of one is lower than that of another that came before it.
inline bool is_lower(const Candidate& later, const Candidate& best) {
  return best.start < 0 || later.cost < best.cost * (1.0 - kNoLower);
}

struct Question {
  bool open, rated;
  std::size_t row;
  long long opened;       // ns
  long opened_at;         // iteration of the conveyor
  int next, first, last;  // start to hand out next; the group under comparison
  unsigned settled;       // bit start % kWindow: has ended
  double target[12];      // as the last joint would have it
  double *seed, *nudged;
  P rating[kAtlasPacks];  // of the atlas, once a second start is asked for
  Candidate window[kWindow];
  Candidate answer;                 // the nearest that reaches; at the end the best of the finalists
  Candidate finalists[kFinalists];  // the seed's, then others by their errors

  Candidate& at(int start) { return window[start % kWindow]; }
  static unsigned bit(int start) { return 1u << (start % kWindow); }
};

// Numbers of x of a configuration, within limits.
inline void read_numbers(const ReachTask& task, const double* q, double* x) {
  const ReachProblem& problem = *task.problem;
  for (int i = 0; i < problem.nvariables; ++i) {
    const Joint& joint = problem.variables[i];
    double norm2 = 0.0;
    for (int k = joint.q; k < joint.q + joint.nq; ++k) {
      x[k] = problem.sign[k] * q[problem.entry[k]];
      norm2 += x[k] * x[k];
    }
    if (joint.nq == 1)
      x[joint.q] = clamp(x[joint.q], task.bounds->lower[joint.q], task.bounds->upper[joint.q]);
    else if (abs(norm2 - 1.0) > 1e-14)
      for (int k = joint.q; k < joint.q + joint.nq; ++k) x[k] /= sqrt(norm2);
  }
}

// A target for the last joint's orientation at the tip, instead of the frame's, where the mode compares these.
inline void move_to_tip(const ReachProblem& problem, const double* target, double* moved) {
  const double* const tip = problem.tip;
  if (problem.mode != ReachMode::kPose && problem.mode != ReachMode::kOrientation) {
    for (int k = 0; k < 12; ++k) moved[k] = target[k];
    return;
  }
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      moved[3 * i + j] =
          target[3 * i] * tip[3 * j] + target[3 * i + 1] * tip[3 * j + 1] + target[3 * i + 2] * tip[3 * j + 2];
  for (int k = 9; k < 12; ++k) moved[k] = target[k];
}

// Number of a target's first start, and of the one after its last.
inline int first_start(const ReachTask& task) { return task.seeded ? 0 : 1; }
inline int end_start(const ReachTask& task) { return first_start(task) + task.settings->max_starts; }

inline void open_question(Question& question, const ReachTask& task, std::size_t row, long long now, long step) {
  question.open = true;
  question.rated = false;
  question.row = row;
  question.opened = now;
  question.opened_at = step;
  question.next = question.first = first_start(task);
  question.last = question.first + 1;
  question.settled = 0;
  question.answer.start = -1;
  for (Candidate& finalist : question.finalists) finalist.start = -1;
  read_numbers(task, task.seeds + row * task.seed_stride, question.seed);
  move_to_tip(*task.problem, task.targets + 12 * row, question.target);
}

// Numbers that a start begins with; locked ones are the seed's.
template <template <class> class Residual>
inline const double* first_numbers(Question& question, const ReachTask& task, int start) {
  if (start == 0) return question.seed;
  const ReachProblem& problem = *task.problem;
  int index = kAtlas + start;
  if (!question.rated)
    index = rate_atlas<Residual>(problem, *task.bounds, question.target, question.rating);
  else if (start <= kRanked)
    index = take_best(question.rating);
  question.rated = true;
  double* const x = question.at(start).x;
  spread_start(problem, *task.bounds, index, x);
  keep_locked(*task.problem, question.seed, x);
  return x;
}

// True where no configuration brings the frame's point as far as the target.
inline bool is_out_of_workspace(const ReachTask& task, std::size_t row) {
  if (!asks_position(*task.problem)) return false;
  const Vec3<double> p = load3(task.targets + 12 * row + 9) - load3(task.problem->base.p);
  double tolerance = task.settings->position_tolerance;
  if (task.problem->mode == ReachMode::kWeighted)
    for (int i = 0; i < 3; ++i) tolerance = max(tolerance, 1.0 / task.problem->per_tolerance[i]);
  return sqrt(dot(p, p)) > task.bounds->reach + tolerance;
}

inline void copy_candidate(int nx, const Candidate& from, Candidate& to) {
  double* const x = to.x;
  for (int k = 0; k < nx; ++k) x[k] = from.x[k];
  to = from;
  to.x = x;
}

// Keeps a start that has not reached, if it is among the best; those it displaces move on.
inline void keep_finalist(Question& question, int nx, const Candidate& candidate) {
  Candidate* const finalists = question.finalists;
  if (candidate.start == 0) return copy_candidate(nx, candidate, finalists[0]);
  int place = kFinalists;
  while (place > 1 && is_lower(candidate, finalists[place - 1])) --place;
  if (place == kFinalists) return;
  double* const spare = finalists[kFinalists - 1].x;
  for (int k = kFinalists - 1; k > place; --k) finalists[k] = finalists[k - 1];
  finalists[place].x = spare;
  copy_candidate(nx, candidate, finalists[place]);
}

// Takes the ended starts of the group into the comparison, in their order.
inline void compare_group(Question& question, int nx) {
  for (int s = question.first; s < question.last; ++s) {
    if (!(question.settled & Question::bit(s))) continue;
    question.settled &= ~Question::bit(s);
    const Candidate& candidate = question.at(s);
    if (!candidate.reached)
      keep_finalist(question, nx, candidate);
    else if (question.answer.start < 0 || (candidate.start > 0 && candidate.distance < question.answer.distance))
      copy_candidate(nx, candidate, question.answer);
  }
}

enum class Verdict { kWaits, kReached, kNotFound };

// Compares the groups that have ended, and opens the next one where that decides nothing.
inline Verdict judge(Question& question, const ReachTask& task) {
  const int end = end_start(task), group = task.seeded ? kGroup : 1;
  while (true) {
    for (int s = question.first; s < question.last; ++s)
      if (!(question.settled & Question::bit(s))) return Verdict::kWaits;
    compare_group(question, task.problem->nx);
    if (question.answer.start >= 0) return Verdict::kReached;
    if (question.last == end) return Verdict::kNotFound;
    question.first = question.last;
    question.last = question.last + group < end ? question.last + group : end;
  }
}

inline void write_answer(Question& question, const ReachTask& task, ReachStatus status) {
  const ReachProblem& problem = *task.problem;
  const Candidate& best = question.answer;
  if (best.start > 0) unwind(problem, *task.bounds, question.seed, best.x);
  double* const out = task.q + question.row * problem.nq;
  const double* const seed = task.seeds + question.row * task.seed_stride;
  for (int k = 0; k < problem.nq; ++k) out[k] = seed[k];
  for (int k = 0; k < problem.nx; ++k) out[problem.entry[k]] = problem.sign[k] * best.x[k];
  task.answers[question.row] = {
      .position_error = sqrt(best.position2),
      .rotation_error = sqrt(best.rotation2),
      .seed_distance = largest_motion(problem, question.seed, best.x, 1.0),
      .status = static_cast<int>(status),
      .iterations = best.iterations,
      .starts = question.last - first_start(task),
  };
  question.open = false;
}

}  // namespace pantin::PANTIN_ISA
