// Bases of Python's tasks and limits.
#include "task.hpp"

#include <cmath>
#include <cstring>
#include <string>

#include "collected.hpp"
#include "instance.hpp"
#include "numpy_api.hpp"
#include "se3.hpp"

namespace pantin {

int kind_of(const char* name, const char* const* kinds, int count) {
  std::string known;
  for (int k = 0; k < count; ++k) {
    if (std::strcmp(name, kinds[k]) == 0) return k;
    known += (k ? ", " : "") + std::string(kinds[k]);
  }
  throw nb::value_error(("no kind '" + std::string(name) + "'; there is " + known).c_str());
}

Live live(nb::handle object) {
  PyObject* const o = object.ptr();
  if (PyArray_Check(o)) {
    auto* const array = reinterpret_cast<PyArrayObject*>(o);
    if (!is_plain(o) || PyArray_NDIM(array) != 1) return {};
    return {data_of(array), int(PyArray_DIM(array, 0))};
  }
  static PyTypeObject* const pose = reinterpret_cast<PyTypeObject*>(nb::type<Pose>().ptr());
  if ((Py_TYPE(o) == pose || PyType_IsSubtype(Py_TYPE(o), pose)) && nb::inst_ready(object))
    return {nb::inst_ptr<Pose>(object)->numbers(), 12};
  return {};
}

namespace {

nb::object arrays(const char* function) { return nb::module_::import_("pantin.arrays").attr(function); }

double checked(const char* name, nb::handle value) {
  if (PyFloat_CheckExact(value.ptr())) {
    const double number = PyFloat_AS_DOUBLE(value.ptr());
    if (number >= 0.0 && number <= 1e150) return number;
  }
  return nb::cast<double>(arrays("scalar")(name, value, nb::arg("lower") = 0.0));
}

// A held vector: None, or float64 numbers side by side.
void hold(nb::object& slot, nb::handle value, const char* name) {
  if (!value.is_none() && !live(value).numbers && !(is_plain(value.ptr()) && PyArray_NDIM(reinterpret_cast<PyArrayObject*>(value.ptr())) == 1))
    throw nb::type_error((std::string(name) + ": expected an SE3, a float64 vector or None").c_str());
  slot = nb::borrow(value);
}

void let_go(TaskBase& task) { task.cost = task.target = task.numbers = nb::none(); }
void let_go(LimitBase& limit) {
  limit.indices = limit.limited = limit.most = limit.previous = limit.lower = limit.upper = nb::none();
}

template <class T, nb::object T::*member>
void set_part(T& self, nb::object value) {
  self.*member = std::move(value);
  ++self.version;
}

}  // namespace

TaskBase::TaskBase(const char* name)
    : kind(static_cast<TaskKind>(kind_of(name, kTaskKinds, kTaskKindCount))), frames(nb::make_tuple()) {}

void TaskBase::set_cost(nb::handle value) {
  nb::object held = nb::borrow(value);
  if (value.is_none())
    cost_value = 1.0;
  else if (PyFloat_CheckExact(value.ptr()) && PyFloat_AS_DOUBLE(value.ptr()) >= 0.0 &&
           PyFloat_AS_DOUBLE(value.ptr()) <= 1e150)
    cost_value = PyFloat_AS_DOUBLE(value.ptr());
  else {
    held = arrays("weights")("cost", value);
    if (PyFloat_CheckExact(held.ptr())) cost_value = PyFloat_AS_DOUBLE(held.ptr());
  }
  cost = std::move(held);
}

LimitBase::LimitBase(const char* name)
    : kind(static_cast<LimitKind>(kind_of(name, kLimitKinds, 4))) {}

void bind_task(nb::module_& m) {
  nb::class_<TaskBase>(m, "TaskBase",
                       nb::type_slots(collected<TaskBase, let_go, &TaskBase::cost, &TaskBase::target, &TaskBase::numbers,
                                                &TaskBase::frames>()),
                       nb::is_weak_referenceable(), "What a task is underneath: live numbers that the core reads at each call.")
      .def(nb::init<const char*>(), nb::arg("kind"))
      .def_prop_ro("_kind", [](const TaskBase& self) { return kTaskKinds[int(self.kind)]; })
      .def_prop_rw(
          "gain", [](const TaskBase& self) { return self.gain; },
          [](TaskBase& self, nb::handle value) { self.gain = checked("gain", value); }, nb::arg("value").none(),
          nb::for_setter(nb::sig("def gain(self, value: float, /) -> None")),
          "Part of the error that a step takes away, 0 to 1; 1 goes all the way.")
      .def_prop_rw(
          "lm_damping", [](const TaskBase& self) { return self.lm_damping; },
          [](TaskBase& self, nb::handle value) { self.lm_damping = checked("lm_damping", value); }, nb::arg("value").none(),
          nb::for_setter(nb::sig("def lm_damping(self, value: float, /) -> None")),
          "Levenberg-Marquardt damping, a multiple of the squared weighted error.")
      .def_prop_rw(
          "priority", [](const TaskBase& self) { return self.priority; },
          [](TaskBase& self, nb::handle value) {
            self.priority = nb::cast<int>(arrays("count")("priority", value));
            ++self.version;
          },
          nb::arg("value").none(), nb::for_setter(nb::sig("def priority(self, value: int, /) -> None")),
          "Level of the task: 0 is served first, larger numbers within what the smaller ones leave free.")
      .def_prop_rw(
          "cost", [](const TaskBase& self) { return self.cost; },
          [](TaskBase& self, nb::handle value) { self.set_cost(value); }, nb::arg("value").none(),
          nb::for_getter(nb::sig("def cost(self) -> float | " PANTIN_ARRAY " | None")),
          nb::for_setter(nb::sig("def cost(self, value: numpy.typing.ArrayLike | None, /) -> None")),
          "Weight of the error: one number, or one for each row, live; None weighs by 1.")
      .def_prop_rw(
          "_target", [](const TaskBase& self) { return self.target; },
          [](TaskBase& self, nb::handle value) { hold(self.target, value, "target"); }, nb::arg("value").none(),
          nb::for_getter(nb::sig("def _target(self) -> typing.Any")),
          nb::for_setter(nb::sig("def _target(self, value: typing.Any, /) -> None")))
      .def_prop_rw(
          "_numbers", [](const TaskBase& self) { return self.numbers; },
          [](TaskBase& self, nb::handle value) {
            hold(self.numbers, value, "numbers");
            ++self.version;
          },
          nb::arg("value").none(), nb::for_getter(nb::sig("def _numbers(self) -> " PANTIN_ARRAY " | None")),
          nb::for_setter(nb::sig("def _numbers(self, value: " PANTIN_ARRAY " | None, /) -> None")))
      .def_prop_rw(
          "_frames", [](const TaskBase& self) { return self.frames; },
          [](TaskBase& self, nb::tuple value) { set_part<TaskBase, &TaskBase::frames>(self, value); },
          nb::arg("value"), nb::for_getter(nb::sig("def _frames(self) -> tuple[str, ...]")),
          nb::for_setter(nb::sig("def _frames(self, value: tuple[str, ...], /) -> None")))
      .def_prop_ro("_version", [](const TaskBase& self) { return self.version; });

  nb::class_<LimitBase>(
      m, "LimitBase",
      nb::type_slots(collected<LimitBase, let_go, &LimitBase::indices, &LimitBase::limited, &LimitBase::most,
                               &LimitBase::previous, &LimitBase::lower, &LimitBase::upper>()),
      nb::is_weak_referenceable(), "What a limit is underneath: live numbers that the core reads at each call.")
      .def(nb::init<const char*>(), nb::arg("kind"))
      .def_prop_ro("_kind", [](const LimitBase& self) { return kLimitKinds[int(self.kind)]; })
      .def_prop_rw(
          "_gain", [](const LimitBase& self) { return self.gain; },
          [](LimitBase& self, nb::handle value) { self.gain = checked("gain", value); }, nb::arg("value"),
          nb::for_setter(nb::sig("def _gain(self, value: float, /) -> None")))
      .def_prop_rw(
          "_previous_dt", [](const LimitBase& self) { return self.previous_dt; },
          [](LimitBase& self, nb::handle value) { self.previous_dt = checked("dt", value); }, nb::arg("value"),
          nb::for_setter(nb::sig("def _previous_dt(self, value: float, /) -> None")))
#define PANTIN_LIMIT_PART(name, member)                                                                      \
  .def_prop_rw(                                                                                              \
      name, [](const LimitBase& self) { return self.member; },                                               \
      [](LimitBase& self, nb::object value) { set_part<LimitBase, &LimitBase::member>(self, std::move(value)); }, \
      nb::arg("value").none(), nb::for_getter(nb::sig("def " name "(self) -> typing.Any")),                  \
      nb::for_setter(nb::sig("def " name "(self, value: typing.Any, /) -> None")))
      PANTIN_LIMIT_PART("_indices", indices)
      PANTIN_LIMIT_PART("_limited", limited)
      PANTIN_LIMIT_PART("_vector", most)
      PANTIN_LIMIT_PART("_previous", previous)
      PANTIN_LIMIT_PART("_lower", lower)
      PANTIN_LIMIT_PART("_upper", upper);
#undef PANTIN_LIMIT_PART
}

}  // namespace pantin
