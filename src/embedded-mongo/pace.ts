import { StoreError } from './semantics/errors';
import type { Results } from './exec';
import type { Found } from './scan';
import { Slice } from './slice';

/** Yields to the event loop; resumes one waiting command per iteration. */
class Turns {
  private readonly waiting: Array<() => void> = [];

  next(): Promise<void> {
    return new Promise((resolve) => {
      if (this.waiting.push(resolve) === 1) setImmediate(this.serve);
    });
  }

  private readonly serve = (): void => {
    this.waiting.shift()?.();
    if (this.waiting.length > 0) setImmediate(this.serve);
  };
}

const turns = new Turns();

/** Time slices of one command; ends it on timeout or when the client disconnects. */
export class Pace {
  private slice = new Slice();
  private readonly deadline: number;

  /** `maxTimeMS` of 0 means no limit. */
  constructor(
    maxTimeMS: number,
    private readonly abandoned: () => boolean = () => false,
  ) {
    this.deadline = maxTimeMS > 0 ? performance.now() + maxTimeMS : Infinity;
  }

  /** Call between units of work. @throws StoreError 50 on timeout, 11601 on disconnect */
  async pause(): Promise<void> {
    this.requireTime();
    if (this.abandoned()) throw new StoreError(11601, 'Interrupted', 'operation was interrupted');
    if (!this.slice.isOver()) return;
    await turns.next();
    this.slice = new Slice();
  }

  /** @throws StoreError 50 on timeout */
  readonly requireTime = (): void => {
    if (performance.now() > this.deadline)
      throw new StoreError(50, 'MaxTimeMSExpired', 'operation exceeded time limit');
  };

  /** Waits for an event, at most `patience` ms and not longer than the timeout of the command. */
  async waitFor(event: Promise<void>, patience: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const enough = new Promise<void>((resolve) => {
      timer = setTimeout(
        resolve,
        Math.max(0, Math.min(patience, this.deadline - performance.now())),
      );
    });
    await Promise.race([event, enough]);
    clearTimeout(timer);
    this.requireTime();
  }

  /** Waits. @throws StoreError 50 on timeout, 11601 on disconnect */
  async sleep(ms: number): Promise<void> {
    if (ms > 0) await this.waitFor(new Promise<never>(() => undefined), ms);
    await this.pause();
  }

  /** Calls `take` for each result of a query, with pauses. */
  async each(results: Results, take: (found: Found) => void): Promise<void> {
    for (const one of results) {
      if (one === undefined) await this.pause();
      else take(one);
    }
  }

  /** Returns all results of a query. */
  async all(results: Results): Promise<Found[]> {
    const found: Found[] = [];
    await this.each(results, (one) => found.push(one));
    return found;
  }
}
