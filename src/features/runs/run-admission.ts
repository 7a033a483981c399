import { availableParallelism } from 'node:os';

/** What goes on, however much it computes, does not keep what waits from beginning for longer than this. */
const MOST_APART_MS = 200;
/** Of one processor: what is left for whom nobody asked, the store and the systems beside the service among them. */
const LEFT = 1 / 2;

/** How much of a processor something wants, 0 to 1, whether it gets it or not. */
export interface Demands {
  /** Of each run that goes on, as far as it is known; null: that is not known here. */
  readonly runs: () => readonly number[] | null;
  /** Of the service itself. */
  readonly service: () => number;
}

export interface AdmissionOptions {
  readonly demands: Demands;
  readonly processors?: number;
  /** In ms, from any moment on. */
  readonly now?: () => number;
}

/** Judges whether one more run may begin beside `going` others. */
export type Admission = (going: number) => boolean;

/**
 * Lets a run begin when there is a processor for it. More of them at once make each slower and none sooner done, and requests wait for all of
 * them; runs that wait for other systems leave theirs to the next. One of which nothing is known yet counts as if it wanted a whole processor.
 */
export function createAdmission({
  demands,
  processors = availableParallelism(),
  now = () => performance.now(),
}: AdmissionOptions): Admission {
  let lastBegun = -Infinity;

  function hasProcessor(going: number): boolean {
    if (going === 0 || now() - lastBegun >= MOST_APART_MS) return true;
    const known = demands.runs();
    if (known === null) return true;
    const wanted =
      demands.service() + known.reduce((sum, demand) => sum + demand, going - known.length);
    return wanted <= processors - LEFT;
  }

  return (going) => {
    if (!hasProcessor(going)) return false;
    lastBegun = now();
    return true;
  };
}
