#include "compiled_tree.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

namespace pantin {

namespace {

void require(bool holds, const char* what) {
  if (!holds) throw std::invalid_argument(what);
}

// The axis k that R turns about, by its exact zeros and ones: [c -s; s c] in the rows and columns after k.
Turn turn_of(const double* R) {
  constexpr double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  if (std::equal(identity, identity + 9, R)) return Turn::kNone;
  for (int k = 0; k < 3; ++k) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    const auto entry = [R](int row, int column) { return R[3 * row + column]; };
    if (entry(k, k) == 1 && entry(k, i) == 0 && entry(k, j) == 0 && entry(i, k) == 0 && entry(j, k) == 0 &&
        entry(i, i) == entry(j, j) && entry(j, i) == -entry(i, j))
      return static_cast<Turn>(k);
  }
  return Turn::kAny;
}

Placement placement_at(const std::vector<double>& numbers, std::size_t i) {
  Placement placement;
  std::copy_n(&numbers[12 * i], 9, placement.R);
  std::copy_n(&numbers[12 * i + 9], 3, placement.p);
  placement.turn = turn_of(placement.R);
  return placement;
}

bool is_identity(const Placement& P) {
  return P.turn == Turn::kNone && P.p[0] == 0 && P.p[1] == 0 && P.p[2] == 0;
}

Axis axis_kind(const double* axis) {
  for (int k = 0; k < 3; ++k)
    if (axis[k] == 1.0 && axis[(k + 1) % 3] == 0.0 && axis[(k + 2) % 3] == 0.0) return static_cast<Axis>(k);
  return Axis::kAny;
}

// How many entries at the end of a joint's configuration form a unit vector.
int unit_size(JointKind kind) {
  constexpr int sizes[] = {0, 0, 0, 2, 4, 2, 4, 0};
  return sizes[static_cast<int>(kind)];
}

// Whether the joint's angle is an entry of the configuration.
bool stores_angle(const Joint& joint) {
  return (joint.kind == JointKind::kRevolute || joint.kind == JointKind::kHelical) && !joint.mimic;
}

// For each joint of a list, how many from there on have their angles side by side.
std::vector<int> runs_of(const Joint* joints, const std::vector<int>& list) {
  std::vector<int> runs(list.size(), 1);
  for (std::size_t k = list.size(); k-- > 1;) {
    const Joint &before = joints[list[k - 1]], &here = joints[list[k]];
    if (stores_angle(before) && stores_angle(here) && here.q == before.q + 1) runs[k - 1] = runs[k] + 1;
  }
  for (int& run : runs) run = std::min(run, kLongestRun);
  return runs;
}

// Inertia from mass, centre of mass and the six numbers about it; Huygens-Steiner for those about the joint.
Inertia inertia_of(const double* body) {
  const double m = body[0], *const c = body + 1;
  Inertia inertia{};
  inertia.mass = m;
  std::copy_n(c, 3, inertia.lever);
  std::copy_n(body + 4, 6, inertia.about_com);
  int entry = 0;
  for (int i = 0; i < 3; ++i) {
    inertia.first_moment[i] = m * c[i];
    for (int j = i; j < 3; ++j, ++entry) {
      const double square = i == j ? c[(i + 1) % 3] * c[(i + 1) % 3] + c[(i + 2) % 3] * c[(i + 2) % 3] : -c[i] * c[j];
      inertia.about_joint[entry] = inertia.about_com[entry] + m * square;
    }
  }
  return inertia;
}

// Places of everything in a working set, in the order of Layout.
Layout lay_out(std::size_t njoints, std::size_t nframes, std::size_t nv, std::size_t ncolumns, bool has_mimic) {
  Layout layout{};
  std::size_t next = 0;
  const auto take = [&next](std::size_t count) { return std::exchange(next, next + count); };
  layout.oMi = take(12 * njoints);
  layout.oMf = take(12 * nframes);
  layout.screws = take(6 * ncolumns);
  layout.J = has_mimic ? take(6 * nv) : layout.screws;
  layout.v = take(6 * njoints);
  layout.a = take(6 * njoints);
  layout.screw_rates = take(6 * ncolumns);
  layout.dJ = has_mimic ? take(6 * nv) : layout.screw_rates;
  layout.moments = take(3 * njoints);
  layout.com = take(3);
  layout.Jcom = take(3 * nv);
  next = (next + 7) / 8 * 8;
  layout.lines = take(8 * (ncolumns + 8));
  layout.hg = take(6);
  layout.Ag = take(6 * nv);
  layout.nle = take(nv);
  layout.g = take(nv);
  layout.tau = take(nv);
  layout.ddq = take(nv);
  layout.dynamics.motion = take(18 * njoints);
  layout.dynamics.wrenches = take(6 * njoints);
  layout.dynamics.screws = take(6 * ncolumns);
  layout.dynamics.inertias = take(21 * njoints);
  layout.dynamics.U = take(6 * ncolumns);
  layout.dynamics.reciprocals = take(ncolumns);
  layout.total = next;
  return layout;
}

}  // namespace

