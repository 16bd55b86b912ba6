#include "reach_chain.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "pantin/kernels/table.hpp"

namespace pantin {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kLengthPerRadian = 0.35;  // part of the chain's length that weighs as much as a radian
constexpr double kFar = 1e10;  // a limit beyond counts as none: URDF writes the largest double, or 1e20
constexpr Placement kIdentity = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}, Turn::kNone};

Placement operator*(const Placement& a, const Placement& b) {
  Placement product = a;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      product.R[3 * i + j] = 0.0;
      for (int k = 0; k < 3; ++k) product.R[3 * i + j] += a.R[3 * i + k] * b.R[3 * k + j];
    }
    for (int k = 0; k < 3; ++k) product.p[i] += a.R[3 * i + k] * b.p[k];
  }
  return product;
}

Placement inverse(const Placement& a) {
  Placement result{};
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) {
      result.R[3 * i + k] = a.R[3 * k + i];
      result.p[i] -= a.R[3 * k + i] * a.p[k];
    }
  return result;
}

double norm(const double* p) { return std::sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]); }

// A rotation that takes z to the axis of a joint.
Placement turn_to_axis(const Joint& joint) {
  if (joint.axis_kind == Axis::kX) return {{0, 0, 1, 1, 0, 0, 0, 1, 0}, {0, 0, 0}, Turn::kAny};
  if (joint.axis_kind == Axis::kY) return {{0, 1, 0, 0, 0, 1, 1, 0, 0}, {0, 0, 0}, Turn::kAny};
  if (joint.axis_kind == Axis::kZ) return kIdentity;
  const double* const a = joint.axis;
  int small = 0;
  for (int k = 1; k < 3; ++k)
    if (std::abs(a[k]) < std::abs(a[small])) small = k;
  double x[3], y[3];
  for (int k = 0; k < 3; ++k) x[k] = (k == small ? 1.0 : 0.0) - a[small] * a[k];
  const double length = norm(x);
  for (double& component : x) component /= length;
  for (int k = 0; k < 3; ++k) y[k] = a[(k + 1) % 3] * x[(k + 2) % 3] - a[(k + 2) % 3] * x[(k + 1) % 3];
  return {{x[0], y[0], a[0], x[1], y[1], a[1], x[2], y[2], a[2]}, {0, 0, 0}, Turn::kAny};
}

bool is_level(const Placement& placement) { return std::equal(placement.R, placement.R + 9, kIdentity.R); }

bool can_be_limited(JointKind kind) {
  return kind == JointKind::kRevolute || kind == JointKind::kPrismatic || kind == JointKind::kHelical;
}

// Limits of one number, infinite where it has none.
struct Interval {
  double lower, upper;
  double farthest() const { return std::max(std::abs(lower), std::abs(upper)); }
  double middle() const {
    if (std::isinf(lower) || std::isinf(upper)) return std::clamp(0.0, lower, upper);
    return lower + 0.5 * (upper - lower);
  }
};
Interval interval(double lower, double upper) {
  return {lower < -kFar ? -kInfinity : lower, upper > kFar ? kInfinity : upper};
}

}  // namespace

// A hinge, slide, screw, continuous hinge or ball that a joint consists of.
struct ReachChain::Part {
  Joint joint;   // `q` is its first entry in the model's configuration
  double sign;   // of its numbers in x
  int master = -1;  // entry that a mimic follows

  // The parts of a joint in the order the chain meets them; `backwards` from its moving side.
  static std::vector<Part> of(const Joint& joint, bool backwards) {
    std::vector<Part> parts;
    const auto add = [&](JointKind kind, int offset, Axis axis) {
      Part part{joint, backwards ? -1.0 : 1.0};
      part.joint.kind = kind;
      part.joint.q += offset;
      part.joint.nq = configuration_size(kind);
      part.joint.nv = velocity_size(kind);
      part.joint.axis_kind = axis;
      parts.push_back(part);
    };
    switch (joint.kind) {
      case JointKind::kPlanar:
        add(JointKind::kPrismatic, 0, Axis::kX);
        add(JointKind::kPrismatic, 1, Axis::kY);
        add(JointKind::kContinuous, 2, Axis::kZ);
        break;
      case JointKind::kFreeFlyer:
        for (int k = 0; k < 3; ++k) add(JointKind::kPrismatic, k, static_cast<Axis>(k));
        add(JointKind::kSpherical, 3, Axis::kZ);
        break;
      case JointKind::kSpherical:
        add(joint.kind, 0, Axis::kZ);
        break;
      default:
        add(joint.kind, 0, joint.axis_kind);
        parts.back().look_along_axis();
    }
    if (backwards) std::reverse(parts.begin(), parts.end());
    return parts;
  }

