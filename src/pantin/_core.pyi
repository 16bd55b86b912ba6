"""The compiled core of pantin."""

from collections.abc import Sequence
from typing import Any, overload

import numpy
from numpy import float64
import numpy.typing
from numpy.typing import ArrayLike, NDArray


def set_level(name: str) -> None:
    """
    Run the kernels at an instruction-set level: v2, v3, v4, generic, or the processor's best for "".

    Called once, when pantin is imported, with the environment variable PANTIN_LEVEL.

    Raises:
        ImportError: If the level is unknown, or the processor does not have it.
    """

def level() -> str:
    """
    Instruction-set level the kernels run at: v2, v3, v4 or generic (PANTIN_LEVEL chooses).
    """

def lanes() -> int:
    """Problems that a batch kernel serves at once."""

class Motion:
    """
    Spatial velocity or displacement: linear part, then angular part.

    Args:
        vector: Six numbers (linear, angular), m/s and rad/s or m and rad.

    Raises:
        InvalidArgument: If the vector is not six finite numbers.
    """

    def __init__(self, vector: numpy.typing.ArrayLike) -> None: ...

    @staticmethod
    def Zero() -> Motion:
        """Motion of nothing."""

    @property
    def vector(self) -> numpy.typing.NDArray[numpy.float64]:
        """The six numbers (linear, angular), writable."""

    @vector.setter
    def vector(self, value: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def linear(self) -> numpy.typing.NDArray[numpy.float64]:
        """Linear part, shape (3,), writable."""

    @linear.setter
    def linear(self, value: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def angular(self) -> numpy.typing.NDArray[numpy.float64]:
        """Angular part, shape (3,), writable."""

    @angular.setter
    def angular(self, value: numpy.typing.ArrayLike, /) -> None: ...

    def asarray(self) -> numpy.typing.NDArray[numpy.float64]:
        """The six numbers, sharing this motion's memory."""

    def __array__(self, dtype: object = None, copy: bool | None = None) -> numpy.typing.NDArray[numpy.float64]: ...

    def copy(self) -> Motion:
        """Motion with memory of its own."""

    def __add__(self, arg: Motion, /) -> Motion: ...

    def __sub__(self, arg: Motion, /) -> Motion: ...

    def __neg__(self) -> Motion: ...

    def __mul__(self, arg: float, /) -> Motion: ...

    def __rmul__(self, arg: float, /) -> Motion: ...

    def __getstate__(self) -> object: ...

    def __setstate__(self, arg: object, /) -> None: ...

    def __repr__(self) -> str: ...

class SE3:
    """
    Rigid transform: a rotation matrix and a translation.

    `a_from_c = a_from_b * b_from_c`; `@` is the same product. Attributes are live memory: writing into
    `rotation` or `translation` changes the transform. A transform taken out of a Data or a model is a
    read-only window on it; `copy()` gives one of your own.

    Args:
        rotation: Rotation matrix, shape (3, 3), identity by default; or a homogeneous matrix, shape (4, 4),
            with no translation given.
        translation: Translation, shape (3,), m; zero by default.

    Raises:
        InvalidArgument: If the rotation is farther than 1e-3 (Frobenius) from a rotation, or a value is not finite.
    """

    def __init__(self, rotation: numpy.typing.ArrayLike | None = None, translation: numpy.typing.ArrayLike | None = None) -> None: ...

    @staticmethod
    def Identity() -> SE3:
        """Transform that moves nothing."""

    @staticmethod
    def Random() -> SE3:
        """
        Uniform random rotation and a translation in [-1, 1]^3, from NumPy's global generator.
        """

    @staticmethod
    def Interpolate(A: SE3, B: SE3, alpha: float) -> SE3:
        """A exp(alpha log(A^-1 B)): A at alpha = 0, B at 1, along a screw."""

    @property
    def rotation(self) -> numpy.typing.NDArray[numpy.float64]:
        """Rotation matrix, shape (3, 3)."""

    @rotation.setter
    def rotation(self, value: numpy.typing.ArrayLike, /) -> None: ...

    @property
    def translation(self) -> numpy.typing.NDArray[numpy.float64]:
        """Translation, shape (3,), m."""

    @translation.setter
    def translation(self, value: numpy.typing.ArrayLike, /) -> None: ...

    def copy(self) -> SE3:
        """Transform with memory of its own."""

    def _frozen(self) -> SE3:
        """Read-only copy, for what a model holds."""

    def __copy__(self) -> SE3: ...

    def __deepcopy__(self, memo: object) -> SE3: ...

    def inverse(self) -> SE3:
        """Transform that undoes this one."""

    @overload
    def act(self, other: SE3) -> SE3:
        """Compose with a transform."""

    @overload
    def act(self, other: Motion) -> Motion:
        """Carry a twist into the frame this transform maps to."""

    @overload
    def act(self, other: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]:
        """Move points, shape (..., 3), m."""

    @overload
    def act_inv(self, other: SE3) -> SE3: ...

    @overload
    def act_inv(self, other: Motion) -> Motion: ...

    @overload
    def act_inv(self, other: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]:
        """What `inverse().act(other)` gives."""

    @overload
    def __mul__(self, arg: SE3, /) -> SE3: ...

    @overload
    def __mul__(self, arg: Motion, /) -> Motion: ...

    @overload
    def __mul__(self, other: numpy.typing.NDArray[numpy.float64], /) -> numpy.typing.NDArray[numpy.float64]: ...

    @overload
    def __matmul__(self, arg: SE3, /) -> SE3: ...

    @overload
    def __matmul__(self, arg: Motion, /) -> Motion: ...

    @overload
    def __matmul__(self, other: numpy.typing.NDArray[numpy.float64], /) -> numpy.typing.NDArray[numpy.float64]: ...

    @property
    def homogeneous(self) -> numpy.typing.NDArray[numpy.float64]:
        """Homogeneous matrix, shape (4, 4), a copy."""

    def toarray(self) -> numpy.typing.NDArray[numpy.float64]:
        """Homogeneous matrix, shape (4, 4), a copy."""

    def __array__(self, dtype: object = None, copy: bool | None = None) -> numpy.typing.NDArray[numpy.float64]: ...

    @property
    def action(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        Adjoint matrix, shape (6, 6): carries twists (linear, angular) as `act` does.
        """

    @property
    def action_inverse(self) -> numpy.typing.NDArray[numpy.float64]:
        """Adjoint matrix of the inverse."""

    def is_approx(self, other: SE3, prec: float = 1e-12) -> bool:
        """
        True if every number agrees within `prec`, plus 1e-5 of its size (NumPy's allclose).
        """

    def __getstate__(self) -> object: ...

    def __setstate__(self, arg: object, /) -> None: ...

    def __repr__(self) -> str: ...

    __array_priority__: float = 100.0

def _exp3(values: numpy.typing.NDArray[numpy.float64]) -> numpy.typing.NDArray[numpy.float64]:
    """
    Rows of numbers mapped by the kernel of this name; the caller has checked them.
    """

def _log3(values: numpy.typing.NDArray[numpy.float64]) -> numpy.typing.NDArray[numpy.float64]:
    """
    Rows of numbers mapped by the kernel of this name; the caller has checked them.
    """

def _exp6(values: numpy.typing.NDArray[numpy.float64]) -> numpy.typing.NDArray[numpy.float64]:
    """
    Rows of numbers mapped by the kernel of this name; the caller has checked them.
    """

def _log6(values: numpy.typing.NDArray[numpy.float64]) -> numpy.typing.NDArray[numpy.float64]:
    """
    Rows of numbers mapped by the kernel of this name; the caller has checked them.
    """

def _Jexp3(values: numpy.typing.NDArray[numpy.float64]) -> numpy.typing.NDArray[numpy.float64]:
    """
    Rows of numbers mapped by the kernel of this name; the caller has checked them.
    """

def _Jlog3(values: numpy.typing.NDArray[numpy.float64]) -> numpy.typing.NDArray[numpy.float64]:
    """
    Rows of numbers mapped by the kernel of this name; the caller has checked them.
    """

def _Jexp6(values: numpy.typing.NDArray[numpy.float64]) -> numpy.typing.NDArray[numpy.float64]:
    """
    Rows of numbers mapped by the kernel of this name; the caller has checked them.
    """

def _Jlog6(values: numpy.typing.NDArray[numpy.float64]) -> numpy.typing.NDArray[numpy.float64]:
    """
    Rows of numbers mapped by the kernel of this name; the caller has checked them.
    """

def _quaternion(values: numpy.typing.NDArray[numpy.float64]) -> numpy.typing.NDArray[numpy.float64]:
    """
    Rows of numbers mapped by the kernel of this name; the caller has checked them.
    """

def exp3(w: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]:
    """
    Rotation matrix of a rotation vector (Rodrigues' formula).

    Args:
        w: Rotation vector, shape (3,): axis times angle, rad.

    Returns:
        Rotation matrix, shape (3, 3).

    Raises:
        InvalidArgument: If `w` is not three finite numbers.
    """

def exp6(nu: Motion | numpy.typing.ArrayLike) -> SE3:
    """
    Rigid transform reached by following a constant twist for unit time.

    Args:
        nu: Motion, or six numbers (linear, angular), m and rad.

    Returns:
        The transform whose logarithm is the twist.

    Raises:
        InvalidArgument: If `nu` is not six finite numbers.
    """

def log6(M: SE3) -> Motion:
    """
    Twist whose exponential is a rigid transform.

    Args:
        M: Transform, or what `as_se3` accepts in its place.

    Returns:
        Twist (linear, angular), m and rad, with a turn of at most pi.

    Raises:
        InvalidArgument: If `M` is not a rigid transform.
    """

class Tree:
    """The compiled, immutable form of a model."""

    def __init__(self, *, kind: Sequence[int], parent: Sequence[int], q: Sequence[int], v: Sequence[int], master: Sequence[int], multiplier: Sequence[float], offset: Sequence[float], pitch: Sequence[float], axis: Sequence[float], placement: Sequence[float], inertia: Sequence[float], frame_joint: Sequence[int], frame_placement: Sequence[float], armature: Sequence[float], gravity: Sequence[float]) -> None: ...

    def __getstate__(self) -> object: ...

    def __setstate__(self, arg: object, /) -> None: ...

    @property
    def nq(self) -> int: ...

    @property
    def nv(self) -> int: ...

    @property
    def has_mimic(self) -> bool: ...

class ModelBase:
    """Holds a model's compiled tree; `_compile` makes it when it is needed."""

    def __init__(self) -> None: ...

    @property
    def _tree(self) -> Tree | None: ...

    @_tree.setter
    def _tree(self, tree: Tree | None, /) -> None: ...

class PoseList:
    """List-like view of poses in a Data; entries share its memory."""

    def __len__(self) -> int: ...

    @overload
    def __getitem__(self, index: int) -> SE3: ...

    @overload
    def __getitem__(self, index: slice) -> list[SE3]: ...

    def __repr__(self) -> str: ...

class Data:
    """
    Buffers that algorithms write, for one caller.

    A model may be shared between threads; each thread brings a Data of its own. Arrays are read-only views of
    the buffers and change with the next computation; copy what has to stay.

    Args:
        model: Model to make buffers for; a Data serves the version of the model it was made for.
    """

    def __init__(self, model: ModelBase) -> None: ...

    def copy(self) -> Data:
        """Data with the same values in buffers of its own."""

    def __copy__(self) -> Data: ...

    def __deepcopy__(self, memo: object) -> Data: ...

    def __repr__(self) -> str: ...

    def __getstate__(self) -> object: ...

    def __setstate__(self, arg: object, /) -> None: ...

    @property
    def _tree(self) -> Tree: ...

    def _buffer(self) -> numpy.typing.NDArray[numpy.float64]: ...

    @property
    def oMi(self) -> PoseList:
        """Placements of the joints in the world."""

    @property
    def oMf(self) -> PoseList:
        """Placements of the frames in the world."""

    @property
    def J(self) -> numpy.typing.NDArray[numpy.float64]:
        """Joint screws about the world's origin, shape (6, nv)."""

    @property
    def dJ(self) -> numpy.typing.NDArray[numpy.float64]:
        """Rate of `J`, shape (6, nv)."""

    @property
    def Jcom(self) -> numpy.typing.NDArray[numpy.float64]:
        """Jacobian of the centre of mass, shape (3, nv)."""

    @property
    def com(self) -> list[numpy.typing.NDArray[numpy.float64]]:
        """List whose first entry is the centre of mass in the world, m."""

    @property
    def mass(self) -> list[float]:
        """List whose first entry is the total mass, kg."""

    @property
    def M(self) -> numpy.typing.NDArray[numpy.float64]:
        """Joint-space inertia matrix, shape (nv, nv)."""

    @property
    def nle(self) -> numpy.typing.NDArray[numpy.float64]:
        """Bias torques (Coriolis, centrifugal, gravity), shape (nv,)."""

    @property
    def g(self) -> numpy.typing.NDArray[numpy.float64]:
        """Gravity torques, shape (nv,)."""

    @property
    def tau(self) -> numpy.typing.NDArray[numpy.float64]:
        """Joint torques of the last `rnea`, shape (nv,)."""

    @property
    def ddq(self) -> numpy.typing.NDArray[numpy.float64]:
        """Joint accelerations of the last `aba`, shape (nv,)."""

    @property
    def hg(self) -> numpy.typing.NDArray[numpy.float64]:
        """Centroidal momentum (linear, angular), shape (6,)."""

    @property
    def Ag(self) -> numpy.typing.NDArray[numpy.float64]:
        """Centroidal momentum matrix, shape (6, nv)."""

    @property
    def kinetic_energy(self) -> float:
        """Kinetic energy, J."""

    @property
    def potential_energy(self) -> float:
        """Potential energy, J."""

    @property
    def mechanical_energy(self) -> float:
        """Sum of the two, of the last `compute_mechanical_energy`, J."""

def _screw_rates(data: Data) -> None:
    """Rates of all screws from the velocities in the data."""

def _jacobian_rate(data: Data, joint: int, pose: SE3, reference_frame: int) -> numpy.typing.NDArray[numpy.float64]:
    """Rate of the Jacobian of a pose carried by a joint."""

def _d_difference(tree: Tree, q0: numpy.typing.ArrayLike, q1: numpy.typing.ArrayLike, argument: int) -> numpy.typing.NDArray[numpy.float64]:
    """Derivative of the difference, shape (nv, nv)."""

def _d_integrate(tree: Tree, v: numpy.typing.ArrayLike, argument: int) -> numpy.typing.NDArray[numpy.float64]:
    """Derivative of the integration, shape (nv, nv)."""

def _batch_frame_placements(tree: Tree, frame: int, q: object, out: object, threads: int) -> None:
    """Poses of a frame, rows of q to rows of out."""

def _batch_frame_jacobians(tree: Tree, frame: int, reference_frame: int, q: object, out: object, threads: int) -> None:
    """Jacobians of a frame, rows of q to rows of out."""

def _batch_center_of_mass(tree: Tree, q: object, out: object, threads: int) -> None:
    """Centres of mass, rows of q to rows of out."""

def _batch_integrate(tree: Tree, q: object, v: object, out: object, threads: int) -> None:
    """Configurations reached, row by row."""

def _batch_difference(tree: Tree, q0: object, q1: object, out: object, threads: int) -> None:
    """Tangent displacements, row by row."""

def _check_units(tree: Tree, q: object) -> int:
    """
    First entry of a quaternion or (cos, sin) pair that is not of unit norm, counted over all rows, or -1.
    """

def _batch_rnea(tree: Tree, q: object, v: object, a: object, fext: object | None, out: object, threads: int) -> None:
    """Joint torques, row by row."""

def _batch_crba(tree: Tree, q: object, out: object, threads: int) -> None:
    """Mass matrices, rows of q to rows of out."""

def _batch_aba(tree: Tree, q: object, v: object, tau: object, fext: object | None, out: object, threads: int) -> int:
    """
    Joint accelerations, row by row; row * nv + entry of the first joint that moves no inertia, or -1.
    """

class ClosedForm:
    """
    Closed-form inverse kinematics of a frame that six turning joints move.
    """

    def __init__(self, tree: Tree, frame: int, root: int) -> None: ...

    @property
    def kind(self) -> str | None:
        """
        What makes the closed form possible, in words; None where there is none.
        """

    def solve(self, pose: numpy.typing.ArrayLike, rest: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]:
        """
        All angles that bring the frame to a pose.

        Args:
            pose: Homogeneous matrix by rows, 16 numbers, in the root, m.
            rest: Angles for joints that a singular pose leaves free, shape (6,), rad.

        Returns:
            Angles in (-pi, pi], shape (n, 6), rad.
        """

def first_improper(rows: numpy.typing.NDArray[numpy.float64]) -> int:
    """
    Index of the first row of twelve numbers whose nine do not make a rotation; their count where all do.
    """

class ReachCore:
    """What a reach solver is underneath."""

    def __init__(self, **given: object) -> None: ...

    def _solve_batch(self, targets: numpy.typing.NDArray[numpy.float64], seeds: numpy.typing.NDArray[numpy.float64] | None, threads: int, out: numpy.typing.NDArray[numpy.float64] | None = None) -> tuple[numpy.typing.NDArray[numpy.float64], ...]:
        """
        Answers to rows of twelve numbers: configurations, which go to `out` where it is given, status numbers, errors, distances, iterations, starts.
        """

    def _derivatives(self, q: numpy.typing.NDArray[numpy.float64], target: numpy.typing.NDArray[numpy.float64]) -> tuple[numpy.typing.NDArray[numpy.float64], ...]:
        """
        Error rows, rows of the transposed Jacobian, and second derivatives of half the squared error.
        """

    def _starts(self, count: int) -> numpy.typing.NDArray[numpy.float64]:
        """
        Configurations spread evenly over the limits, shape (count, nq), the middle first.
        """

    @property
    def _chooser(self) -> object:
        """Answers in the core's place unless it is None."""

    @_chooser.setter
    def _chooser(self, arg: object, /) -> None: ...

    def _displaced(self, q: numpy.typing.NDArray[numpy.float64], u: numpy.typing.NDArray[numpy.float64]) -> numpy.typing.NDArray[numpy.float64]:
        """Configuration that a step u of the unknowns leads to."""

    def solve(self, target: object, seed: ArrayLike | None = None) -> ReachOutcome:
        """
        Configuration that brings the frame to a target.

        Args:
            target: What the mode asks for. A pose (also for "axis", and "rcm" with a roll): an `SE3`, a `pinocchio.SE3`, a
                matrix (4, 4), or a pair of position and quaternion (x, y, z, w). A position, a point to aim at, or where the
                tip shall be: shape (3,), m. A direction: shape (3,). An orientation: a matrix (3, 3) or a quaternion
                (x, y, z, w).
            seed: Configuration to start from and to stay near to, shape (nq,); one outside the limits is clipped and noted.
                Without one no branch is preferred; joints that do not move the frame then stand in the middle of their
                limits, at rest where there are none, and distances count from there.

        Returns:
            The answer, whether or not the target was reached.

        Raises:
            InvalidArgument: If the target or the seed has the wrong shape or is not finite, or a rotation is none.
            InvalidModel: If the model's limits contradict each other.
        """

class ReachOutcome:
    """What a reach result is underneath."""

    @property
    def q(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        Configuration, shape (nq,), within limits: the answer, or the nearest that was found.
        """

    @property
    def success(self) -> bool:
        """True if all tolerances are met."""

    @property
    def position_error(self) -> float:
        """Distance to the target, m; 0 where the mode asks for no position."""

    @property
    def rotation_error(self) -> float:
        """Angle to the target, rad; 0 where the mode asks for no rotation."""

    @property
    def iterations(self) -> int:
        """Iterations of the start that gave the answer."""

    @property
    def starts(self) -> int:
        """Starts that were compared."""

    @property
    def seed_distance(self) -> float:
        """Largest motion of one joint from the seed, rad or m."""

    def _amend(self, *, position_error: float, rotation_error: float, seed_distance: float, starts: int, status: int) -> None:
        """What is known of another answer that was put in the place of q."""

    @property
    def _status(self) -> int: ...

    @property
    def _solver(self) -> object: ...

    @property
    def _target(self) -> numpy.typing.NDArray[numpy.float64]: ...

    @property
    def _at_limit(self) -> list[int]: ...

    @property
    def _beyond(self) -> list[int]: ...

    @property
    def _seed_clipped(self) -> bool: ...

    @property
    def _target_projected(self) -> bool: ...

class ProblemCore:
    """What a problem is underneath."""

    def __init__(self, model: object, *, lower: object, upper: object, position_tolerance: float, rotation_tolerance: float, max_iterations: int, max_starts: int, random_seed: int, time_limit_ms: float) -> None: ...

    def _ask(self, described: list[tuple[int, int, int, list[float], list[float], float, float]], locked: list[bool], residuals: tuple[object, ...], targets: numpy.typing.NDArray[numpy.float64]) -> None:
        """Replaces what is asked."""

    def _set_target(self, index: int, residual: object, target: object) -> None:
        """
        Replaces a target; `residual._read` reads what is neither a pose nor a plain array.
        """

    def _be_near(self, q: Sequence[float], weights: Sequence[float]) -> None:
        """Replaces the posture, and the weight of each entry of the tangent."""

    def _solve_batch(self, targets: list[numpy.typing.NDArray[numpy.float64]], seeds: numpy.typing.NDArray[numpy.float64] | None, threads: int, out: numpy.typing.NDArray[numpy.float64]) -> tuple[numpy.typing.NDArray[numpy.float64], ...]:
        """
        Configurations, which go to `out`, and status numbers, errors, distances, iterations, starts.
        """

    def _derivatives(self, q: numpy.typing.NDArray[numpy.float64]) -> tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64]]:
        """Stacked errors, and rows of the transposed Jacobian, one an unknown."""

    def _displaced(self, q: numpy.typing.NDArray[numpy.float64], u: numpy.typing.NDArray[numpy.float64]) -> numpy.typing.NDArray[numpy.float64]:
        """Configuration that a step u of the unknowns leads to."""

    @property
    def _targets(self) -> numpy.typing.NDArray[numpy.float64]: ...

    def solve(self, seed: ArrayLike | None = None) -> ProblemOutcome:
        """
        Configuration that meets all residuals at once.

        Args:
            seed: Configuration to start from, shape (nq,); one outside the limits is clipped and noted. Locked joints, and
                joints that move nothing that is asked for, stay as it has them. By default the middle of the limits, at rest
                where there are none.

        Returns:
            The answer, whether or not the targets were reached.

        Raises:
            InvalidArgument: If there is no residual, or the seed has the wrong shape or is not finite.
            InvalidModel: If the model's limits contradict each other.
        """

class ProblemOutcome:
    """What a problem's result is underneath."""

    @property
    def q(self) -> numpy.typing.NDArray[numpy.float64]:
        """
        Configuration, shape (nq,), within limits: the answer, or the nearest that was found.
        """

    @property
    def success(self) -> bool:
        """True if all tolerances are met."""

    @property
    def iterations(self) -> int:
        """Iterations of the start that gave the answer."""

    @property
    def starts(self) -> int:
        """Starts that were compared."""

    @property
    def seed_distance(self) -> float:
        """Largest motion of one joint from the seed, rad or m."""

    @property
    def _status(self) -> int: ...

    @property
    def _problem(self) -> object: ...

    @property
    def _residuals(self) -> object: ...

    @property
    def _targets(self) -> numpy.typing.NDArray[numpy.float64]: ...

    @property
    def _errors(self) -> numpy.typing.NDArray[numpy.float64]: ...

    @property
    def _at_limit(self) -> list[int]: ...

    @property
    def _beyond(self) -> list[int]: ...

    @property
    def _seed_clipped(self) -> bool: ...

def _follow(core: ReachCore, targets: numpy.typing.NDArray[numpy.float64], start: numpy.typing.NDArray[numpy.float64] | None, most: numpy.typing.NDArray[numpy.float64] | None, speed: numpy.typing.NDArray[numpy.float64] | None, times: numpy.typing.NDArray[numpy.float64] | None, jumps: bool, thorough: bool, position: float, rotation: float) -> tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], list[tuple[int, int]], numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64], list[int]]:
    """
    A walk along rows of twelve numbers: configurations, errors, 1 where reached, where it was blocked and why, configurations with cuts between waypoints and their places, and the waypoints that cuts do not lead to.
    """

class QpOutcome:
    """What a quadratic program came to."""

    @property
    def x(self, /) -> numpy.typing.NDArray[numpy.float64]:
        """Unknowns, shape (n,); finite and within the bounds."""

    @property
    def status(self) -> str:
        """solved, infeasible, not_finite or stalled."""

    @property
    def iterations(self) -> int:
        """Sets of constraints that were tried, or changes of one."""

    @property
    def held(self, /) -> numpy.typing.NDArray[numpy.int8]:
        """
        What holds: -1 at the lower bound, 1 at the upper one or at a row, else 0; bounds, then rows of A and G.
        """

    @property
    def multipliers(self, /) -> numpy.typing.NDArray[numpy.float64]:
        """
        Of each constraint in the same order: H x + c + y[:n] + [A, G]' y[n:] = 0.
        """

    @property
    def conflicts(self) -> list[int]:
        """Numbers of constraints, in the same order, that cannot hold together."""

def solve_qp(H: numpy.typing.ArrayLike, c: numpy.typing.ArrayLike, lower: numpy.typing.ArrayLike | None = None, upper: numpy.typing.ArrayLike | None = None, G: numpy.typing.ArrayLike | None = None, h: numpy.typing.ArrayLike | None = None, A: numpy.typing.ArrayLike | None = None, b: numpy.typing.ArrayLike | None = None, held: numpy.typing.ArrayLike | None = None, *, finite: bool = True) -> QpOutcome:
    """
    Minimise x'Hx / 2 + c'x where A x = b, G x <= h and lower <= x <= upper.

    Args:
        H: Symmetric positive semidefinite, shape (n, n); where it is singular, x is the minimum of least norm.
        c: Shape (n,).
        lower: Lower bounds, shape (n,), -inf where there is none.
        upper: Upper bounds alike.
        G: Rows of inequalities, shape (m, n).
        h: Their right sides, shape (m,); inf where there is none.
        A: Rows of equalities, shape (k, n).
        b: Their right sides, shape (k,).
        held: What held the last time, as an outcome tells it; a guess that saves time.
        finite: Refuse numbers that are not finite; otherwise the status tells of them.

    Raises:
        InvalidArgument: If a shape does not fit, H is not symmetric, or a number is none.
    """

def least_violating_qp(H: numpy.typing.ArrayLike, c: numpy.typing.ArrayLike, lower: numpy.typing.ArrayLike | None = None, upper: numpy.typing.ArrayLike | None = None, G: numpy.typing.ArrayLike | None = None, h: numpy.typing.ArrayLike | None = None, A: numpy.typing.ArrayLike | None = None, b: numpy.typing.ArrayLike | None = None, *, finite: bool = True) -> numpy.typing.NDArray[numpy.float64]:
    """
    The x within bounds that misses rows least, by the sum of squares, and of these the one of least objective.

    Takes the arguments of `solve_qp`, and raises as it does.
    """

def fit_look(lens: numpy.typing.NDArray[numpy.float64], points: numpy.typing.NDArray[numpy.float64]) -> numpy.typing.NDArray[numpy.float64]:
    """
    Rows of points in the camera frame to rows of u, v, du (3), dv (3) and depth; the caller has checked them.
    """

def fit_undistort(lens: numpy.typing.NDArray[numpy.float64], pixels: numpy.typing.NDArray[numpy.float64]) -> numpy.typing.NDArray[numpy.float64]:
    """
    Rows of pixels to rows of x and y at depth 1, NaN where no ray comes to them; the caller has checked them.
    """

def fit_rho(loss: int, scale: float, e2: numpy.typing.NDArray[numpy.float64]) -> numpy.typing.NDArray[numpy.float64]:
    """
    Squared misfits to rows of a loss and its first two derivatives; the caller has checked them.
    """

def fit_rigid(from_points: numpy.typing.NDArray[numpy.float64], to_points: numpy.typing.NDArray[numpy.float64], weights: numpy.typing.NDArray[numpy.float64] | None = None) -> tuple[int, numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64]]:
    """
    What points tell of a rigid motion (0 nothing, 1 its translation, 2 a line, 3 all), its R and its t; the caller has checked them.
    """

def fit_triangulate(lenses: numpy.typing.NDArray[numpy.float64], rotations: numpy.typing.NDArray[numpy.float64], translations: numpy.typing.NDArray[numpy.float64], pixels: numpy.typing.NDArray[numpy.float64], weights: numpy.typing.NDArray[numpy.float64] | None = None) -> numpy.typing.NDArray[numpy.float64]:
    """
    Points of their pixels in several cameras, NaN where there is none; the caller has checked them.
    """

def fit_resect(lens: numpy.typing.NDArray[numpy.float64], points: numpy.typing.NDArray[numpy.float64], pixels: numpy.typing.NDArray[numpy.float64], weights: numpy.typing.NDArray[numpy.float64] | None = None) -> tuple[bool, numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64]]:
    """
    Whether a pose of a body in the camera frame was found, its R and its t; the caller has checked them.
    """

class FitCore:
    """A body plan bound to what is observed of it and to how it is fitted."""

    def __init__(self, **given: object) -> None: ...

    def aligned(self, **given: object) -> numpy.typing.NDArray[numpy.float64]:
        """Where the cold fit of a frame starts, as a row."""

    def solve_one(self, points: object, weights: object, root_pos: object, root_quat: object, dofs: object) -> tuple[Any, ...] | None:
        """
        The fit of one frame of points; None where an argument is no plain array.
        """

    def run(self, **given: object) -> int:
        """Fit the tracks of a recording; returns how many frames were begun."""

class TaskBase:
    """
    What a task is underneath: live numbers that the core reads at each call.
    """

    def __init__(self, kind: str) -> None: ...

    @property
    def _kind(self) -> str: ...

    @property
    def gain(self) -> float:
        """Part of the error that a step takes away, 0 to 1; 1 goes all the way."""

    @gain.setter
    def gain(self, value: float, /) -> None: ...

    @property
    def lm_damping(self) -> float:
        """Levenberg-Marquardt damping, a multiple of the squared weighted error."""

    @lm_damping.setter
    def lm_damping(self, value: float, /) -> None: ...

    @property
    def priority(self) -> int:
        """
        Level of the task: 0 is served first, larger numbers within what the smaller ones leave free.
        """

    @priority.setter
    def priority(self, value: int, /) -> None: ...

    @property
    def cost(self) -> float | numpy.typing.NDArray[numpy.float64] | None:
        """
        Weight of the error: one number, or one for each row, live; None weighs by 1.
        """

    @cost.setter
    def cost(self, value: numpy.typing.ArrayLike | None, /) -> None: ...

    @property
    def _target(self) -> Any: ...

    @_target.setter
    def _target(self, value: Any, /) -> None: ...

    @property
    def _numbers(self) -> numpy.typing.NDArray[numpy.float64] | None: ...

    @_numbers.setter
    def _numbers(self, value: numpy.typing.NDArray[numpy.float64] | None, /) -> None: ...

    @property
    def _frames(self) -> tuple[str, ...]: ...

    @_frames.setter
    def _frames(self, value: tuple[str, ...], /) -> None: ...

    @property
    def _version(self) -> int: ...

class LimitBase:
    """
    What a limit is underneath: live numbers that the core reads at each call.
    """

    def __init__(self, kind: str) -> None: ...

    @property
    def _kind(self) -> str: ...

    @property
    def _gain(self) -> float: ...

    @_gain.setter
    def _gain(self, value: float, /) -> None: ...

    @property
    def _previous_dt(self) -> float: ...

    @_previous_dt.setter
    def _previous_dt(self, value: float, /) -> None: ...

    @property
    def _indices(self) -> Any: ...

    @_indices.setter
    def _indices(self, value: Any, /) -> None: ...

    @property
    def _limited(self) -> Any: ...

    @_limited.setter
    def _limited(self, value: Any, /) -> None: ...

    @property
    def _vector(self) -> Any: ...

    @_vector.setter
    def _vector(self, value: Any, /) -> None: ...

    @property
    def _previous(self) -> Any: ...

    @_previous.setter
    def _previous(self, value: Any, /) -> None: ...

    @property
    def _lower(self) -> Any: ...

    @_lower.setter
    def _lower(self, value: Any, /) -> None: ...

    @property
    def _upper(self) -> Any: ...

    @_upper.setter
    def _upper(self, value: Any, /) -> None: ...

class ConfigurationBase:
    """
    What a configuration is underneath: a model, a data and a q that agree.
    """

    def __init__(self, model: ModelBase, data: Data, q: numpy.typing.ArrayLike, fresh: bool, shared: bool) -> None: ...

    @property
    def model(self) -> Any:
        """The model."""

    @property
    def data(self) -> Data:
        """Buffers of the model with joints, screws and frames placed for `q`."""

    @property
    def q(self) -> numpy.typing.NDArray[numpy.float64]:
        """Configuration, shape (nq,), read-only; each update makes a new array."""

    @property
    def _shared(self) -> bool: ...

    def _move(self, q: numpy.typing.ArrayLike) -> None:
        """Go to a configuration."""

    def _place(self) -> None:
        """Bring the data up to date with q."""

    def _first_outside(self, tolerance: float) -> int:
        """
        First entry of q behind the root joint that is outside its limits by more than a tolerance, or -1.
        """

def task_error(task: TaskBase, configuration: ConfigurationBase) -> numpy.typing.NDArray[numpy.float64]:
    """Error of a task of the core."""

def task_jacobian(task: TaskBase, configuration: ConfigurationBase) -> numpy.typing.NDArray[numpy.float64]:
    """Jacobian of a task of the core, shape (rows, nv)."""

def limit_bounds(limit: LimitBase, configuration: ConfigurationBase, dt: float) -> tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64]]:
    """
    Bounds of a displacement that a limit of the core sets, (lower, upper) for each of its indices.
    """