int configuration_size(JointKind kind) {
  constexpr int sizes[] = {0, 1, 1, 2, 4, 4, 7, 1};
  return sizes[static_cast<int>(kind)];
}

int velocity_size(JointKind kind) {
  constexpr int sizes[] = {0, 1, 1, 1, 3, 3, 6, 1};
  return sizes[static_cast<int>(kind)];
}

CompiledTree::CompiledTree(const TreeDescription& d) : description_(d) {
  const std::size_t n = d.kind.size(), nframes = d.frame_joint.size();
  require(n > 0 && d.kind[0] == 0, "the first joint is the universe");
  for (const auto* list : {&d.parent, &d.q, &d.v, &d.master}) require(list->size() == n, "one entry per joint");
  for (const auto* list : {&d.multiplier, &d.offset, &d.pitch}) require(list->size() == n, "one entry per joint");
  require(d.axis.size() == 3 * n, "three axis numbers per joint");
  require(d.placement.size() == 12 * n, "twelve placement numbers per joint");
  require(d.inertia.size() == 10 * n, "ten inertia numbers per joint");
  require(d.frame_placement.size() == 12 * nframes, "twelve placement numbers per frame");
  require(d.gravity.size() == 3, "three gravity numbers");

  int nq = 0, nv = 0;
  for (std::size_t i = 0; i < n; ++i) {
    require(d.kind[i] >= 0 && d.kind[i] <= 7, "unknown joint kind");
    require(i == 0 || (d.parent[i] >= 0 && d.parent[i] < int(i)), "a joint comes after its parent");
    Joint joint{};
    joint.kind = static_cast<JointKind>(d.kind[i]);
    joint.parent = i == 0 ? 0 : d.parent[i];
    joint.nq = configuration_size(joint.kind);
    joint.nv = velocity_size(joint.kind);
    joint.column = int(column_v_.size());
    joint.multiplier = 1.0;
    if (d.master[i] >= 0) {
      require(d.master[i] < int(n), "a mimic's master exists");
      const JointKind master = static_cast<JointKind>(d.kind[d.master[i]]);
      require(joint.nv == 1 && velocity_size(master) == 1 && d.master[d.master[i]] < 0,
              "a mimic and its master move by one number each");
      joint.mimic = true;
      joint.master_continuous = master == JointKind::kContinuous;
      joint.multiplier = d.multiplier[i];
      joint.offset = d.offset[i];
      joint.q = d.q[d.master[i]];
      joint.v = d.v[d.master[i]];
      require(joint.kind != JointKind::kContinuous, "a mimic joint is stored as one number");
    } else {
      joint.q = nq;
      joint.v = nv;
      require(i == 0 || (d.q[i] == nq && d.v[i] == nv), "entries follow the order of the joints");
      neutral_.resize(nq + joint.nq, 0.0);
      const bool adds = joint.nq == 1;
      if (!adds && joint.nq > 0) curved_.push_back(int(i));
      if (adds && !stretches_.empty() && stretches_.back().q + stretches_.back().count == nq &&
          stretches_.back().v + stretches_.back().count == nv)
        ++stretches_.back().count;
      else if (adds)
        stretches_.push_back({nq, nv, 1});
      if (const int size = unit_size(joint.kind)) {
        units_.push_back({nq + joint.nq - size, size});
        neutral_[size == 4 ? nq + joint.nq - 1 : nq + joint.nq - 2] = 1.0;  // (x, y, z, w) or (cos, sin)
      }
      nq += joint.nq;
      nv += joint.nv;
    }
    const Joint* const parent = joint.parent > 0 ? &joints_[joint.parent] : nullptr;
    for (int k = 0; k < joint.nv; ++k) {
      column_v_.push_back(joint.v + k);
      column_parent_.push_back(k > 0 ? joint.column + k - 1 : parent ? parent->column + parent->nv - 1 : -1);
      const int c = joint.column + k;
      column_run_.push_back(c > 0 && column_parent_[c] == c - 1 ? column_run_[c - 1] : c);
    }
    std::copy_n(&d.axis[3 * i], 3, joint.axis);
    joint.axis_kind = joint.kind == JointKind::kPlanar ? Axis::kZ : axis_kind(joint.axis);
    joint.pitch = d.pitch[i];
    joint.placement = placement_at(d.placement, i);
    tree_.has_mimic |= joint.mimic;
    joints_.push_back(joint);

    const double* const body = &d.inertia[10 * i];
    inertias_.push_back(inertia_of(body));
    subtree_mass_.push_back(i == 0 ? 0.0 : body[0]);
    if (tree_.origin == 0 && subtree_mass_[i] > 0.0) tree_.origin = int(i);
  }
  for (std::size_t i = n - 1; i > 0; --i) subtree_mass_[joints_[i].parent] += subtree_mass_[i];

  for (std::size_t f = 0; f < nframes; ++f) {
    require(d.frame_joint[f] >= 0 && d.frame_joint[f] < int(n), "a frame's joint exists");
    const Placement placement = placement_at(d.frame_placement, f);
    frames_.push_back({.joint = d.frame_joint[f], .same = is_identity(placement), .placement = placement});
  }
  require(int(d.armature.size()) == nv, "one armature per velocity");
  armature_ = d.armature;

  tree_.njoints = int(n);
  tree_.nframes = int(nframes);
  tree_.nq = nq;
  tree_.nv = nv;
  tree_.ncolumns = int(column_v_.size());
  tree_.joints = joints_.data();
  tree_.frames = frames_.data();
  tree_.inertias = inertias_.data();
  std::vector<int> all(n);
  std::iota(all.begin(), all.end(), 0);
  runs_ = runs_of(joints_.data(), all);
  tree_.runs = runs_.data();
  tree_.neutral = neutral_.data();
  tree_.stretches = stretches_.data();
  tree_.nstretches = int(stretches_.size());
  tree_.curved = curved_.data();
  tree_.ncurved = int(curved_.size());
  tree_.column_v = column_v_.data();
  tree_.column_parent = column_parent_.data();
  tree_.column_run = column_run_.data();
  tree_.armature = armature_.data();
  tree_.subtree_mass = subtree_mass_.data();
  tree_.total_mass = subtree_mass_[0];
  std::copy_n(d.gravity.data(), 3, tree_.gravity);
  tree_.layout = lay_out(n, nframes, nv, column_v_.size(), tree_.has_mimic);
}

