// Tree, ModelBase and Data for Python.
#include "model.hpp"

#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstring>

#include "instance.hpp"
#include "numpy_api.hpp"
#include "se3.hpp"

namespace pantin {

const TreePointer& compiled(nb::handle model) {
  ModelBase& base = instance<ModelBase>(model.ptr(), "model");
  // another thread may edit the model between its compilation and the look at it: then once more
  for (int attempts = 0; !base.tree; ++attempts) {
    if (attempts == 1000) throw nb::type_error("the model's _compile() left it without a tree");
    model.attr("_compile")();
  }
  return base.tree;
}

Data::Data(TreePointer tree) : tree_(std::move(tree)) {
  const Tree& t = tree_->view();
  const std::size_t bytes = (t.layout.total * sizeof(double) / 64 + 1) * 64;
  memory_ = static_cast<double*>(std::aligned_alloc(64, bytes));  // a pose in as few cache lines as can be
  if (!memory_) throw std::bad_alloc();
  std::memset(memory_, 0, bytes);
  for (int k = 0; k < t.njoints + t.nframes; ++k)
    for (int d = 0; d < 3; ++d) memory_[12 * k + 4 * d] = 1.0;
}

namespace {

double* square(std::unique_ptr<double[]>& matrix, std::size_t n) {
  if (!matrix) matrix = std::make_unique<double[]>(std::max<std::size_t>(n * n, 1));
  return matrix.get();
}

}  // namespace

double* Data::mass_matrix() { return square(mass_matrix_, tree_->view().nv); }

double* Data::factor() { return square(factor_, tree_->view().nv); }

const Path& Data::path_to(int joint) {
  if (paths_.empty()) paths_.resize(tree_->view().njoints);
  auto& path = paths_[joint];
  if (!path) path = std::make_unique<const JointPath>(*tree_, joint);
  return path->view();
}

namespace {

// List-like view of poses in a working set.
struct PoseList {
  nb::object owner;
  double* first;
  Py_ssize_t length;