class StepCore:
    """What a DifferentialIK is underneath."""

    def __init__(self, model: ModelBase, tasks: tuple[Any, ...], limits: tuple[Any, ...], barriers: tuple[Any, ...], constraints: tuple[Any, ...], damping: float, escapes: bool, settles: bool, solver: Any) -> None: ...

    @property
    def model(self) -> Any:
        """The model."""

    @property
    def _tasks(self) -> tuple[Any, ...]: ...

    @property
    def _limits(self) -> tuple[Any, ...]: ...

    @property
    def _barriers(self) -> tuple[Any, ...]: ...

    @property
    def _constraints(self) -> tuple[Any, ...]: ...

    @property
    def _status(self) -> int: ...

    @property
    def _conflicts(self) -> list[tuple[str, int, int]]: ...

    @property
    def qp_iterations(self) -> int:
        """Changes of the set of active limits in the last step."""

    def _problem(self, configuration: ConfigurationBase, dt: float) -> tuple[numpy.typing.NDArray[numpy.float64], ...]: ...

    def step(self, configuration: ConfigurationBase, dt: float) -> numpy.typing.NDArray[numpy.float64]:
        """
        Velocity that does best at all tasks within what is allowed; the configuration moves by it.

        Args:
            configuration: Configuration of the robot, which is integrated in place.
            dt: Duration of the step, s; zero moves nothing.

        Returns:
            Velocity, shape (nv,), m/s or rad/s; always finite, whatever the state of the world (see `status`).

        Raises:
            TargetNotSet: If a task has no target.
            InvalidArgument: If dt is negative or not finite.
            StaleData: If the configuration is of another model.
        """

    def solve(self, configuration: ConfigurationBase, dt: float) -> numpy.typing.NDArray[numpy.float64]:
        """
        Velocity of a step, as `step` gives it; the configuration stays.

        Args:
            configuration: Configuration of the robot.
            dt: Duration of the step, s.

        Returns:
            Velocity, shape (nv,), m/s or rad/s.
        """

