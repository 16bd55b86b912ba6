#include "closed_form.hpp"

#include <algorithm>
#include <cmath>

namespace pantin {

namespace {

constexpr double kPi = 3.14159265358979323846;

// Axes that miss each other by less than this, in units of the arm's size, meet; directions that differ by less,
// in radians, are one. The difference is polished away.
constexpr double kGeometry = 1e-5;

// Candidates farther from the pose than this are not worth polishing.
constexpr double kNear = 1e-2;

// Largest error of a solution: radians, and lengths in units of the arm's size.
constexpr double kReached = 1e-10;

// Of solutions that are one, the first counts if its error is below this: it has the angles of `rest`.
constexpr double kExact = 1e-13;

// Solutions nearer to each other than this, in radians, are one; at a singular pose two may be 1e-8 apart by rounding.
constexpr double kSame = 1e-6;

// Close to a singular pose, an error of kReached may be half this far from where there is none.
constexpr double kBlur = 0.05;

// Axes this near to parallel, in radians: the turn between them is free; free as far as can be told; and they lean
// which way rounding hides.
constexpr double kFree = 1e-10, kAligned = 1e-7, kLeaning = 1e-5;

// Polishing moves an angle by less than this, unless the pose is close to a singular one.
constexpr double kFold = 1e-4;

using Candidates = Few<SixAngles, 64>;

double wrapped(double angle) {
  const double turn = std::remainder(angle, 2.0 * kPi);
  return turn <= -kPi ? kPi : turn;
}

bool same(const SixAngles& a, const SixAngles& b) {
  for (int i = 0; i < 6; ++i)
    if (std::fabs(wrapped(a[i] - b[i])) > kSame) return false;
  return true;
}

// Closed loop of six axes: the product of the six turns is `whole`.
struct Loop {
  SixAxes axes;
  Rigid whole;
  SixAngles rest;