int CompiledTree::first_not_unit(const double* q) const {
  for (const Unit& unit : units_) {
    double norm2 = 0.0;
    for (int k = 0; k < unit.size; ++k) norm2 += q[unit.q + k] * q[unit.q + k];
    if (!(norm2 > 0.998 && norm2 < 1.002)) return unit.q;
  }
  return -1;
}

JointPath::JointPath(const CompiledTree& tree, int joint)
    : joints_(tree.path(joint)), runs_(runs_of(tree.view().joints, joints_)) {
  int width = 0;
  bool adds = false;
  for (int i : joints_) {
    const Joint& on_path = tree.view().joints[i];
    adds |= on_path.mimic;
    const int slides = on_path.kind == JointKind::kFreeFlyer ? 3 : on_path.kind == JointKind::kPlanar ? 2 : 0;
    for (int k = 0; k < on_path.nv; ++k, ++width) {
      const bool only_slides = on_path.kind == JointKind::kPrismatic || k < slides;
      const double pitch = on_path.kind == JointKind::kHelical ? on_path.pitch : 0.0;
      v_.push_back(on_path.v + k);
      screw_.push_back(on_path.column + k);
      turn_.push_back(only_slides ? 0.0 : on_path.multiplier);
      slide_.push_back(on_path.multiplier * (only_slides ? 1.0 : pitch));
    }
  }
  neighbours_.assign(width, 1);
  for (int k = width - 1; k-- > 0;)
    if (v_[k + 1] == v_[k] + 1 && screw_[k + 1] == screw_[k] + 1) neighbours_[k] += neighbours_[k + 1];
  v_.resize(width + 8);
  screw_.resize(width + 8);
  turn_.resize(width + 8);
  slide_.resize(width + 8);
  path_ = {joints_.data(), runs_.data(), int(joints_.size()), width, adds, v_.data(), screw_.data(),
           neighbours_.data(), turn_.data(), slide_.data()};
}

std::vector<int> CompiledTree::path(int joint) const {
  std::vector<int> joints;
  for (int i = joint; i > 0; i = joints_[i].parent) joints.push_back(i);
  std::reverse(joints.begin(), joints.end());
  return joints;
}

}  // namespace pantin
