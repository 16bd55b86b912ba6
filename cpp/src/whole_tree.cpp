#include "whole_tree.hpp"

#include <stdexcept>
#include <string>

#include "spread.hpp"

namespace pantin {

namespace {

constexpr Placement kNoPlacement{{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}, Turn::kNone};

Placement turned_placement(const Placement& placement, const double* axis) {
  Rigid frame = rigid_of(placement);
  frame.R = frame.R * turn_to({axis[0], axis[1], axis[2]});
  return placement_of(frame);
}

bool has_axis(WholeAim aim) {
  return aim == WholeAim::kAxis || aim == WholeAim::kDirection || aim == WholeAim::kLookAt || aim == WholeAim::kPivot;
}

// Components of an aim: 0 to 2 along the root's axes, 3 to 5 turns about them, or across the tool's axis.
std::vector<int> components_of(WholeAim aim) {
  switch (aim) {
    case WholeAim::kPose:
      return {0, 1, 2, 3, 4, 5};
    case WholeAim::kPosition:
    case WholeAim::kCentreOfMass:
      return {0, 1, 2};
    case WholeAim::kOrientation:
      return {3, 4, 5};
    case WholeAim::kAxis:
      return {0, 1, 2, 3, 4};
    case WholeAim::kPivot:
      return {0, 1};
    case WholeAim::kDirection:
    case WholeAim::kLookAt:
      break;
  }
  return {3, 4};
}

}  // namespace

WholeTree::WholeTree(const CompiledTree& tree, const std::vector<WholeQuestion>& questions,
                     const std::vector<bool>& locked, bool has_posture, std::uint64_t random_seed)
    : model_(tree.view().joints, tree.view().joints + tree.view().njoints),
      x_of_entry_(tree.view().nq, -1),
      unknown_of_entry_(tree.view().nq, -1),
      unknown_of_(tree.view().nv, -1),
      last_link_(model_.size(), -1) {
  const Tree& t = tree.view();
  for (int f = 0; f < t.nframes; ++f) frame_joint_.push_back(t.frames[f].joint);

  // the joints on the way to a frame, those that move it against its root, and the masters of these
  std::vector<bool> needed(model_.size(), has_posture), moves(model_.size(), has_posture);
  for (const WholeQuestion& question : questions) {
    const std::vector<bool> to_frame = support(question.frame), to_root = support(question.root);
    for (std::size_t i = 1; i < model_.size(); ++i) {
      const bool weighs = question.aim == WholeAim::kCentreOfMass;
      needed[i] = needed[i] || to_frame[i] || to_root[i] || weighs;
      moves[i] = moves[i] || to_frame[i] != to_root[i] || weighs;
    }
  }
  for (std::size_t i = 1; i < model_.size(); ++i)
    for (std::size_t j = 1; j < model_.size(); ++j) {
      if (!model_[i].mimic || model_[j].mimic || model_[j].nq == 0 || model_[j].q != model_[i].q) continue;
      moves[j] = moves[j] || moves[i];
    }
  const auto numbers = [&](bool free) {
    for (std::size_t i = 1; i < model_.size(); ++i) {
      if (model_[i].mimic || (moves[i] && !locked[i]) != free) continue;
      for (const JointPart& part : parts_of(model_[i], false)) add_numbers(part, free);
    }
  };
  numbers(true);
  problem_.unknowns.nx = int(entry_.size());
  numbers(false);

  add_links(tree, needed);
  double length = 0.0;
  for (const WholeQuestion& question : questions) add_residual(tree, question);
  for (std::size_t i = 0; i < links_.size(); ++i) {
    double way = 0.0;
    for (int k = int(i); k >= 0; k = links_[k].joint.parent)
      if (links_[k].joint.parent >= 0) way += norm(rigid_of(links_[k].joint.placement).p);
    length = std::max(length, way);
  }
  for (const WholeResidual& residual : residuals_)
    if (residual.aim != WholeAim::kCentreOfMass) length = std::max(length, norm(rigid_of(residual.frame).p));
  const double span = length > 0.0 ? length : 1.0;
  problem_.length = kLengthPerRadian * span;

  is_length_ = std::make_unique<bool[]>(x_of_unknown_.size());
  winds_ = std::make_unique<bool[]>(variables_.size());
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    const Joint& variable = variables_[i];
    const auto follows = [&](const WholeLink& link) { return link.joint.mimic && link.joint.q == variable.q; };
    is_length_[variable.v] = variable.kind == JointKind::kPrismatic;
    winds_[i] = variable.kind == JointKind::kRevolute && std::none_of(links_.begin(), links_.end(), follows);
  }
  for (std::size_t r = 0; r < questions.size(); ++r) {
    const std::vector<bool> to_frame = support(questions[r].frame), to_root = support(questions[r].root);
    std::vector<int> signs(model_.size());
    for (std::size_t i = 1; i < model_.size(); ++i)
      signs[i] = questions[r].aim == WholeAim::kCentreOfMass ? 1 : int(to_frame[i]) - int(to_root[i]);
    add_columns(int(r), signs);
    add_way(tree, questions[r]);
  }
  describe_blocks();
  describe_products();
  spread_starts(x_of_unknown_.size(), random_seed, stride_, shift_);