  // An axis against x, y or z is that axis with the other sign.
  void look_along_axis() {
    for (int k = 0; k < 3; ++k)
      if (joint.axis[k] == -1.0 && joint.axis[(k + 1) % 3] == 0.0 && joint.axis[(k + 2) % 3] == 0.0) {
        joint.axis_kind = static_cast<Axis>(k);
        sign = -sign;
      }
  }
};

ReachChain::ReachChain(const CompiledTree& tree, int frame, int root, ReachMode mode, std::uint64_t random_seed)
    : model_(tree.view().joints, tree.view().joints + tree.view().njoints), x_of_entry_(tree.view().nq, -1) {
  const Tree& t = tree.view();
  std::vector<int> up = tree.path(t.frames[root].joint), down = tree.path(t.frames[frame].joint);
  std::size_t shared = 0;
  while (shared < up.size() && shared < down.size() && up[shared] == down[shared]) ++shared;
  up.erase(up.begin(), up.begin() + shared);
  down.erase(down.begin(), down.begin() + shared);
  std::reverse(up.begin(), up.end());

  // the joints' own numbers first, then those of masters elsewhere
  for (int i : up)
    for (const Part& part : Part::of(model_[i], true)) add_variable(part);
  for (int i : down)
    for (const Part& part : Part::of(model_[i], false)) add_variable(part);
  for (const auto* way : {&up, &down})
    for (int i : *way)
      for (const Joint& master : model_)
        if (model_[i].mimic && !master.mimic && master.nq > 0 && master.q == model_[i].q)
          add_variable(Part{master, 1.0});
  if (variables_.empty()) throw std::invalid_argument("no joint moves the frame");

  Placement pending = inverse(t.frames[root].placement);
  for (int i : up) {
    for (const Part& part : Part::of(model_[i], true)) add_link(part, pending);
    pending = pending * inverse(model_[i].placement);
  }
  for (int i : down) {
    pending = pending * model_[i].placement;
    for (const Part& part : Part::of(model_[i], false)) add_link(part, pending);
  }
  links_.back().next = pending * t.frames[frame].placement;
  for (const ReachLink& link : links_) segments_.push_back(norm(link.next.p));
  simplify_ways();
  is_length_ = std::make_unique<bool[]>(x_of_unknown_.size());
  winds_ = std::make_unique<bool[]>(variables_.size());
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    const Joint& variable = variables_[i];
    is_length_[variable.v] = variable.kind == JointKind::kPrismatic;
    winds_[i] = variable.kind == JointKind::kRevolute &&
                std::none_of(links_.begin(), links_.end(), [&](const ReachLink& link) {
                  return link.joint.mimic && link.joint.q == variable.q;
                });
  }
  spread(random_seed);

  problem_.mode = mode;
  problem_.nlinks = int(links_.size());
  problem_.nvariables = int(variables_.size());
  problem_.nx = int(entry_.size());
  problem_.nv = int(x_of_unknown_.size());
  problem_.links = links_.data();
  problem_.variables = variables_.data();
  problem_.winds = winds_.get();
  problem_.x_of_unknown = x_of_unknown_.data();
  problem_.is_length = is_length_.get();
  problem_.nq = t.nq;
  problem_.entry = entry_.data();
  problem_.sign = sign_.data();
  problem_.stride = stride_.data();
  problem_.shift = shift_.data();
}

// Numbers in x for an independent part, unless it has them.
void ReachChain::add_variable(const Part& part) {
  if (part.joint.mimic || x_of_entry_[part.joint.q] >= 0) return;
  Joint variable = part.joint;
  const int x = int(entry_.size());
  for (int k = 0; k < variable.nq; ++k) {
    x_of_entry_[part.joint.q + k] = x + k;
    entry_.push_back(part.joint.q + k);
    const bool cosine = k + 1 == variable.nq && variable.kind == JointKind::kSpherical;
    const bool real = k == 0 && variable.kind == JointKind::kContinuous;
    sign_.push_back(cosine || real ? 1.0 : part.sign);
  }
  variable.q = x;
  variable.v = int(x_of_unknown_.size());
  for (int k = 0; k < variable.nv; ++k) x_of_unknown_.push_back(can_be_limited(variable.kind) ? x : -1);
  variables_.push_back(variable);
}