class BatchCore:
    """What a BatchIK is underneath."""

    def __init__(self, model: ModelBase, tasks: tuple[Any, ...], limits: tuple[Any, ...], damping: float, settles: bool) -> None: ...

    @property
    def model(self) -> Any:
        """The model."""

    def _parts(self) -> tuple[list[int], list[int], list[int], int]:
        """
        Numbers of the target of each task, or -1; places of the tasks and limits that Python defines; the number of priorities.
        """

    def _run(self, q: numpy.typing.NDArray[numpy.float64], dt: float, steps: int, targets: list[numpy.typing.NDArray[numpy.float64] | None], before: numpy.typing.NDArray[numpy.float64] | None, q_after: numpy.typing.NDArray[numpy.float64], v: numpy.typing.NDArray[numpy.float64], status: numpy.typing.NDArray[numpy.int8], threads: int) -> None:
        """Steps one after the other from each row of q."""

def forward_kinematics(model: ModelBase, data: Data, q: ArrayLike, v: ArrayLike | None = None, a: ArrayLike | None = None) -> None:
    """
    Placements of all joints for a configuration, and their velocities and accelerations.

    Args:
        model: Robot model.
        data: Data of the model; `oMi` is updated.
        q: Configuration, shape (nq,), m or rad per joint.
        v: Velocity, shape (nv,), m/s or rad/s; with it `get_velocity` answers.
        a: Acceleration, shape (nv,), m/s^2 or rad/s^2; with it `get_acceleration` answers.

    Raises:
        InvalidArgument: If a vector has the wrong size, is not finite, or a quaternion or (cos, sin) pair of q
            is not of unit norm.
        StaleData: If the data belongs to another model, or to the model before it was edited.
    """

