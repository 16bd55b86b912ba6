// A problem bound to its model.
#include "problem.hpp"
#include "reach_target.hpp"

namespace pantin {

std::unique_ptr<void, Free> search_memory(const WholeProblem& problem) {
  auto memory = aligned_scratch(kernels().whole.search_bytes(problem));
  kernels().whole.prepare(memory.get(), problem);
  return memory;
}

ProblemCore::ProblemCore(nb::object model_, nb::object lower_, nb::object upper_, const ReachSettings& settings,
                         std::uint64_t random_seed, double time_limit_ms)
    : model(std::move(model_)),
      lower(std::move(lower_)),
      upper(std::move(upper_)),
      settings_(settings),
      random_seed_(random_seed),
      time_limit_(static_cast<long long>(1e6 * time_limit_ms)) {}

void ProblemCore::ask(std::vector<WholeQuestion> questions, std::vector<bool> locked, nb::object residuals_,
                      nb::object targets_) {
  questions_ = std::move(questions);
  locked_ = std::move(locked);
  residuals = std::move(residuals_);
  targets = std::move(targets_);
  tree_ = nullptr;
  for (std::size_t r = 0; r < questions_.size(); ++r) tidy(questions_[r].aim, numbers_of(targets) + 12 * r, 1);
}

void ProblemCore::set_target(int index, nb::object residual, nb::object target) {
  double numbers[12];
  const WholeQuestion question = questions_[index];
  if (!read(question, residual, target, numbers)) {
    index = nb::cast<int>(residual.attr("_index"));  // what reads the target may have removed residuals
    if (index < 0) raise_from("residuals", "raise_removed");
  }
  tidy(question.aim, numbers, 1);
  auto* const old = reinterpret_cast<PyArrayObject*>(targets.ptr());
  const nb::object replaced = new_numbers({PyArray_DIM(old, 0), 12});
  std::copy_n(data_of(old), PyArray_SIZE(old), numbers_of(replaced));
  std::copy_n(numbers, 12, numbers_of(replaced) + 12 * index);
  targets = replaced;
}

bool ProblemCore::read(const WholeQuestion& question, nb::handle residual, nb::handle target, double* numbers) {
  const bool asks_pose = question.aim == WholeAim::kPose || question.aim == WholeAim::kAxis;
  const bool may_be_plain = question.aim != WholeAim::kOrientation && question.aim != WholeAim::kDirection;
  if (!may_be_plain || !read_plain_target(asks_pose ? TargetForm::kPose : TargetForm::kPoint, target.ptr(), numbers)) {
    std::copy_n(numbers_of(nb::object(residual.attr("_read")(target))), 12, numbers);
    return false;
  }
  if (question.aim == WholeAim::kAxis) {
    const double* const a = question.axis;
    for (double* row = numbers; row < numbers + 9; row += 3) row[2] = row[0] * a[0] + row[1] * a[1] + row[2] * a[2];
  }
  return true;
}

void tidy(WholeAim aim, double* numbers, std::size_t n) {
  if (aim != WholeAim::kPose && aim != WholeAim::kOrientation) return;
  for (std::size_t i = 0; i < n; ++i) project_rotation(numbers + 12 * i);
}

void ProblemCore::be_near(std::vector<double> q, std::vector<double> weights) {
  if (posture_q_.empty() != q.empty()) tree_ = nullptr;
  posture_q_ = std::move(q);
  posture_weights_ = std::move(weights);
  posture_ = nullptr;
}

void ProblemCore::refresh() {
  if (questions_.empty()) raise_from("residuals", "raise_no_residuals");
  const TreePointer tree = compiled(model);
  if (tree != tree_) {
    if (!posture_q_.empty() && int(posture_q_.size()) != tree->view().nq) raise_from("residuals", "raise_old_posture");
    locked_.resize(tree->view().njoints);
    try {
      whole_ = std::make_shared<WholeTree>(*tree, questions_, locked_, !posture_q_.empty(), random_seed_);
    } catch (const std::invalid_argument& residual) {
      raise_from("residuals", "raise_unmoved", nb::object(residuals[std::stoi(residual.what())]));
    }
    tree_ = tree;
    limits_ = no_limits_ = nullptr;
    posture_ = nullptr;
    workspace_ = {};
  }
  if (!posture_q_.empty() && !posture_) {
    Posture posture{posture_q_, std::vector<double>(whole_->view().unknowns.nv)};
    for (std::size_t k = 0; k < posture_weights_.size(); ++k)
      if (whole_->unknown_of()[k] >= 0) posture.weights[whole_->unknown_of()[k]] = posture_weights_[k];
    posture_ = std::make_shared<const Posture>(std::move(posture));
  }
  const int nq = whole_->view().unknowns.nq;
  const double *const low = limit_vector(lower, nq), *const high = limit_vector(upper, nq);
  if (limits_ && limits_->are(low, high)) return;
  const std::shared_ptr<const WholeLimits> limits = std::make_shared<WholeLimits>(*whole_, low, high);
  if (limits->contradiction() >= 0) raise_from("doors", "raise_contradiction", model, limits->contradiction());
  limits_ = limits;
  no_limits_ = nullptr;
}

ProblemCore::Solve::Solve(ProblemCore& core) : core_(core) {
  core.refresh();
  tree_ = core.tree_;
  whole_ = core.whole_;
  limits_ = core.limits_;
  no_limits_ = core.no_limits_;
  posture_ = core.posture_;
  workspace_ = std::move(core.workspace_);
  core.workspace_ = {};
  if (workspace_.memory) return;
  workspace_.memory = search_memory(problem());
  workspace_.targets.resize(problem().nresiduals);
  workspace_.strides.assign(problem().nresiduals, 0);
}

const std::shared_ptr<const WholeLimits>& ProblemCore::Solve::no_limits() {
  if (!no_limits_) {
    no_limits_ = std::make_shared<WholeLimits>(*whole_, limits_->given_lower(), limits_->given_upper(), true);
    if (core_.limits_ == limits_) core_.no_limits_ = no_limits_;
  }
  return no_limits_;
}

WholeTask ProblemCore::Solve::task(const double* targets) {
  for (std::size_t r = 0; targets && r < workspace_.targets.size(); ++r) workspace_.targets[r] = targets + 12 * r;
  return {.problem = &problem(), .bounds = &limits_->view(), .settings = &core_.settings_, .range = {0, 0},
          .targets = workspace_.targets.data(), .target_strides = workspace_.strides.data(), .seeds = nullptr,
          .seed_stride = 0, .posture = posture_ ? posture_->q.data() : nullptr,
          .posture_weights = posture_ ? posture_->weights.data() : nullptr, .q = nullptr, .answers = nullptr,
          .errors = nullptr, .stop = nullptr, .stopper = nullptr};
}

}  // namespace pantin