  Vec to(int i) const { return axes.point[i] - axes.point[i - 1]; }
};

// Axes 4 to 6 meet in `centre`: three angles bring it to its place (subproblem 5, after Pieper 1968), which leaves a
// rotation to the other three.
Candidates spherical(const Loop& loop, Vec centre) {
  const auto& [h, p] = loop.axes;
  const SixAngles& rest = loop.rest;
  Candidates found;
  for (const auto& [q1, q2, q3] :
       subproblem5(-loop.to(1), -h[0], loop.whole * centre - p[0], h[1], loop.to(2), h[2], centre - p[2],
                   {rest[0], rest[1], rest[2]})) {
    const Rotation arm = rotation_about(h[0], q1) * rotation_about(h[1], q2) * rotation_about(h[2], q3);
    const Rotation wrist = transposed(arm) * loop.whole.R;
    for (const double q5 : subproblem4(h[3], h[5], h[4], dot(h[3], wrist * h[5]), rest[4])) {
      const double q4 = subproblem1(turned(h[4], q5, h[5]), wrist * h[5], h[3], rest[3]);
      const Rotation left = rotation_about(h[4], -q5) * rotation_about(h[3], -q4) * wrist;
      found.add({q1, q2, q3, q4, q5, angle_about(h[5], left)});
    }
  }
  return found;
}

// The angle t nearest to `rest` with |a - R(k, t) b| between two lengths; where `rest` does not serve, the middle of
// an interval that does, away from its singular ends.
double bearing_within(Vec a, Vec b, Vec k, double least, double most, double rest) {
  const double now = norm(a - turned(k, rest, b)), product = 2.0 * norm(a) * norm(b);
  if ((now > least && now < most) || product < 1e-12) return rest;
  const auto spread = [&](double length) {
    return std::acos(std::clamp((dot(a, a) + dot(b, b) - length * length) / product, -1.0, 1.0));
  };
  const double straight = subproblem1(b, a, k, 0.0), middle = 0.5 * (spread(least) + spread(most));
  const double above = straight + middle, below = straight - middle;
  return std::fabs(wrapped(above - rest)) <= std::fabs(wrapped(below - rest)) ? above : below;
}

// Axes 2 to 4 are parallel: along their direction k neither their turns nor their places show, which gives two
// equations in angles 1 and 5 (subproblem 6); then angle 6, and a planar arm of three joints.
Candidates three_parallel(const Loop& loop) {
  const auto& [h, p] = loop.axes;
  const SixAngles& rest = loop.rest;
  const Vec k = h[1], tip = loop.whole * p[5] - p[0], last = loop.whole.R * h[5];
  const double sign3 = dot(h[2], k) < 0.0 ? -1.0 : 1.0, sign4 = dot(h[3], k) < 0.0 ? -1.0 : 1.0;
  const Vec upper = loop.to(2), lower = loop.to(3);
  const auto flat = [k](Vec v) { return v - dot(k, v) * k; };

  const Term first[2] = {{k, tip}, {k, last}}, second[2] = {{-k, loop.to(5)}, {-k, h[5]}};
  const double d[2] = {dot(k, p[4] - p[0]), 0.0};
  Candidates found;
  for (const auto& [q1, q5] : subproblem6(first, -h[0], second, h[4], d, {rest[0], rest[4]})) {
    const Rotation back = rotation_about(h[0], -q1), wrist = rotation_about(h[4], q5);
    const Vec here = transposed(loop.whole.R) * (transposed(back) * k), there = transposed(wrist) * k;
    const Vec reach = flat(back * tip - loop.to(1)), hand = flat(loop.to(4) + wrist * loop.to(5));
    const auto bearing_of = [&](double q6) {
      return angle_about(k, back * loop.whole.R * rotation_about(h[5], -q6) * transposed(wrist));
    };
    Few<double, 4> sixth;
    const double tilt = norm(cross(h[5], here));
    if (tilt < kAligned) {
      // Axis 6 is parallel too, as far as can be told: its angle is free within the elbow's reach.
      const double shoulder = norm(flat(upper)), forearm = norm(flat(lower));
      const double bearing = bearing_within(reach, hand, k, std::fabs(shoulder - forearm), shoulder + forearm,
                                            bearing_of(rest[5]));
      sixth.add(angle_about(h[5], transposed(wrist) * rotation_about(k, -bearing) * back * loop.whole.R));
    }
    if (tilt > kFree) sixth.add(subproblem1(here, there, h[5], rest[5]));
    // Angle 5, from its cosine, hardly tells which way axis 6 leans: to either side of axis 5.
    if (tilt > kFree && tilt < kLeaning)
      for (const double side : {-1.0, 1.0})
        sixth.add(subproblem1((1.0 / tilt) * here, side * cross(h[4], h[5]), h[5], rest[5]));
    for (const double q6 : sixth) {
      const double bearing = bearing_of(q6);
      const Vec elbow = reach - turned(k, bearing, hand);
      for (const double q3 : subproblem3(flat(lower), -flat(upper), k, norm(elbow), sign3 * rest[2])) {
        const double q2 = subproblem1(flat(upper) + turned(k, q3, flat(lower)), elbow, k, rest[1]);
        found.add({q1, q2, sign3 * q3, sign4 * (bearing - q2 - q3), q5, q6});
      }
    }
  }
  return found;
}

// The loop that starts at joint `start`: E1 ... E6 = A is E(start) ... E6 (A^-1 E1 A) ... (A^-1 E(start-1) A) = A.
Loop started_at(int start, const SixAxes& axes, const Rigid& whole, const SixAngles& rest) {
  const Rigid back = inverse(whole);
  Loop loop{.axes = {}, .whole = whole, .rest = {}};
  for (int i = 0; i < 6; ++i) {
    const int joint = (start + i) % 6;
    const bool moved = joint < start;
    loop.axes.direction[i] = moved ? back.R * axes.direction[joint] : axes.direction[joint];
    loop.axes.point[i] = moved ? back * axes.point[joint] : axes.point[joint];
    loop.rest[i] = rest[joint];
  }
  return loop;
}

// Cholesky factor of a symmetric matrix, in its lower half; gives the least pivot.
double factorise(double (&M)[6][6]) {
  double least = M[0][0];
  for (int j = 0; j < 6; ++j) {
    for (int k = 0; k < j; ++k)
      for (int i = j; i < 6; ++i) M[i][j] -= M[i][k] * M[j][k];
    least = std::min(least, M[j][j]);
    if (!(M[j][j] > 0.0)) return least;
    const double scale = 1.0 / std::sqrt(M[j][j]);
    for (int i = j; i < 6; ++i) M[i][j] *= scale;
  }
  return least;
}

void substitute(const double (&L)[6][6], double (&b)[6]) {
  for (int i = 0; i < 6; ++i) {
    for (int k = 0; k < i; ++k) b[i] -= L[i][k] * b[k];
    b[i] /= L[i][i];
  }
  for (int i = 6; i-- > 0;) {
    for (int k = i + 1; k < 6; ++k) b[i] -= L[k][i] * b[k];
    b[i] /= L[i][i];
  }
}

// J J' + damping, for columns J.
void normal_matrix(const double (&J)[6][6], double damping, double (&M)[6][6]) {
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j <= i; ++j) {
      M[i][j] = i == j ? damping : 0.0;
      for (int k = 0; k < 6; ++k) M[i][j] += J[k][i] * J[k][j];
    }
}

}  // namespace

