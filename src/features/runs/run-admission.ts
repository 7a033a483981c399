import { availableParallelism } from 'node:os';

/** After this time without a start, ms, a queued run begins even if no processor is free. */
const MOST_APART_MS = 200;
/**
 * Share of one processor that stays free for unmeasured work, such as the store and other systems
 * on the machine.
 */
const LEFT = 1 / 2;

/** Processor demand, 0 to 1 per processor, whether it is satisfied or not. */
export interface Demands {
  /** Of each executing run, if known; null if it cannot be measured. */
  readonly runs: () => readonly number[] | null;
  /** Of the service itself. */
  readonly service: () => number;
}

export interface AdmissionOptions {
  readonly demands: Demands;
  readonly processors?: number;
  /** Monotonic ms. */
  readonly now?: () => number;
}

/** Whether one more run may begin next to `going` others. */
export type Admission = (going: number) => boolean;

/**
 * Lets a run begin when a processor is free for it: more runs would slow each other down and delay
 * requests, while runs that wait for other systems need none.
 * A run without a measurement counts as one processor.
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
