// Centre of mass and its Jacobian.
#pragma once

#include "pantin/kin/jacobian.hpp"

namespace pantin::PANTIN_ISA {

// Mass-weighted centre of the moving bodies (as in Pinocchio, what the universe carries does not count);
// each subtree's sum of m p is left in `moments`. A model without mass has its centre at the origin.
template <class T>
inline Vec3<T> center_of_mass(const Tree& tree, const SE3<T>* oMi, Vec3<T>* moments) {
  moments[0] = zero3<T>();
  for (int i = 1; i < tree.njoints; ++i) {
    const Inertia& body = tree.inertias[i];
    moments[i] = T(body.mass) * (oMi[i].p + oMi[i].R * broadcast<T>(body.lever));
  }
  for (int i = tree.njoints - 1; i > 0; --i) {
    const int parent = tree.joints[i].parent;
    moments[parent] = moments[parent] + moments[i];
  }
  return T(tree.total_mass > 0 ? 1.0 / tree.total_mass : 0.0) * moments[0];
}

// Jacobian (3, nv) of the centre of mass, row-major; screws and moments are up to date.
// Column of a screw (v, w): (m v + w x sum m p) / total mass over the bodies it carries.
template <class T>
inline void jacobian_center_of_mass(const Tree& tree, const Motion<T>* S, const Vec3<T>* moments, T* Jcom) {
  clear_matrix(Jcom, 3 * tree.nv);
  const double scale = tree.total_mass > 0 ? 1.0 / tree.total_mass : 0.0;
  for (int i = 1; i < tree.njoints; ++i) {
    const Joint& joint = tree.joints[i];
    for (int k = 0; k < joint.nv; ++k) {
      const Motion<T>& s = S[joint.column + k];
      const Vec3<T> column = T(scale) * (T(tree.subtree_mass[i]) * s.v + cross(s.w, moments[i]));
      const int c = joint.v + k;
      Jcom[c] = Jcom[c] + column.x;
      Jcom[tree.nv + c] = Jcom[tree.nv + c] + column.y;
      Jcom[2 * tree.nv + c] = Jcom[2 * tree.nv + c] + column.z;
    }
  }
}

}  // namespace pantin::PANTIN_ISA