ClosedForm::ClosedForm(const CompiledTree& tree, int frame, int root) {
  if (!take_axes(tree, frame, root) || !moves_freely()) return;
  for (const int first : {3, 0, 2, 1})
    if (meet(first, centre_)) {
      kind_ = Kind::kSpherical;
      first_ = first;
      return;
    }
  for (const int first : {1, 2, 0, 3})
    if (parallel(first)) {
      kind_ = Kind::kParallel;
      first_ = first;
      return;
    }
}

// False unless exactly six joints that turn, each by its own angle, lead from the root to the frame.
bool ClosedForm::take_axes(const CompiledTree& compiled, int frame, int root) {
  const Tree& tree = compiled.view();
  std::vector<int> path = compiled.path(tree.frames[frame].joint);
  const std::vector<int> shared = compiled.path(tree.frames[root].joint);
  if (path.size() != shared.size() + 6 || !std::equal(shared.begin(), shared.end(), path.begin())) return false;
  path.erase(path.begin(), path.begin() + shared.size());
  Rigid place = inverse(rigid_of(tree.frames[root].placement));
  for (int i = 0; i < 6; ++i) {
    const Joint& joint = tree.joints[path[i]];
    if (joint.mimic || (joint.kind != JointKind::kRevolute && joint.kind != JointKind::kContinuous)) return false;
    place = place * rigid_of(joint.placement);
    const Vec axis{joint.axis[0], joint.axis[1], joint.axis[2]};
    axes_.direction[i] = place.R * ((1.0 / norm(axis)) * axis);
    axes_.point[i] = place.p;
  }
  frame_ = place * rigid_of(tree.frames[frame].placement);
  size_ = norm(frame_.p - axes_.point[0]);
  for (int i = 1; i < 6; ++i) size_ = std::max(size_, norm(axes_.point[i] - axes_.point[0]));
  if (!(size_ > 0.0)) return false;
  for (Vec& point : axes_.point) point = (1.0 / size_) * point;
  frame_.p = (1.0 / size_) * frame_.p;
  return true;
}

// Whether the frame has six freedoms somewhere; else targets have none or infinitely many solutions.
bool ClosedForm::moves_freely() const {
  for (const double step : {0.7, -1.1, 1.9}) {
    SixAngles angles;
    for (int i = 0; i < 6; ++i) angles[i] = step * (i + 1) + 0.3 * i * i;
    double J[6][6], M[6][6];
    displacement(angles, J);
    normal_matrix(J, 0.0, M);
    if (factorise(M) > 1e-8) return true;
  }
  return false;
}