  ReachProblem& unknowns = problem_.unknowns;
  unknowns.nvariables = int(variables_.size());
  unknowns.nv = int(x_of_unknown_.size());
  unknowns.variables = variables_.data();
  unknowns.winds = winds_.get();
  unknowns.x_of_unknown = x_of_unknown_.data();
  unknowns.is_length = is_length_.get();
  unknowns.nq = t.nq;
  unknowns.entry = entry_.data();
  unknowns.sign = sign_.data();
  unknowns.stride = stride_.data();
  unknowns.shift = shift_.data();
  problem_.nlinks = int(links_.size());
  problem_.nlines = links_.empty() ? 0 : links_.back().line + 3;
  problem_.nresiduals = int(residuals_.size());
  problem_.ncolumns = int(columns_.size());
  problem_.nblocks = int(blocks_.size());
  problem_.nx = int(entry_.size());
  problem_.links = links_.data();
  problem_.residuals = residuals_.data();
  problem_.columns = columns_.data();
  problem_.blocks = blocks_.data();
  problem_.blocks_of = blocks_of_.data();
  problem_.entry = entry_.data();
  for (const WholeResidual& residual : residuals_) problem_.weighs |= residual.aim == WholeAim::kCentreOfMass;
  problem_.per_mass = t.total_mass > 0.0 ? 1.0 / t.total_mass : 0.0;
  problem_.span = span;
}

// For each joint, whether it carries a frame.
std::vector<bool> WholeTree::support(int frame) const {
  std::vector<bool> carries(model_.size());
  for (int i = frame_joint_[frame]; i > 0; i = model_[i].parent) carries[i] = true;
  return carries;
}

// Numbers in x for a part that is no mimic, and unknowns where it moves.
void WholeTree::add_numbers(const JointPart& part, bool moves) {
  Joint variable = part.joint;
  variable.q = int(entry_.size());
  for (int k = 0; k < variable.nq; ++k) {
    x_of_entry_[part.joint.q + k] = variable.q + k;
    entry_.push_back(part.joint.q + k);
    sign_.push_back(1.0);
  }
  if (!moves) return;
  variable.v = int(x_of_unknown_.size());
  unknown_of_entry_[part.joint.q] = variable.v;
  for (int k = 0; k < variable.nv; ++k) x_of_unknown_.push_back(can_be_limited(variable.kind) ? variable.q : -1);
  variables_.push_back(variable);
}

void WholeTree::add_links(const CompiledTree& tree, const std::vector<bool>& needed) {
  const Tree& t = tree.view();
  int line = 0;
  for (std::size_t i = 1; i < model_.size(); ++i) {
    if (!needed[i]) continue;
    int before = last_link_[model_[i].parent], offset = 0;
    Placement placement = model_[i].placement;
    for (const JointPart& part : parts_of(model_[i], false)) {
      WholeLink link{};
      link.joint = part.joint;
      link.joint.parent = before;
      link.joint.placement = placement;
      link.joint.q = x_of_entry_[part.joint.q];
      if (model_[i].nq != part.joint.nq) {
        const double axis[3] = {part.axis.x, part.axis.y, part.axis.z};
        std::copy_n(axis, 3, link.joint.axis);
        link.joint.axis_kind = axis[0] == 1.0 ? Axis::kX : axis[1] == 1.0 ? Axis::kY : Axis::kZ;
      }
      const int first = unknown_of_entry_[part.joint.q];
      link.joint.v = first;
      if (!part.joint.mimic && first >= 0)
        for (int k = 0; k < part.joint.nv; ++k) unknown_of_[model_[i].v + offset + k] = first + k;
      link.line = line;
      link.carried = t.subtree_mass[i];
      line += part.joint.nv;
      offset += part.joint.nv;
      before = int(links_.size());
      placement = kNoPlacement;
      links_.push_back(link);
      joint_of_link_.push_back(int(i));
    }
    links_[before].mass = t.inertias[i].mass;
    std::copy_n(t.inertias[i].lever, 3, links_[before].lever);
    last_link_[i] = before;
  }
}

