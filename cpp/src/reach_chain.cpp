#include "reach_chain.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "joint_parts.hpp"
#include "spread.hpp"

namespace pantin {

namespace {

bool is_identity(const Rotation& R) {
  return R.x.x == 1.0 && R.y.y == 1.0 && R.z.z == 1.0 && R.x.y == 0.0 && R.x.z == 0.0 && R.y.x == 0.0 &&
         R.y.z == 0.0 && R.z.x == 0.0 && R.z.y == 0.0;
}

}  // namespace

ReachChain::ReachChain(const CompiledTree& tree, const ReachQuestion& question)
    : model_(tree.view().joints, tree.view().joints + tree.view().njoints), x_of_entry_(tree.view().nq, -1) {
  const Tree& t = tree.view();
  const int frame = question.frame, root = question.root;
  std::vector<int> up = tree.path(t.frames[root].joint), down = tree.path(t.frames[frame].joint);
  std::size_t shared = 0;
  while (shared < up.size() && shared < down.size() && up[shared] == down[shared]) ++shared;
  up.erase(up.begin(), up.begin() + shared);
  down.erase(down.begin(), down.begin() + shared);
  std::reverse(up.begin(), up.end());

  // the joints' own numbers first, then those of masters elsewhere
  for (int i : up)
    for (const JointPart& part : parts_of(model_[i], true)) add_variable(part);
  for (int i : down)
    for (const JointPart& part : parts_of(model_[i], false)) add_variable(part);
  for (const auto* way : {&up, &down})
    for (int i : *way)
      for (const Joint& master : model_)
        if (model_[i].mimic && !master.mimic && master.nq > 0 && master.q == model_[i].q)
          add_variable(JointPart{master, axis_of(master), 1.0});
  if (variables_.empty()) throw std::invalid_argument("no joint moves the frame");

  Rigid pending = inverse(rigid_of(t.frames[root].placement));
  for (int i : up) {
    for (const JointPart& part : parts_of(model_[i], true)) add_link(part, pending);
    pending = pending * inverse(rigid_of(model_[i].placement));
  }
  for (int i : down) {
    pending = pending * rigid_of(model_[i].placement);
    for (const JointPart& part : parts_of(model_[i], false)) add_link(part, pending);
  }
  ways_.push_back(pending * rigid_of(t.frames[frame].placement));
  for (std::size_t i = 1; i < ways_.size(); ++i) segments_.push_back(norm(ways_[i].p));
  describe_ways(rotation_of(question.tool));
  spread_starts(x_of_unknown_.size(), question.random_seed, stride_, shift_);
  if (!question.readiness.empty()) weigh(question.readiness);

  is_length_ = std::make_unique<bool[]>(x_of_unknown_.size());
  winds_ = std::make_unique<bool[]>(variables_.size());
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    const Joint& variable = variables_[i];
    const auto follows = [&](const ReachLink& link) { return link.joint.mimic && link.joint.q == variable.q; };
    is_length_[variable.v] = variable.kind == JointKind::kPrismatic;
    winds_[i] = variable.kind == JointKind::kRevolute && std::none_of(links_.begin(), links_.end(), follows);
  }