// Whether three axes meet; `centre` is the point nearest to them, by least squares.
bool ClosedForm::meet(int first, Vec& centre) const {
  Rotation M{{}, {}, {}};  // sum of 1 - h h', which takes the centre to the sum of (1 - h h') p
  Vec b;
  for (int i = first; i < first + 3; ++i) {
    const Vec h = axes_.direction[i], p = axes_.point[i];
    M = {M.x + Vec{1.0, 0.0, 0.0} - h.x * h, M.y + Vec{0.0, 1.0, 0.0} - h.y * h, M.z + Vec{0.0, 0.0, 1.0} - h.z * h};
    b = b + p - dot(h, p) * h;
    if (i > first && norm(cross(axes_.direction[i - 1], h)) < kGeometry) return false;
  }
  const double det = dot(M.x, cross(M.y, M.z));
  centre = (1.0 / det) * Vec{dot(b, cross(M.y, M.z)), dot(M.x, cross(b, M.z)), dot(M.x, cross(M.y, b))};
  return std::all_of(axes_.direction + first, axes_.direction + first + 3, [&](const Vec& h) {
    return norm(cross(h, centre - axes_.point[&h - axes_.direction])) < kGeometry;
  });
}

bool ClosedForm::parallel(int first) const {
  const Vec* const h = axes_.direction + first;
  return norm(cross(h[0], h[1])) < kGeometry && norm(cross(h[0], h[2])) < kGeometry;
}

// Product of the six turns; the Jacobian's columns are those of the frame, linear then angular, in the world.
Rigid ClosedForm::displacement(const SixAngles& angles, double (*jacobian)[6]) const {
  Rigid whole;
  Vec direction[6], point[6];
  for (int i = 0; i < 6; ++i) {
    const Vec h = axes_.direction[i], p = axes_.point[i];
    direction[i] = whole.R * h;
    point[i] = whole * p;
    whole.R = whole.R * rotation_about(h, angles[i]);
    whole.p = point[i] - whole.R * p;
  }
  if (jacobian) {
    const Vec end = whole * frame_.p;
    for (int i = 0; i < 6; ++i) {
      const Vec w = direction[i], v = cross(w, end - point[i]);
      const double column[6] = {v.x, v.y, v.z, w.x, w.y, w.z};
      std::copy_n(column, 6, jacobian[i]);
    }
  }
  return whole;
}

// Length of what is missing at the frame, linear then angular (by its sine, and 2 beyond a quarter turn).
double ClosedForm::error(const Rigid& reached, const Rigid& wanted, double* parts) const {
  const Rotation turn = wanted.R * transposed(reached.R);
  const Vec v = wanted * frame_.p - reached * frame_.p, w = 0.5 * twist_of(turn);
  const double both[6] = {v.x, v.y, v.z, w.x, w.y, w.z};
  std::copy_n(both, 6, parts);
  return turn.x.x + turn.y.y + turn.z.z < 1.0 ? 2.0 : std::sqrt(dot(v, v) + dot(w, w));
}

// A place on the way of an iteration, with what is missing there.
struct ClosedForm::Place {
  Solution at;
  double J[6][6], missing[6];

  Place(const ClosedForm& form, const Rigid& wanted, const SixAngles& angles) : at{angles, 0.0} {
    at.error = form.error(form.displacement(angles, J), wanted, missing);
  }

  // Damped Gauss-Newton step, at most `longest` long.
  SixAngles after_step(double damping, double longest) const {
    double M[6][6], y[6], step[6] = {}, square = 0.0;
    normal_matrix(J, damping, M);
    SixAngles angles = at.angles;
    if (!(factorise(M) > 0.0)) return angles;
    std::copy_n(missing, 6, y);
    substitute(M, y);
    for (int i = 0; i < 6; ++i) {
      for (int k = 0; k < 6; ++k) step[i] += J[i][k] * y[k];
      square += step[i] * step[i];
    }
    const double scale = square > longest * longest ? longest / std::sqrt(square) : 1.0;
    for (int i = 0; i < 6; ++i) angles[i] += scale * step[i];
    return angles;
  }
};

