// What Python's Model and Data are underneath.
#pragma once

#include <nanobind/nanobind.h>

#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include "compiled_tree.hpp"

namespace pantin {

namespace nb = nanobind;

using TreePointer = std::shared_ptr<const CompiledTree>;

// Base of Python's Model: holds the compiled tree until the description changes.
struct ModelBase {
  TreePointer tree;
};

// The model's compiled tree; a model that changed since is compiled first.
const TreePointer& compiled(nb::handle model);

// One caller's working set for one compiled tree.
class Data {
 public:
  explicit Data(TreePointer tree);
  ~Data() { std::free(memory_); }
  Data(const Data&) = delete;

  const CompiledTree& tree() const { return *tree_; }
  const TreePointer& tree_pointer() const { return tree_; }
  double* memory() { return memory_; }
  double* at(std::size_t offset) { return memory_ + offset; }
  bool has_mass_matrix() const { return mass_matrix_ != nullptr; }
  double* mass_matrix();  // (nv, nv), made when first asked for, zero until then
  double* factor();       // (nv, nv), room for a factorisation of it, made when first asked for
  const Path& path_to(int joint);

  double kinetic_energy = 0.0, potential_energy = 0.0, mechanical_energy = 0.0;

 private:
  TreePointer tree_;
  double* memory_;
  std::unique_ptr<double[]> mass_matrix_, factor_;
  std::vector<std::unique_ptr<const JointPath>> paths_;  // to each joint, made when first asked for
};

}  // namespace pantin