def update_frame_placements(model: ModelBase, data: Data) -> None:
    """
    Placements of all frames from those of the joints.

    Args:
        model: Robot model.
        data: Data with joint placements; `oMf` is updated.

    Raises:
        StaleData: If the data belongs to another model, or to the model before it was edited.
    """

def frames_forward_kinematics(model: ModelBase, data: Data, q: ArrayLike) -> None:
    """
    Placements of all joints and frames for a configuration.

    Args:
        model: Robot model.
        data: Data of the model; `oMi` and `oMf` are updated.
        q: Configuration, shape (nq,), m or rad per joint.

    Raises:
        InvalidArgument: If q has the wrong size, is not finite, or not normalised.
        StaleData: If the data belongs to another model, or to the model before it was edited.
    """

def compute_joint_jacobians(model: ModelBase, data: Data, q: ArrayLike | None = None) -> NDArray[float64]:
    """
    Screws of all joints about the world's origin.

    Args:
        model: Robot model.
        data: Data of the model; `J` is updated, and `oMi` where q is given.
        q: Configuration, shape (nq,); without it the joint placements in `data` serve.

    Returns:
        Copy of `data.J`, shape (6, nv), rows linear then angular. Columns of mimic joints are added to their masters'.

    Raises:
        InvalidArgument: If q has the wrong size, is not finite, or not normalised.
        StaleData: If the data belongs to another model, or to the model before it was edited.
    """

