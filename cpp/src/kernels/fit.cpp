#include "pantin/kernels/fit.hpp"

#include "pantin/solve/fit/uncertainty.hpp"

namespace pantin::PANTIN_ISA {

namespace {

using P = Pack<kLanes>;

constexpr FitSettings kNone;

struct NarrowFit {
  FitEngine<double> engine;
  Spread* spreads;
};

void lay_out(FitEngine<double>& e, const FitPlan& plan, const FitSources& sources, const FitSettings& settings,
             Pieces& pieces) {
  lay_out(e.c, plan, sources, settings, pieces);
  e.slots = pieces.take<Pulls>(plan.nslots);
}

std::size_t measure(void* memory, const FitPlan& plan, const FitSources& sources, const FitSettings& settings, bool wide) {
  Pieces pieces{static_cast<char*>(memory)};
  if (wide) {
    FitEngine<P> measured;
    FitEngine<P>* const engine = pieces.take<FitEngine<P>>(1);
    lay_out((memory ? *engine : measured).c, plan, sources, settings, pieces);
  } else {
    NarrowFit measured;
    NarrowFit* const fit = pieces.take<NarrowFit>(1);
    NarrowFit& laid_out = memory ? *fit : measured;
    lay_out(laid_out.engine, plan, sources, settings, pieces);
    laid_out.spreads = pieces.take<Spread>(plan.nslots);
  }
  return pieces.taken;
}

std::size_t bytes(const FitPlan& plan, const FitSources& sources, bool wide) {
  return measure(nullptr, plan, sources, kNone, wide);
}

void prepare(void* memory, const FitPlan& plan, const FitSources& sources, const FitSettings& settings, bool wide) {
  measure(memory, plan, sources, settings, wide);
}

template <class T>
void run_engine(FitEngine<T>& engine, const FitSupply& supply) {
  engine.c.sources->plain ? run<true>(engine, supply) : run<false>(engine, supply);
}

void run_any(void* memory, const FitSupply& supply, bool wide) {
  if (wide) return run_engine(*static_cast<FitEngine<P>*>(memory), supply);
  run_engine(static_cast<NarrowFit*>(memory)->engine, supply);
}

FitLane rows(void* memory) { return rows_of(static_cast<NarrowFit*>(memory)->engine.c, 0); }

void place_keypoints(void* memory) {
  place(static_cast<NarrowFit*>(memory)->engine.c, [](int, const FitFrame<double>&) {});
}

void variances(void* memory, double* to) {
  NarrowFit& fit = *static_cast<NarrowFit*>(memory);
  fit.engine.c.sources->plain ? inverse_diagonal<true>(fit.engine.c, fit.spreads, to)
                              : inverse_diagonal<false>(fit.engine.c, fit.spreads, to);
}

}  // namespace

extern const FitKernels fit_kernels;
const FitKernels fit_kernels = {
    .bytes = bytes,
    .prepare = prepare,
    .run = run_any,
    .rows = rows,
    .place = place_keypoints,
    .variances = variances,
};

}  // namespace pantin::PANTIN_ISA