  Pose at(Py_ssize_t index) const {
    if (index < 0) index += length;
    if (index < 0 || index >= length) throw nb::index_error("index out of range");
    return Pose(first + 12 * index, owner);
  }
  nb::list part(const nb::slice& range) const {
    const auto [start, stop, step, count] = range.compute(length);
    nb::list poses;
    for (std::size_t k = 0; k < count; ++k) poses.append(at(start + Py_ssize_t(k) * step));
    return poses;
  }
};

Data& self_data(nb::handle self) { return instance<Data>(self.ptr(), "self"); }

nb::object vector_view(nb::handle self, std::size_t offset, npy_intp n) {
  return view(self_data(self).at(offset), {n}, {1}, self.ptr(), false);
}
// (6, nv) matrix kept column after column.
nb::object columns_view(nb::handle self, std::size_t offset) {
  Data& data = self_data(self);
  const npy_intp nv = data.tree().view().nv;
  return view(data.at(offset), {6, nv}, {1, 6}, self.ptr(), false);
}
nb::object rows_view(nb::handle self, std::size_t offset, npy_intp rows) {
  Data& data = self_data(self);
  const npy_intp nv = data.tree().view().nv;
  return view(data.at(offset), {rows, nv}, {nv, 1}, self.ptr(), false);
}

const Layout& layout(nb::handle self) { return self_data(self).tree().view().layout; }

using Ints = std::vector<int>;
using Reals = std::vector<double>;
using TreeState = std::tuple<Ints, Ints, Ints, Ints, Ints, Reals, Reals, Reals, Reals, Reals, Reals, Ints, Reals,
                             Reals, Reals>;

TreeState tree_state(const CompiledTree& tree) {
  const TreeDescription& d = tree.description();
  return {d.kind, d.parent, d.q, d.v, d.master, d.multiplier, d.offset, d.pitch, d.axis, d.placement, d.inertia,
          d.frame_joint, d.frame_placement, d.armature, d.gravity};
}
void restore_tree(CompiledTree& self, const TreeState& state) {
  std::apply([&](const auto&... lists) { new (&self) CompiledTree(TreeDescription{lists...}); }, state);
}

// What a Data holds: its tree, so that it still agrees with a model that is pickled beside it, and its numbers.
nb::tuple data_state(nb::handle self) {
  Data& data = self_data(self);
  const nb::object M = data.has_mass_matrix() ? nb::object(self.attr("M").attr("copy")()) : nb::none();
  return nb::make_tuple(self.attr("_tree"), self.attr("_buffer")().attr("copy")(), M, data.kinetic_energy,
                        data.potential_energy, data.mechanical_energy);
}
void restore(nb::handle saved, std::size_t size, double* to) {
  auto* const array = reinterpret_cast<PyArrayObject*>(saved.ptr());
  if (!is_plain(saved.ptr()) || std::size_t(PyArray_SIZE(array)) != size)
    throw nb::value_error("this is not the state of a Data");
  std::copy_n(data_of(array), size, to);
}
void restore_data(Data& self, const nb::tuple& state) {
  new (&self) Data(nb::cast<std::shared_ptr<CompiledTree>>(state[0]));
  const Tree& tree = self.tree().view();
  restore(state[1], tree.layout.total, self.memory());
  if (!state[2].is_none()) restore(state[2], std::size_t(tree.nv) * tree.nv, self.mass_matrix());
  self.kinetic_energy = nb::cast<double>(state[3]);
  self.potential_energy = nb::cast<double>(state[4]);
  self.mechanical_energy = nb::cast<double>(state[5]);
}

void copy_data(Data& from, Data& to) {
  const Tree& tree = from.tree().view();
  std::memcpy(to.memory(), from.memory(), tree.layout.total * sizeof(double));
  if (from.has_mass_matrix())
    std::memcpy(to.mass_matrix(), from.mass_matrix(), std::size_t(tree.nv) * tree.nv * sizeof(double));
  to.kinetic_energy = from.kinetic_energy;
  to.potential_energy = from.potential_energy;
  to.mechanical_energy = from.mechanical_energy;
}

}  // namespace

#define PANTIN_ARRAY_SIG(name) nb::sig("def " name "(self) -> numpy.typing.NDArray[numpy.float64]")

void bind_model(nb::module_& m) {
  nb::class_<CompiledTree>(m, "Tree", "The compiled, immutable form of a model.")
      .def(
          "__init__",
          [](CompiledTree* self, std::vector<int> kind, std::vector<int> parent, std::vector<int> q,
             std::vector<int> v, std::vector<int> master, std::vector<double> multiplier,
             std::vector<double> offset, std::vector<double> pitch, std::vector<double> axis,
             std::vector<double> placement, std::vector<double> inertia, std::vector<int> frame_joint,
             std::vector<double> frame_placement, std::vector<double> armature, std::vector<double> gravity) {
            new (self) CompiledTree({kind, parent, q, v, master, multiplier, offset, pitch, axis, placement,
                                     inertia, frame_joint, frame_placement, armature, gravity});
          },
          nb::kw_only(), nb::arg("kind"), nb::arg("parent"), nb::arg("q"), nb::arg("v"), nb::arg("master"),
          nb::arg("multiplier"), nb::arg("offset"), nb::arg("pitch"), nb::arg("axis"), nb::arg("placement"),
          nb::arg("inertia"), nb::arg("frame_joint"), nb::arg("frame_placement"), nb::arg("armature"),
          nb::arg("gravity"))
      .def("__getstate__", tree_state, nb::sig("def __getstate__(self) -> object"))
      .def("__setstate__", restore_tree, nb::sig("def __setstate__(self, arg: object, /) -> None"))
      .def_prop_ro("nq", [](const CompiledTree& t) { return t.view().nq; })
      .def_prop_ro("nv", [](const CompiledTree& t) { return t.view().nv; })
      .def_prop_ro("has_mimic", [](const CompiledTree& t) { return t.view().has_mimic; });

  nb::class_<ModelBase>(m, "ModelBase", "Holds a model's compiled tree; `_compile` makes it when it is needed.")
      .def(nb::init<>())
      .def_prop_rw(
          "_tree", [](ModelBase& base) { return std::const_pointer_cast<CompiledTree>(base.tree); },
          [](ModelBase& base, std::shared_ptr<CompiledTree> tree) { base.tree = std::move(tree); },
          nb::for_getter(nb::sig("def _tree(self) -> Tree | None")),
          nb::for_setter(nb::sig("def _tree(self, tree: Tree | None, /) -> None")),
          nb::for_setter(nb::arg("tree").none()));

  nb::class_<PoseList>(m, "PoseList", "List-like view of poses in a Data; entries share its memory.")
      .def("__len__", [](const PoseList& list) { return list.length; })
      .def("__getitem__", &PoseList::at, nb::arg("index"))
      .def("__getitem__", &PoseList::part, nb::arg("index"), nb::sig("def __getitem__(self, index: slice) -> list[SE3]"))
      .def("__repr__", [](const PoseList& list) { return "PoseList of " + std::to_string(list.length); });

  nb::class_<Data>(m, "Data", nb::is_weak_referenceable(), R"(Buffers that algorithms write, for one caller.

A model may be shared between threads; each thread brings a Data of its own. Arrays are read-only views of
the buffers and change with the next computation; copy what has to stay.

Args:
    model: Model to make buffers for; a Data serves the version of the model it was made for.)")
      .def(
          "__init__", [](Data* self, nb::handle_t<ModelBase> model) { new (self) Data(compiled(model)); },
          nb::arg("model"), nb::sig("def __init__(self, model: ModelBase) -> None"))
      .def(
          "copy",
          [](Data& self) {
            auto other = std::make_unique<Data>(self.tree_pointer());
            copy_data(self, *other);
            return other.release();
          },
          nb::rv_policy::take_ownership, "Data with the same values in buffers of its own.")
      .def("__copy__",
           [](nb::handle self) { return self.attr("copy")(); }, nb::sig("def __copy__(self) -> Data"))
      .def("__deepcopy__", [](nb::handle self, nb::handle) { return self.attr("copy")(); }, nb::arg("memo"),
           nb::sig("def __deepcopy__(self, memo: object) -> Data"))
      .def("__repr__",
           [](Data& self) {
             const Tree& tree = self.tree().view();
             return nb::str("Data(nq={}, nv={}, njoints={}, nframes={})")
                 .format(tree.nq, tree.nv, tree.njoints, tree.nframes);
           })
      .def("__getstate__", data_state, nb::sig("def __getstate__(self) -> object"))
      .def("__setstate__", restore_data, nb::sig("def __setstate__(self, arg: object, /) -> None"))
      .def_prop_ro("_tree", [](Data& self) { return std::const_pointer_cast<CompiledTree>(self.tree_pointer()); })
      .def("_buffer",
           [](nb::handle self) {
             return view(self_data(self).memory(), {npy_intp(layout(self).total)}, {1}, self.ptr(), true);
           },
           PANTIN_ARRAY_SIG("_buffer"))
      .def_prop_ro(
          "oMi",
          [](nb::handle self) {
            return PoseList{nb::borrow(self), self_data(self).at(layout(self).oMi),
                            self_data(self).tree().view().njoints};
          },
          nb::sig("def oMi(self) -> PoseList"), "Placements of the joints in the world.")
      .def_prop_ro(
          "oMf",
          [](nb::handle self) {
            return PoseList{nb::borrow(self), self_data(self).at(layout(self).oMf),
                            self_data(self).tree().view().nframes};
          },
          nb::sig("def oMf(self) -> PoseList"), "Placements of the frames in the world.")
      .def_prop_ro("J", [](nb::handle self) { return columns_view(self, layout(self).J); }, PANTIN_ARRAY_SIG("J"),
                   "Joint screws about the world's origin, shape (6, nv).")
      .def_prop_ro("dJ", [](nb::handle self) { return columns_view(self, layout(self).dJ); },
                   PANTIN_ARRAY_SIG("dJ"), "Rate of `J`, shape (6, nv).")
      .def_prop_ro("Jcom", [](nb::handle self) { return rows_view(self, layout(self).Jcom, 3); },
                   PANTIN_ARRAY_SIG("Jcom"), "Jacobian of the centre of mass, shape (3, nv).")
      .def_prop_ro(
          "com",
          [](nb::handle self) {
            nb::list list;
            list.append(vector_view(self, layout(self).com, 3));
            return list;
          },
          nb::sig("def com(self) -> list[numpy.typing.NDArray[numpy.float64]]"),
          "List whose first entry is the centre of mass in the world, m.")
      .def_prop_ro(
          "mass",
          [](Data& self) {
            nb::list list;
            list.append(self.tree().view().total_mass);
            return list;
          },
          nb::sig("def mass(self) -> list[float]"), "List whose first entry is the total mass, kg.")
      .def_prop_ro(
          "M",
          [](nb::handle self) {
            Data& data = self_data(self);
            const npy_intp nv = data.tree().view().nv;
            return view(data.mass_matrix(), {nv, nv}, {nv, 1}, self.ptr(), false);
          },
          PANTIN_ARRAY_SIG("M"), "Joint-space inertia matrix, shape (nv, nv).")
      .def_prop_ro(
          "nle",
          [](nb::handle self) { return vector_view(self, layout(self).nle, self_data(self).tree().view().nv); },
          PANTIN_ARRAY_SIG("nle"), "Bias torques (Coriolis, centrifugal, gravity), shape (nv,).")
      .def_prop_ro(
          "g", [](nb::handle self) { return vector_view(self, layout(self).g, self_data(self).tree().view().nv); },
          PANTIN_ARRAY_SIG("g"), "Gravity torques, shape (nv,).")
      .def_prop_ro(
          "tau",
          [](nb::handle self) { return vector_view(self, layout(self).tau, self_data(self).tree().view().nv); },
          PANTIN_ARRAY_SIG("tau"), "Joint torques of the last `rnea`, shape (nv,).")
      .def_prop_ro(
          "ddq",
          [](nb::handle self) { return vector_view(self, layout(self).ddq, self_data(self).tree().view().nv); },
          PANTIN_ARRAY_SIG("ddq"), "Joint accelerations of the last `aba`, shape (nv,).")
      .def_prop_ro("hg", [](nb::handle self) { return vector_view(self, layout(self).hg, 6); },
                   PANTIN_ARRAY_SIG("hg"), "Centroidal momentum (linear, angular), shape (6,).")
      .def_prop_ro("Ag", [](nb::handle self) { return rows_view(self, layout(self).Ag, 6); },
                   PANTIN_ARRAY_SIG("Ag"), "Centroidal momentum matrix, shape (6, nv).")
      .def_prop_ro("kinetic_energy", [](Data& self) { return self.kinetic_energy; }, "Kinetic energy, J.")
      .def_prop_ro("potential_energy", [](Data& self) { return self.potential_energy; }, "Potential energy, J.")
      .def_prop_ro("mechanical_energy", [](Data& self) { return self.mechanical_energy; },
                   "Sum of the two, of the last `compute_mechanical_energy`, J.");
}

}  // namespace pantin