void WholeTree::add_residual(const CompiledTree& tree, const WholeQuestion& question) {
  const Tree& t = tree.view();
  const auto link_of = [&](int frame) { return t.frames[frame].joint > 0 ? last_link_[t.frames[frame].joint] : -1; };
  WholeResidual residual{};
  residual.aim = question.aim;
  residual.link = link_of(question.frame);
  residual.root = link_of(question.root);
  residual.frame = t.frames[question.frame].placement;
  residual.base = t.frames[question.root].placement;
  if (has_axis(question.aim)) residual.frame = turned_placement(residual.frame, question.axis);
  residual.first = problem_.rows;
  residual.even = question.aim == WholeAim::kPose || question.aim == WholeAim::kPosition ||
                  question.aim == WholeAim::kOrientation;
  const std::vector<int> components = components_of(question.aim);
  for (std::size_t i = 0; i < components.size(); ++i) {
    residual.even = residual.even && question.weight[i] == 1.0;
    if (question.weight[i] == 0.0) continue;
    residual.component[residual.rows] = components[i];
    residual.weight[residual.rows++] = question.weight[i];
  }
  residual.position2 = question.position_tolerance * question.position_tolerance;
  residual.rotation2 = question.rotation_tolerance * question.rotation_tolerance;
  problem_.rows += residual.rows;
  residuals_.push_back(residual);
}

// Columns of a residual: the lines of all links whose joints have a sign.
void WholeTree::add_columns(int residual, const std::vector<int>& signs) {
  const double length = problem_.length;
  const std::size_t first = columns_.size();
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const Joint& joint = links_[i].joint;
    const int sign = signs[joint_of_link_[i]];
    if (sign == 0 || joint.v < 0) continue;
    const double rate = sign * (joint.mimic ? joint.multiplier * (is_length_[joint.v] ? length : 1.0) : 1.0);
    for (int k = 0; k < joint.nv; ++k) {
      WholeColumn column{};
      column.residual = residual;
      column.link = int(i);
      column.line = links_[i].line + k;
      if (joint.kind == JointKind::kPrismatic)
        column.slide = joint.mimic ? rate / length : rate;
      else
        column.turn = rate;
      if (joint.kind == JointKind::kHelical) column.slide = joint.pitch * rate / length;
      const int unknown = joint.v + k;
      for (std::size_t c = first; c < columns_.size(); ++c) column.adds |= column_unknown_[c] == unknown;
      columns_.push_back(column);
      column_unknown_.push_back(unknown);
    }
  }
  if (columns_.size() == first) throw std::invalid_argument(std::to_string(residual));
}

// The way from the world, or from a frame that no joint moves, to a residual's frame.
void WholeTree::add_way(const CompiledTree& tree, const WholeQuestion& question) {
  ways_.emplace_back();
  const Tree& t = tree.view();
  const bool has_position = question.aim == WholeAim::kPose || question.aim == WholeAim::kPosition ||
                            question.aim == WholeAim::kAxis;
  const double* const w = question.weight;
  if (!has_position || t.frames[question.root].joint != 0 || w[0] == 0.0 || w[1] == 0.0 || w[2] == 0.0) return;
  Way& way = ways_.back();
  way.joints = tree.path(t.frames[question.frame].joint);
  for (std::size_t i = 1; i < way.joints.size(); ++i) way.segments += norm(rigid_of(model_[way.joints[i]].placement).p);
  way.segments += norm(rigid_of(t.frames[question.frame].placement).p);
  way.from = inverse(rigid_of(t.frames[question.root].placement)) * rigid_of(model_[way.joints.front()].placement).p;
}