def get_frame_jacobian(model: ModelBase, data: Data, frame_id: int | str, reference_frame: int = 1) -> NDArray[float64]:
    """
    Jacobian of a frame, from `compute_joint_jacobians` and `update_frame_placements`.

    Args:
        model: Robot model.
        data: Data with screws and frame placements.
        frame_id: Index of the frame, or its name.
        reference_frame: Frame the twist is expressed in (see the conventions page).

    Returns:
        Jacobian, shape (6, nv), rows linear then angular.

    Raises:
        UnknownFrame: If there is no such frame.
        StaleData: If the data belongs to another model, or to the model before it was edited.
    """

def get_joint_jacobian(model: ModelBase, data: Data, joint_id: int | str, reference_frame: int = 1) -> NDArray[float64]:
    """
    Jacobian of a joint's frame, from `compute_joint_jacobians`.

    Args:
        model: Robot model.
        data: Data with screws and joint placements.
        joint_id: Index of the joint, or its name.
        reference_frame: Frame the twist is expressed in (see the conventions page).

    Returns:
        Jacobian, shape (6, nv), rows linear then angular.

    Raises:
        UnknownJoint: If there is no such joint.
        StaleData: If the data belongs to another model, or to the model before it was edited.
    """

def compute_frame_jacobian(model: ModelBase, data: Data, q: ArrayLike, frame_id: int | str, reference_frame: int = 1, out: NDArray[float64] | None = None) -> NDArray[float64]:
    """
    Placement and Jacobian of one frame from a configuration, in one pass over its path.

    Args:
        model: Robot model.
        data: Data of the model; placements of the frame and of the joints that carry it are updated, others not.
        q: Configuration, shape (nq,), m or rad per joint.
        frame_id: Index of the frame, or its name.
        reference_frame: Frame the twist is expressed in (see the conventions page).
        out: Array to fill, shape (6, nv), C-ordered float64; a new one by default.

    Returns:
        Jacobian, shape (6, nv), rows linear then angular: `out` where it was given.

    Raises:
        InvalidArgument: If q or out has the wrong size or kind, or q is not finite or not normalised.
        UnknownFrame: If there is no such frame.
        StaleData: If the data belongs to another model, or to the model before it was edited.
    """

