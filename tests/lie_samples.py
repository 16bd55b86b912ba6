"""Rotations and twists where formulae break, and exponentials summed term by term in extended precision."""

from __future__ import annotations

import numpy as np

#: Angles at and around zero, half a turn, and where the kernels change from series to closed forms.
ANGLES = [
    0.0,
    *(1e-300, 1e-160, 1e-12, 1e-8, 1e-4, 1e-3),
    *(0.02 - 1e-9, 0.02 + 1e-9, 0.17320508, 0.17320509, 0.3464, 0.3465, 0.4999999, 0.5000001),
    *(1.0, 2.0, 3.0, np.pi - 1e-2, np.pi - 1e-4, np.pi - 1e-6, np.pi - 1e-8, np.pi - 1e-12, np.pi),
]


def directions(seed, count=4):
    """Unit vectors: along the axes of the frame, between them, and anywhere."""
    random = np.random.default_rng(seed)
    fixed = np.array([[1, 0, 0], [0, -1, 0], [0, 0, 1], [1, 1, 0], [0, -1, 1], [-1, 1, -1]], dtype=float)
    vectors = np.vstack([fixed, random.normal(size=(count, 3))])
    return vectors / np.linalg.norm(vectors, axis=1)[:, None]


def turns(seed=0):
    """Rotation vectors of every angle about every direction."""
    return [angle * axis for angle in ANGLES for axis in directions(seed)]


def twists(seed=0):
    """Twists that turn by every angle, with small and large translations."""
    random = np.random.default_rng(seed)
    return [
        np.concatenate([size * random.normal(size=3), turn])
        for turn in turns(seed)
        for size in (random.choice([0.0, 1e-9, 1e-3, 1.0, 1e3]),)
    ]


def hat3(w):
    """W with W u = w x u, in extended precision."""
    x, y, z = np.asarray(w, dtype=np.longdouble)
    zero = np.longdouble(0)
    return np.array([[zero, -z, y], [z, zero, -x], [-y, x, zero]])


def hat6(nu):
    """The (4, 4) matrix whose exponential is exp6."""
    matrix = np.zeros((4, 4), dtype=np.longdouble)
    matrix[:3, :3] = hat3(nu[3:])
    matrix[:3, 3] = nu[:3]
    return matrix


def bracket(nu):
    """The (6, 6) matrix of the Lie bracket with a twist."""
    matrix = np.zeros((6, 6), dtype=np.longdouble)
    matrix[:3, :3] = matrix[3:, 3:] = hat3(nu[3:])
    matrix[:3, 3:] = hat3(nu[:3])
    return matrix


def exponential(matrix):
    """Sum of matrix^k / k!."""
    return _series(matrix, 0)


def right_jacobian(matrix):
    """Sum of (-matrix)^k / (k + 1)!."""
    return _series(-matrix, 1)


def _series(matrix, shift):
    term = np.eye(len(matrix), dtype=np.longdouble)
    total = term.copy()
    for k in range(1, 60):
        term = term @ matrix / np.longdouble(k + shift)
        total += term
    return total