// One joint of the chain; `pending` is the way to it from the one before, and afterwards what its axis needs.
void ReachChain::add_link(const Part& part, Placement& pending) {
  ReachLink link{.joint = part.joint, .adds = false, .way = Way::kGeneral, .twist = ReachLink::Twist::kAny, .turn = 0.0,
                 .turn_sine = 0.0, .turn_cosine = 1.0, .d = 0.0, .a = 0.0, .twist_sine = 0.0, .twist_cosine = 1.0,
                 .next = kIdentity};
  Joint& joint = link.joint;
  const Placement turn = turn_to_axis(joint);
  joint.axis_kind = Axis::kZ;
  (links_.empty() ? problem_.base : links_.back().next) = pending * turn;
  pending = inverse(turn);

  joint.q = x_of_entry_[part.joint.q];
  for (const Joint& variable : variables_)
    if (variable.q == joint.q) joint.v = variable.v;
  if (joint.mimic) {
    // the follower's own direction, and its master's
    joint.multiplier *= part.sign * sign_[joint.q + (joint.master_continuous ? 1 : 0)];
    joint.offset *= part.sign;
  }
  for (const ReachLink& earlier : links_) link.adds |= earlier.joint.v == joint.v;
  links_.push_back(link);
}

// Ways between hinges as Denavit and Hartenberg 1955 write them,
//     C = Rz(turn) Tz(d) Tx(a) Rx(twist) Rz(rest) Tz(shift),
// where the hinge before takes the turn over and what follows the twist goes on to the next joint. Axes that are
// nearly parallel stay as they are: their common normal is far away.
void ReachChain::simplify_ways() {
  const auto is_axis = [](const Joint& joint) { return joint.kind != JointKind::kSpherical; };
  const auto is_hinge = [](const Joint& joint) {
    return joint.kind == JointKind::kRevolute || joint.kind == JointKind::kContinuous;
  };
  for (std::size_t i = 0; i + 1 < links_.size(); ++i) {
    ReachLink& link = links_[i];
    const double *const R = link.next.R, *const p = link.next.p;
    double sine = std::sqrt(R[2] * R[2] + R[5] * R[5]), cosine = R[8];
    const bool parallel = sine < 1e-15;
    link.way = is_level(link.next) ? Way::kShift : Way::kGeneral;
    if (!is_hinge(link.joint) || !is_axis(links_[i + 1].joint) || !(parallel || sine > 0.1)) continue;
    if (std::abs(cosine) < 1e-15) cosine = 0.0, sine = 1.0;
    if (parallel) cosine = cosine > 0.0 ? 1.0 : -1.0, sine = 0.0;

    const double along = std::sqrt(p[0] * p[0] + p[1] * p[1]);
    const double turn = !parallel ? std::atan2(R[2], -R[5]) : along > 1e-12 ? std::atan2(p[1], p[0]) : 0.0;
    const double s = std::sin(turn), c = std::cos(turn);
    const double across = c * p[1] - s * p[0];
    const double rest = !parallel ? std::atan2(R[6], R[7])
                                  : cosine > 0.0 ? std::atan2(R[3], R[0]) - turn : turn - std::atan2(R[3], R[0]);
    const double shift = parallel ? 0.0 : -across / sine;
    link.way = Way::kDenavit;
    link.twist = cosine == 0.0 ? ReachLink::Twist::kQuarter : cosine == 1.0 ? ReachLink::Twist::kNone : cosine == -1.0 ? ReachLink::Twist::kHalf : ReachLink::Twist::kAny;
    link.turn = turn, link.turn_sine = s, link.turn_cosine = c;
    link.a = c * p[0] + s * p[1];
    link.d = p[2] - shift * cosine;
    link.twist_sine = sine, link.twist_cosine = cosine;
    const double rs = std::sin(rest), rc = std::cos(rest);
    links_[i + 1].next = Placement{{rc, -rs, 0, rs, rc, 0, 0, 0, 1}, {0, 0, shift}, Turn::kZ} * links_[i + 1].next;
  }
  std::copy_n(links_.back().next.R, 9, problem_.tip);
  links_.back().way = Way::kShift;
}