def center_of_mass(model: ModelBase, data: Data, q: ArrayLike | None = None) -> NDArray[float64]:
    """
    Centre of mass in the world, m.

    Args:
        model: Robot model.
        data: Data of the model; `com` is updated, and `oMi` where q is given.
        q: Configuration, shape (nq,); without it the joint placements in `data` serve.

    Returns:
        Position, shape (3,); the origin for a model without mass.

    Raises:
        InvalidArgument: If q has the wrong size, is not finite, or not normalised.
        StaleData: If the data belongs to another model, or to the model before it was edited.
    """

def jacobian_center_of_mass(model: ModelBase, data: Data, q: ArrayLike | None = None) -> NDArray[float64]:
    """
    Jacobian of the centre of mass in the world.

    Args:
        model: Robot model.
        data: Data of the model; `J`, `com` and `Jcom` are updated, and `oMi` where q is given.
        q: Configuration, shape (nq,); without it the joint placements in `data` serve.

    Returns:
        Jacobian, shape (3, nv).

    Raises:
        InvalidArgument: If q has the wrong size, is not finite, or not normalised.
        StaleData: If the data belongs to another model, or to the model before it was edited.
    """

def neutral(model: ModelBase) -> NDArray[float64]:
    """
    Configuration at rest: zeros, identity quaternions, (cos, sin) = (1, 0).

    Args:
        model: Robot model.

    Returns:
        Configuration, shape (nq,).
    """

