#include "batch_steps.hpp"

#include <algorithm>
#include <cmath>

namespace pantin {

namespace {

std::unique_ptr<void, Free> step_room(const StepBatch& batch) {
  return aligned_scratch(kernels().step.bytes(batch.tree->view().nv, batch.most_rows));
}

}  // namespace

RowStepper::RowStepper(const StepBatch& batch)
    : batch_(batch), data_(batch.tree), room_(step_room(batch)),
      m_(*kernels().step.prepare(room_.get(), batch.tree->view().nv, batch.most_rows)),
      tasks_(batch.view.tasks, batch.view.tasks + batch.view.ntasks),
      limits_(batch.view.limits, batch.view.limits + batch.view.nlimits), q_(batch.tree->view().nq),
      last_(batch.tree->view().nv) {}

// Takes a row up where it starts, with nothing known of another one.
void RowStepper::begin(std::size_t row) {
  const Tree& tree = batch_.tree->view();
  std::copy_n(batch_.q + row * tree.nq, tree.nq, q_.data());
  std::fill_n(m_.held, m_.n, 0);
  settling_ = Settling();
  std::copy_n(batch_.view.tasks, tasks_.size(), tasks_.data());
  std::copy_n(batch_.view.limits, limits_.size(), limits_.data());
  if (batch_.before) remember(batch_.before + row * tree.nv);
}

// What tasks and limits on accelerations know of the last step.
void RowStepper::remember(const double* displacement) {
  std::copy_n(displacement, last_.size(), last_.data());
  for (std::size_t i = 0; i < tasks_.size(); ++i)
    if (tasks_[i].kind == TaskKind::kLowAcceleration && !batch_.aims[i].numbers) tasks_[i].target = last_.data();
  for (LimitView& limit : limits_) {
    if (limit.kind != LimitKind::kAcceleration) continue;
    limit.previous = last_.data();
    limit.previous_dt = batch_.dt;
  }
}

void RowStepper::step(std::size_t row, std::size_t s) {
  const Tree& tree = batch_.tree->view();
  const std::size_t at = row * batch_.steps + s;
  double* const q_after = batch_.q_after + at * tree.nq;
  double* const v = batch_.v + at * tree.nv;
  StepEnd end = StepEnd::kStanding;
  double promised = 0.0;
  if (batch_.dt != 0.0 && tree.nv != 0 && !tasks_.empty()) {
    for (std::size_t i = 0; i < tasks_.size(); ++i)
      if (batch_.aims[i].numbers) tasks_[i].target = batch_.aims[i].at(row, s);
    const StepView view{&tree, int(tasks_.size()), int(limits_.size()), tasks_.data(), limits_.data(), batch_.view.damping};
    double* const data = data_.memory();
    kernels().kinematics.forward(tree, q_.data(), data);
    kernels().kinematics.joint_screws(tree, data);
    kernels().step.objective(view, q_.data(), data, m_);
    kernels().step.box(view, q_.data(), batch_.dt, m_);
    if (batch_.settles) {
      m_.diagonal += settling_.damping(tasks_, m_.error2, true);
      settling_.bend(m_);
    }
    switch (kernels().step.bounded(m_).status) {
      case QpStatus::kNotFinite: end = StepEnd::kNotFinite; break;
      case QpStatus::kStalled: end = StepEnd::kStalled; break;
      default: end = m_.contradictions > 0 ? StepEnd::kReturning : StepEnd::kSolved;
    }
    for (int k = 0; k < m_.n; ++k) {
      promised -= m_.x[k] * m_.c[k];
      v[k] = m_.x[k] / batch_.dt;
      if (!(std::abs(v[k]) <= 1e150)) end = StepEnd::kNotFinite;
    }
  }
  if (end == StepEnd::kStanding || end == StepEnd::kNotFinite) {
    std::fill_n(v, tree.nv, 0.0);
  } else {
    kernels().configuration.integrate(tree, q_.data(), m_.x, q_after);
    std::copy_n(q_after, tree.nq, q_.data());
    if (batch_.settles) settling_.take(promised, m_);
    if (batch_.steps > 1) remember(m_.x);
  }
  std::copy_n(q_.data(), tree.nq, q_after);
  batch_.ends[at] = static_cast<signed char>(end);
}

}  // namespace pantin