// Strides and shifts of the low-discrepancy starts: powers of the root of x^(n + 1) = x + 1 (Roberts 2018),
// and random numbers by splitmix64 (Steele, Lea, Flood 2014).
void ReachChain::spread(std::uint64_t random_seed) {
  const std::size_t n = x_of_unknown_.size();
  double root = 2.0;
  for (int i = 0; i < 64; ++i) root = std::pow(1.0 + root, 1.0 / (double(n) + 1.0));
  double power = 1.0;
  for (std::size_t k = 0; k < n; ++k) {
    power /= root;
    stride_.push_back(power);
    std::uint64_t z = random_seed += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    shift_.push_back(double((z ^ (z >> 31)) >> 11) * 0x1p-53);
  }
}

bool ReachLimits::are(const double* lower, const double* upper) const {
  return std::equal(model_lower_.begin(), model_lower_.end(), lower) &&
         std::equal(model_upper_.begin(), model_upper_.end(), upper);
}

std::shared_ptr<const ReachLimits> ReachChain::limits(const double* lower, const double* upper, bool free) const {
  const auto result = std::make_shared<ReachLimits>();
  ReachLimits& limits = *result;
  limits.model_lower_.assign(lower, lower + problem_.nq);
  limits.model_upper_.assign(upper, upper + problem_.nq);
  limits.model_middle_.assign(problem_.nq, 0.0);
  const auto take = [&](int entry) {
    const Interval range = interval(lower[entry], upper[entry]);
    if (!(range.lower <= range.upper) && limits.contradiction_ < 0) limits.contradiction_ = entry;
    else limits.model_middle_[entry] = range.middle();
  };
  for (const Joint& joint : model_) {
    if (joint.mimic || joint.nq == 0) continue;
    const int unit = joint.kind == JointKind::kContinuous ? 0 : joint.kind == JointKind::kPlanar ? 2
                   : joint.kind == JointKind::kSpherical ? 3 : joint.kind == JointKind::kFreeFlyer ? 6 : -1;
    const int limited = can_be_limited(joint.kind) ? 1 : joint.kind == JointKind::kPlanar ? 2
                      : joint.kind == JointKind::kFreeFlyer ? 3 : 0;
    for (int k = 0; k < limited; ++k) take(joint.q + k);
    if (unit >= 0) limits.model_middle_[joint.q + unit] = 1.0;
  }
  limits.lower_.assign(problem_.nx, -kInfinity);
  limits.upper_.assign(problem_.nx, kInfinity);
  for (int k = 0; k < problem_.nx; ++k) limits.middle_.push_back(problem_.sign[k] * limits.model_middle_[entry_[k]]);
  for (int x : x_of_unknown_) {
    if (x < 0 || free) continue;
    const Interval range = interval(lower[entry_[x]], upper[entry_[x]]);
    limits.lower_[x] = sign_[x] > 0 ? range.lower : -range.upper;
    limits.upper_[x] = sign_[x] > 0 ? range.upper : -range.lower;
  }
  measure(limits);
  const ReachKernels& reach = kernels().reach;
  limits.atlas_ = aligned_scratch(reach.atlas_bytes);
  reach.make_atlas(problem_, limits.bounds_, limits.atlas_.get(), aligned_scratch(reach.state_bytes(problem_)).get());
  limits.bounds_.atlas = limits.atlas_.get();
  return result;
}

// How long the chain is, and how far from its base it can reach at most.
void ReachChain::measure(ReachLimits& limits) const {
  double length = 0.0, slides = 0.0;
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const Joint& joint = links_[i].joint;
    length += segments_[i];
    const double advance = joint.kind == JointKind::kPrismatic ? 1.0
                         : joint.kind == JointKind::kHelical ? std::abs(joint.pitch) : 0.0;
    if (advance == 0.0) continue;
    double farthest = joint.mimic && joint.master_continuous
                          ? std::numbers::pi
                          : Interval{limits.lower_[joint.q], limits.upper_[joint.q]}.farthest();
    if (joint.mimic) farthest = std::abs(joint.multiplier) * farthest + std::abs(joint.offset);
    slides += advance * farthest;
  }
  const double span = length > 0.0 ? length : 1.0;
  limits.bounds_ = {limits.lower_.data(), limits.upper_.data(), limits.middle_.data(), kLengthPerRadian * span, span,
                    length + slides, nullptr};
}

}  // namespace pantin