def integrate(model: ModelBase, q: ArrayLike, v: ArrayLike) -> NDArray[float64]:
    """
    Configuration reached from q by the tangent displacement v.

    Args:
        model: Robot model.
        q: Configuration, shape (nq,).
        v: Displacement in the tangent at q, shape (nv,), m or rad.

    Returns:
        Configuration, shape (nq,), normalised.

    Raises:
        InvalidArgument: If a vector has the wrong size, is not finite, or q is not normalised.
    """

def difference(model: ModelBase, q0: ArrayLike, q1: ArrayLike) -> NDArray[float64]:
    """
    Tangent displacement v with integrate(model, q0, v) = q1.

    Args:
        model: Robot model.
        q0: Configuration to start from, shape (nq,).
        q1: Configuration to go to, shape (nq,).

    Returns:
        Displacement in the tangent at q0, shape (nv,), m or rad; turns are at most pi.

    Raises:
        InvalidArgument: If a configuration has the wrong size, is not finite, or not normalised.
    """

def rnea(model: ModelBase, data: Data, q: ArrayLike, v: ArrayLike, a: ArrayLike, fext: ArrayLike | Sequence[object] | None = None) -> NDArray[float64]:
    """
    Joint torques that produce an acceleration: M(q) a + C(q, v) v + g(q) - J' fext.

    Recursive Newton-Euler (Luh, Walker, Paul 1980). Armature adds its share of M.

    Args:
        model: Robot model; `gravity` and `armature` count.
        data: Data of the model; `tau` and `oMi` are updated.
        q: Configuration, shape (nq,), m or rad per joint.
        v: Velocity, shape (nv,), m/s or rad/s.
        a: Acceleration, shape (nv,), m/s^2 or rad/s^2.
        fext: External force (linear, angular) on each joint's body, in its joint frame about its origin, shape
            (njoints, 6), N and N m; entry 0 has no effect. A sequence of objects with a `vector` will do.

    Returns:
        Torques, shape (nv,), N or N m.

    Raises:
        InvalidArgument: If an argument has the wrong size, is not finite, or a quaternion or (cos, sin) pair of
            q is not of unit norm.
        StaleData: If the data belongs to another model, or to the model before it was edited.
    """

def non_linear_effects(model: ModelBase, data: Data, q: ArrayLike, v: ArrayLike) -> NDArray[float64]:
    """
    Bias torques C(q, v) v + g(q): Coriolis, centrifugal and gravity.

    Args:
        model: Robot model; `gravity` counts.
        data: Data of the model; `nle` and `oMi` are updated.
        q: Configuration, shape (nq,), m or rad per joint.
        v: Velocity, shape (nv,), m/s or rad/s.

    Returns:
        Torques, shape (nv,), N or N m.

    Raises:
        InvalidArgument: If an argument has the wrong size, is not finite, or a quaternion or (cos, sin) pair of
            q is not of unit norm.
        StaleData: If the data belongs to another model, or to the model before it was edited.
    """

def compute_generalized_gravity(model: ModelBase, data: Data, q: ArrayLike) -> NDArray[float64]:
    """
    Torques g(q) that hold the tree at rest against gravity; the gradient of the potential energy.

    Args:
        model: Robot model; `gravity` counts.
        data: Data of the model; `g` and `oMi` are updated.
        q: Configuration, shape (nq,), m or rad per joint.

    Returns:
        Torques, shape (nv,), N or N m.

    Raises:
        InvalidArgument: If an argument has the wrong size, is not finite, or a quaternion or (cos, sin) pair of
            q is not of unit norm.
        StaleData: If the data belongs to another model, or to the model before it was edited.
    """

def compute_static_torque(model: ModelBase, data: Data, q: ArrayLike, fext: ArrayLike | Sequence[object]) -> NDArray[float64]:
    """
    Torques that hold the tree at rest against gravity and external forces: g(q) - J' fext.

    Args:
        model: Robot model; `gravity` counts.
        data: Data of the model; `tau` and `oMi` are updated.
        q: Configuration, shape (nq,), m or rad per joint.
        fext: External forces, shape (njoints, 6), as `rnea` takes them.

    Returns:
        Torques, shape (nv,), N or N m.

    Raises:
        InvalidArgument: If an argument has the wrong size, is not finite, or a quaternion or (cos, sin) pair of
            q is not of unit norm.
        StaleData: If the data belongs to another model, or to the model before it was edited.
    """

def crba(model: ModelBase, data: Data, q: ArrayLike, out: NDArray[float64] | None = None) -> NDArray[float64]:
    """
    Joint-space inertia matrix M(q), symmetric and full.

    Composite bodies (Walker and Orin 1982); `armature` is added to the diagonal.

    Args:
        model: Robot model; `armature` counts.
        data: Data of the model; `M` and `oMi` are updated.
        q: Configuration, shape (nq,), m or rad per joint.
        out: Array to fill, shape (nv, nv).

    Returns:
        Matrix, shape (nv, nv).

    Raises:
        InvalidArgument: If an argument has the wrong size, is not finite, or a quaternion or (cos, sin) pair of
            q is not of unit norm.
        StaleData: If the data belongs to another model, or to the model before it was edited.
    """

def aba(model: ModelBase, data: Data, q: ArrayLike, v: ArrayLike, tau: ArrayLike, fext: ArrayLike | Sequence[object] | None = None) -> NDArray[float64]:
    """
    Acceleration that torques produce: M(q)^-1 (tau - C(q, v) v - g(q) + J' fext).

    Articulated bodies (Featherstone 1983), in O(njoints); a model with mimic joints takes the mass matrix and its
    L D L' factors instead.

    Args:
        model: Robot model; `gravity` and `armature` count.
        data: Data of the model; `ddq` and `oMi` are updated.
        q: Configuration, shape (nq,), m or rad per joint.
        v: Velocity, shape (nv,), m/s or rad/s.
        tau: Joint torques, shape (nv,), N or N m.
        fext: External forces, shape (njoints, 6), as `rnea` takes them.

    Returns:
        Acceleration, shape (nv,), m/s^2 or rad/s^2.

    Raises:
        InvalidModel: If a joint moves no inertia, so that its acceleration is not determined.
        InvalidArgument: If an argument has the wrong size, is not finite, or a quaternion or (cos, sin) pair of
            q is not of unit norm.
        StaleData: If the data belongs to another model, or to the model before it was edited.
    """

def compute_kinetic_energy(model: ModelBase, data: Data, q: ArrayLike, v: ArrayLike) -> float:
    """
    Kinetic energy v' M(q) v / 2, rotors of the armature included.

    Args:
        model: Robot model; `armature` counts.
        data: Data of the model; `kinetic_energy` and `oMi` are updated.
        q: Configuration, shape (nq,), m or rad per joint.
        v: Velocity, shape (nv,), m/s or rad/s.

    Returns:
        Energy, J.

    Raises:
        InvalidArgument: If an argument has the wrong size, is not finite, or a quaternion or (cos, sin) pair of
            q is not of unit norm.
        StaleData: If the data belongs to another model, or to the model before it was edited.
    """

def compute_potential_energy(model: ModelBase, data: Data, q: ArrayLike) -> float:
    """
    Potential energy of the moving bodies in gravity, zero at the world's origin.

    Args:
        model: Robot model; `gravity` counts.
        data: Data of the model; `potential_energy` and `oMi` are updated.
        q: Configuration, shape (nq,), m or rad per joint.

    Returns:
        Energy, J.

    Raises:
        InvalidArgument: If an argument has the wrong size, is not finite, or a quaternion or (cos, sin) pair of
            q is not of unit norm.
        StaleData: If the data belongs to another model, or to the model before it was edited.
    """