// Blocks unknown after unknown, and each column's place among them.
void WholeTree::describe_blocks() {
  const int n = int(x_of_unknown_.size());
  for (int k = 0; k < n; ++k) {
    blocks_of_.push_back(int(blocks_.size()));
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (column_unknown_[c] != k) continue;
      const WholeResidual& residual = residuals_[columns_[c].residual];
      if (!columns_[c].adds) {
        blocks_.push_back({k, residual.first, residual.rows, problem_.jacobian});
        problem_.jacobian += residual.rows;
      }
      columns_[c].at = blocks_.back().at;
    }
  }
  blocks_of_.push_back(int(blocks_.size()));
}

// The normal matrix in task space or joint space, whichever is smaller, by what it is made of.
void WholeTree::describe_products() {
  const int n = int(x_of_unknown_.size());
  problem_.in_task_space = problem_.rows <= n;
  const int size = std::min(problem_.rows, n);
  problem_.padded = (size + kPanel - 1) / kPanel * kPanel;
  std::vector<std::pair<int, int>> ranges;  // of terms
  const auto close = [&](WholeProduct product, std::size_t first) {
    product.count = int(terms_.size() - first);
    if (product.count == 0) return;
    products_.push_back(product);
    ranges.emplace_back(first, product.count);
  };
  if (problem_.in_task_space) {
    for (const WholeResidual& a : residuals_)
      for (const WholeResidual& b : residuals_) {
        if (b.first > a.first) continue;
        const std::size_t first = terms_.size();
        for (const WholeBlock& one : blocks_)
          for (int k = blocks_of_[one.unknown]; one.first == a.first && k < blocks_of_[one.unknown + 1]; ++k)
            if (blocks_[k].first == b.first) terms_.push_back({one.at, blocks_[k].at});
        close({a.first, a.rows, b.first, b.rows, nullptr, 0}, first);
      }
  } else {
    for (int k = 0; k < n; ++k)
      for (int l = 0; l <= k; ++l) {
        const std::size_t first = terms_.size();
        for (int a = blocks_of_[k]; a < blocks_of_[k + 1]; ++a)
          for (int b = blocks_of_[l]; b < blocks_of_[l + 1]; ++b)
            for (int i = 0; blocks_[a].first == blocks_[b].first && i < blocks_[a].rows; ++i)
              terms_.push_back({blocks_[a].at + i, blocks_[b].at + i});
        close({k, 1, l, 1, nullptr, 0}, first);
      }
  }
  for (std::size_t k = 0; k < products_.size(); ++k) products_[k].terms = terms_.data() + ranges[k].first;
  problem_.products = products_.data();
  problem_.nproducts = int(products_.size());
}

WholeLimits::WholeLimits(const WholeTree& tree, const double* lower, const double* upper, bool free)
    : ModelLimits(tree.model(), tree.view().unknowns.nq, lower, upper) {
  if (contradiction() >= 0) return;
  const WholeProblem& problem = tree.view();
  for (int k = 0; k < problem.nx; ++k) {
    const int entry = problem.entry[k];
    lower_.push_back(free ? -kInfinity : this->lower()[entry]);
    upper_.push_back(free ? kInfinity : this->upper()[entry]);
    middle_.push_back(middle()[entry]);
  }
  for (const WholeTree::Way& way : tree.ways()) {
    double most = way.joints.empty() ? kInfinity : way.segments;
    for (int i : way.joints) {
      const Joint& joint = tree.model()[i];
      const double advance = joint.kind == JointKind::kPrismatic  ? 1.0
                             : joint.kind == JointKind::kHelical ? std::fabs(joint.pitch)
                                                                 : 0.0;
      if (joint.kind == JointKind::kPlanar || joint.kind == JointKind::kFreeFlyer || (advance > 0.0 && joint.mimic))
        most = kInfinity;
      else if (advance > 0.0)
        most += advance * Interval(lower[joint.q], upper[joint.q]).farthest();
    }
    ways_.push_back({way.from, most});
  }
  bounds_.lower = lower_.data();
  bounds_.upper = upper_.data();
  bounds_.middle = middle_.data();
  bounds_.length = problem.length;
  bounds_.span = problem.span;
}

}  // namespace pantin