  problem_.mode = question.mode;
  std::copy_n(question.weights, 6, problem_.weights);
  std::copy_n(question.per_tolerance, 6, problem_.per_tolerance);
  problem_.in_tool = question.in_tool;
  problem_.locked = locked_.get();
  problem_.scale = scale_.empty() ? nullptr : scale_.data();
  problem_.hinges = hinges();
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
void ReachChain::add_variable(const JointPart& part) {
  if (part.joint.mimic || x_of_entry_[part.joint.q] >= 0) return;
  Joint variable = part.joint;
  const int x = int(entry_.size());
  for (int k = 0; k < variable.nq; ++k) {
    x_of_entry_[part.joint.q + k] = x + k;
    entry_.push_back(part.joint.q + k);
    // backwards, a quaternion and a (cos, sin) pair are conjugated
    const bool scalar =
        variable.kind == JointKind::kSpherical ? k == 3 : variable.kind == JointKind::kContinuous && k == 0;
    sign_.push_back(scalar ? 1.0 : part.sign);
  }
  variable.q = x;
  variable.v = int(x_of_unknown_.size());
  for (int k = 0; k < variable.nv; ++k) {
    x_of_unknown_.push_back(can_be_limited(variable.kind) ? x : -1);
    velocity_.push_back(part.joint.v + k);
  }
  variables_.push_back(variable);
}

// One joint of the chain, turned so that its axis is z; `pending` is the way to it from the one before, and
// afterwards what turns back.
void ReachChain::add_link(const JointPart& part, Rigid& pending) {
  ReachLink link{};
  link.joint = part.joint;
  link.turn_cosine = 1.0;
  Joint& joint = link.joint;
  joint.axis_kind = Axis::kZ;
  const Rigid turn{turn_to(part.axis), {}};
  ways_.push_back(pending * turn);
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
void ReachChain::describe_ways(const Rotation& tool) {
  for (std::size_t i = 0; i < links_.size(); ++i) {
    ReachLink& link = links_[i];
    const Rigid& way = ways_[i + 1];
    link.next = placement_of(way);
    link.way = is_identity(way.R) ? Way::kShift : Way::kGeneral;
    if (i + 1 == links_.size() || links_[i + 1].joint.kind == JointKind::kSpherical) continue;
    if (link.joint.kind != JointKind::kRevolute && link.joint.kind != JointKind::kContinuous) continue;
    const auto length = [](double x, double y) { return std::sqrt(x * x + y * y); };
    double sine = length(way.R.z.x, way.R.z.y), cosine = way.R.z.z;
    const bool parallel = sine < 1e-15, right = std::fabs(cosine) < 1e-15;
    if (!parallel && sine < 0.1) continue;
    if (parallel) cosine = cosine > 0.0 ? 1.0 : -1.0, sine = 0.0;
    if (right) cosine = 0.0, sine = 1.0;

    const Vec p = way.p;
    const double heading = std::atan2(way.R.x.y, way.R.x.x);
    double turn, rest, shift = 0.0;
    if (parallel) {
      turn = length(p.x, p.y) > 1e-12 ? std::atan2(p.y, p.x) : 0.0;
      rest = cosine * (heading - turn);
    } else {
      turn = std::atan2(way.R.z.x, -way.R.z.y);
      rest = std::atan2(way.R.x.z, way.R.y.z);
      shift = (std::sin(turn) * p.x - std::cos(turn) * p.y) / sine;
    }
    using Twist = ReachLink::Twist;
    link.way = Way::kDenavit;
    link.twist = right ? Twist::kQuarter : !parallel ? Twist::kAny : cosine > 0.0 ? Twist::kNone : Twist::kHalf;
    link.turn = turn;
    link.turn_sine = std::sin(turn);
    link.turn_cosine = std::cos(turn);
    link.a = link.turn_cosine * p.x + link.turn_sine * p.y;
    link.d = p.z - shift * cosine;
    link.twist_sine = sine;
    link.twist_cosine = cosine;
    ways_[i + 2] = Rigid{rotation_about({0, 0, 1}, rest), {0, 0, shift}} * ways_[i + 2];
  }
  // the last rotation is the target's business
  problem_.base = placement_of(ways_.front());
  store(ways_.back().R * tool, problem_.tip);
  links_.back().way = Way::kShift;
}

// Number of links where each is a hinge with an angle of its own that moves like the others; else 0.
int ReachChain::hinges() const {
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const Joint& joint = links_[i].joint;
    if (joint.kind != JointKind::kRevolute || joint.mimic || joint.q != int(i) || joint.v != int(i)) return 0;
  }
  const bool alone = links_.size() == variables_.size() && scale_.empty();
  return alone ? int(links_.size()) : 0;
}

// Which unknowns are locked, and by how much the others count as longer than the least ready.
void ReachChain::weigh(const std::vector<double>& readiness) {
  const std::size_t n = velocity_.size();
  double least = 1.0 / 0.0;
  for (int k : velocity_)
    if (readiness[k] > 0.0) least = std::min(least, readiness[k]);
  locked_ = std::make_unique<bool[]>(n);
  for (std::size_t k = 0; k < n; ++k) {
    const double ready = readiness[velocity_[k]];
    locked_[k] = ready == 0.0;
    scale_.push_back(locked_[k] ? 1.0 : std::sqrt(ready / least));
  }
}

}  // namespace pantin