def compute_mechanical_energy(model: ModelBase, data: Data, q: ArrayLike, v: ArrayLike) -> float:
    """
    Sum of the kinetic and the potential energy.

    Args:
        model: Robot model; `gravity` and `armature` count.
        data: Data of the model; `kinetic_energy`, `potential_energy`, `mechanical_energy` and `oMi` are updated.
        q: Configuration, shape (nq,), m or rad per joint.
        v: Velocity, shape (nv,), m/s or rad/s.

    Returns:
        Energy, J.

    Raises:
        InvalidArgument: If an argument has the wrong size, is not finite, or a quaternion or (cos, sin) pair of
            q is not of unit norm.
        StaleData: If the data belongs to another model, or to the model before it was edited.
    """

def compute_centroidal_momentum(model: ModelBase, data: Data, q: ArrayLike, v: ArrayLike) -> NDArray[float64]:
    """
    Momentum of all moving bodies (linear, angular about the centre of mass), in world axes.

    Orin, Goswami, Lee 2013, eq. 15.

    Args:
        model: Robot model.
        data: Data of the model; `hg`, `com` and `oMi` are updated.
        q: Configuration, shape (nq,), m or rad per joint.
        v: Velocity, shape (nv,), m/s or rad/s.

    Returns:
        Momentum, shape (6,), kg m/s and kg m^2/s.

    Raises:
        InvalidArgument: If an argument has the wrong size, is not finite, or a quaternion or (cos, sin) pair of
            q is not of unit norm.
        StaleData: If the data belongs to another model, or to the model before it was edited.
    """

def compute_centroidal_map(model: ModelBase, data: Data, q: ArrayLike) -> NDArray[float64]:
    """
    Matrix Ag(q) that takes a velocity to the centroidal momentum, Ag v = hg.

    Orin, Goswami, Lee 2013, eq. 17.

    Args:
        model: Robot model.
        data: Data of the model; `Ag`, `com` and `oMi` are updated.
        q: Configuration, shape (nq,), m or rad per joint.

    Returns:
        Matrix, shape (6, nv), rows linear then angular.

    Raises:
        InvalidArgument: If an argument has the wrong size, is not finite, or a quaternion or (cos, sin) pair of
            q is not of unit norm.
        StaleData: If the data belongs to another model, or to the model before it was edited.
    """

def ccrba(model: ModelBase, data: Data, q: ArrayLike, v: ArrayLike) -> NDArray[float64]:
    """
    Centroidal momentum matrix, with the momentum itself in `data.hg`.

    Args:
        model: Robot model.
        data: Data of the model; `Ag`, `hg`, `com` and `oMi` are updated.
        q: Configuration, shape (nq,), m or rad per joint.
        v: Velocity, shape (nv,), m/s or rad/s.

    Returns:
        Matrix, shape (6, nv), rows linear then angular.

    Raises:
        InvalidArgument: If an argument has the wrong size, is not finite, or a quaternion or (cos, sin) pair of
            q is not of unit norm.
        StaleData: If the data belongs to another model, or to the model before it was edited.
    """

def get_velocity(model: ModelBase, data: Data, joint_id: int | str, reference_frame: int = 1) -> Motion:
    """
    Velocity of a joint's frame, after `forward_kinematics(model, data, q, v)`.

    Args:
        model: Robot model.
        data: Data with the motion of the joints.
        joint_id: Index or name of the joint.
        reference_frame: Frame the twist is expressed in (see the conventions page).

    Returns:
        Twist (linear, angular), in m and rad over s or s^2.

    Raises:
        UnknownJoint: If there is no such joint.
        StaleData: If the data belongs to another model, or to the model before it was edited.
    """

def get_acceleration(model: ModelBase, data: Data, joint_id: int | str, reference_frame: int = 1) -> Motion:
    """
    Spatial acceleration of a joint's frame, after `forward_kinematics(model, data, q, v, a)`.

    The rate of the twist's components in the world, moved to the reference frame (Featherstone 2008, section
    2.11); the classical acceleration of the point differs by w x v.

    Args:
        model: Robot model.
        data: Data with the motion of the joints.
        joint_id: Index or name of the joint.
        reference_frame: Frame the twist is expressed in (see the conventions page).

    Returns:
        Twist (linear, angular), in m and rad over s or s^2.

    Raises:
        UnknownJoint: If there is no such joint.
        StaleData: If the data belongs to another model, or to the model before it was edited.
    """

def get_classical_acceleration(model: ModelBase, data: Data, joint_id: int | str, reference_frame: int = 1) -> Motion:
    """
    Acceleration that an accelerometer at a joint's frame would feel without gravity.

    The spatial acceleration plus w x v on the linear part.

    Args:
        model: Robot model.
        data: Data with the motion of the joints.
        joint_id: Index or name of the joint.
        reference_frame: Frame the twist is expressed in (see the conventions page).

    Returns:
        Twist (linear, angular), in m and rad over s or s^2.

    Raises:
        UnknownJoint: If there is no such joint.
        StaleData: If the data belongs to another model, or to the model before it was edited.
    """

def get_frame_velocity(model: ModelBase, data: Data, frame_id: int | str, reference_frame: int = 1) -> Motion:
    """
    Velocity of a frame, after `forward_kinematics(model, data, q, v)`.

    Args:
        model: Robot model.
        data: Data with the motion of the joints; `oMf` is not needed.
        frame_id: Index or name of the frame.
        reference_frame: Frame the twist is expressed in (see the conventions page).

    Returns:
        Twist (linear, angular), in m and rad over s or s^2.

    Raises:
        UnknownFrame: If there is no such frame.
        StaleData: If the data belongs to another model, or to the model before it was edited.
    """

def get_frame_acceleration(model: ModelBase, data: Data, frame_id: int | str, reference_frame: int = 1) -> Motion:
    """
    Spatial acceleration of a frame, after `forward_kinematics(model, data, q, v, a)`.

    What spatial means is said at `get_acceleration`.

    Args:
        model: Robot model.
        data: Data with the motion of the joints; `oMf` is not needed.
        frame_id: Index or name of the frame.
        reference_frame: Frame the twist is expressed in (see the conventions page).

    Returns:
        Twist (linear, angular), in m and rad over s or s^2.

    Raises:
        UnknownFrame: If there is no such frame.
        StaleData: If the data belongs to another model, or to the model before it was edited.
    """

def get_frame_classical_acceleration(model: ModelBase, data: Data, frame_id: int | str, reference_frame: int = 1) -> Motion:
    """
    Acceleration that an accelerometer at a frame would feel without gravity.

    The spatial acceleration plus w x v on the linear part.

    Args:
        model: Robot model.
        data: Data with the motion of the joints; `oMf` is not needed.
        frame_id: Index or name of the frame.
        reference_frame: Frame the twist is expressed in (see the conventions page).

    Returns:
        Twist (linear, angular), in m and rad over s or s^2.

    Raises:
        UnknownFrame: If there is no such frame.
        StaleData: If the data belongs to another model, or to the model before it was edited.
    """
