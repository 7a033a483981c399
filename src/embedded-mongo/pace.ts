import { StoreError } from './semantics/errors';
import type { Results } from './exec';
import type { Found } from './scan';
import { Slice } from './slice';

/** Gives long work its turns: one slice between two looks at what has come in, however many commands are at it. */
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

/** Paces one command: lets others work between chunks and ends it when its time is up or nobody waits for the answer. */
export class Pace {
  private slice = new Slice();
  private readonly deadline: number;

  /** `maxTimeMS` of 0 is no limit. */
  constructor(
    maxTimeMS: number,
    private readonly abandoned: () => boolean = () => false,
  ) {
    this.deadline = maxTimeMS > 0 ? performance.now() + maxTimeMS : Infinity;
  }

  /** To be called between two pieces of work. @throws StoreError 50 when the time is up, 11601 when nobody waits for the answer. */
  async pause(): Promise<void> {
    this.requireTime();
    if (this.abandoned()) throw new StoreError(11601, 'Interrupted', 'operation was interrupted');
    if (!this.slice.isOver()) return;
    await turns.next();
    this.slice = new Slice();
  }

  /** @throws StoreError 50 when the time is up. */
  readonly requireTime = (): void => {
    if (performance.now() > this.deadline)
      throw new StoreError(50, 'MaxTimeMSExpired', 'operation exceeded time limit');
  };

  /** Waits for something, `patience` milliseconds at most and no longer than the command may take. */
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

  /** Does nothing for a while. @throws StoreError 50 when the time is up, 11601 when nobody waits for the answer. */
  async sleep(ms: number): Promise<void> {
    if (ms > 0) await this.waitFor(new Promise<never>(() => undefined), ms);
    await this.pause();
  }

  /** Everything a query finds, one by one. */
  async each(results: Results, take: (found: Found) => void): Promise<void> {
    for (const one of results) {
      if (one === undefined) await this.pause();
      else take(one);
    }
  }

  /** Everything a query finds. */
  async all(results: Results): Promise<Found[]> {
    const found: Found[] = [];
    await this.each(results, (one) => found.push(one));
    return found;
  }
}