// Newton's steps, damped so little that only a singular pose notices; false where they do not reach.
bool ClosedForm::polish(const Rigid& wanted, Solution& solution) const {
  // A pose 1e-7 from a singular one notices, too, and may need the finest damping that rounding leaves.
  return descend(wanted, 1e-13, solution) || descend(wanted, 1e-16, solution);
}

// The error may grow for a while: near a singular pose, steps that only descend would crawl along a bent valley.
bool ClosedForm::descend(const Rigid& wanted, double damping, Solution& solution) const {
  constexpr double exact = 2e-15, longest = 0.2;
  Place best(*this, wanted, solution.angles), here = best;
  for (int round = 0; round < 12 && best.at.error > exact && best.at.error < kNear; ++round) {
    here = Place(*this, wanted, here.after_step(damping, longest));
    const bool slow = here.at.error > 0.5 * best.at.error;
    if (here.at.error < best.at.error) best = here;
    if (slow && best.at.error < kReached) break;
  }
  solution = best.at;
  return solution.error < kReached;
}

// Whether two solutions are one that a pose close to singular blurs: halfway between them the error is no larger.
bool ClosedForm::blurred(const Rigid& wanted, const Solution& one, const Solution& other) const {
  SixAngles middle;
  double apart = 0.0, moved = 0.0;
  for (int i = 0; i < 6; ++i) {
    const double half = 0.5 * wrapped(other.angles[i] - one.angles[i]);
    if (std::fabs(half) > kBlur) return false;
    middle[i] = one.angles[i] + half;
    apart += half * half;
  }
  // Damped so much that steps follow the bends of the direction that blurs, and do not go along it to either end.
  Place between(*this, wanted, middle);
  for (int round = 0; round < 3; ++round) between = Place(*this, wanted, between.after_step(1e-10, kBlur));
  for (int i = 0; i < 6; ++i) moved += (between.at.angles[i] - middle[i]) * (between.at.angles[i] - middle[i]);
  return moved < 0.25 * apart && between.at.error <= 2.0 * (one.error + other.error);
}

std::vector<SixAngles> ClosedForm::solve(Rigid pose, const SixAngles& rest) const {
  std::vector<SixAngles> angles;
  if (kind_ == Kind::kNone) return angles;
  pose = {nearest_rotation(pose.R), (1.0 / size_) * pose.p};
  const Rigid wanted = pose * inverse(frame_);
  const int start = (first_ + (kind_ == Kind::kSpherical ? 3 : 5)) % 6;
  const Loop loop = started_at(start, axes_, wanted, rest);
  const Vec centre = start > 0 ? inverse(wanted) * centre_ : centre_;

  std::vector<Solution> solutions;
  const auto keep = [&](Solution found) {
    for (double& angle : found.angles) angle = wrapped(angle);
    for (Solution& other : solutions)
      if (same(found.angles, other.angles) || blurred(wanted, found, other)) {
        if (found.error < other.error && other.error > kExact) other = found;
        return;
      }
    solutions.push_back(found);
  };
  for (const SixAngles& candidate : kind_ == Kind::kSpherical ? spherical(loop, centre) : three_parallel(loop)) {
    Solution found{};
    for (int i = 0; i < 6; ++i) found.angles[(start + i) % 6] = candidate[i];
    const SixAngles from = found.angles;
    if (!polish(wanted, found)) continue;
    keep(found);
    // A long way, from an arm that is not exact, leads away from a fold, and another solution lies across it.
    Solution across{};
    double moved = 0.0;
    for (int i = 0; i < 6; ++i) {
      across.angles[i] = 2.0 * from[i] - found.angles[i];
      moved = std::max(moved, std::fabs(found.angles[i] - from[i]));
    }
    if (moved > kFold && polish(wanted, across)) keep(across);
  }
  for (const Solution& solution : solutions) angles.push_back(solution.angles);
  return angles;
}

}  // namespace pantin
