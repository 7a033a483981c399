import { StoreError } from './semantics/errors';
import { isDiskError, isFatal, outOfSpace, writeRefused } from './room';
import { Slice } from './slice';
import type { WriteView } from './views';

export interface WriteOptions<T> {
  /** Alone in its commit. */
  readonly exclusive?: boolean;
  /** Makes room rather than taking it: let through when the disk is nearly full. */
  readonly frees?: boolean;
  /** Writes what open transactions have claimed as well; they then cannot be committed. */
  readonly impatient?: boolean;
  /** Runs right after the commit, before any later writer: the place for changes in memory. */
  readonly committed?: (result: T) => void;
}

interface Job {
  readonly run: (view: WriteView) => unknown;
  readonly exclusive: boolean;
  readonly frees: boolean;
  readonly impatient: boolean;
  readonly committed?: (result: unknown) => void;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** How long writers are refused after the disk has refused one. */
const NEXT_TRY_MS = 1_000;

type Outcome = { readonly result: unknown } | { readonly error: unknown };

/** What a queue of writers asks of the environment they write to. */
export interface WrittenTo {
  /** What writers write. */
  readonly view: WriteView;
  /** Does this in one transaction that is on the disk when it returns. */
  commit(write: () => void): void;
  /** Is there no room but for what makes room? */
  isFull(): boolean;
  /** Called at the start of every transaction; throws when nothing may be written. */
  fence(): void;
  /** Called when nothing can be written any more until the process starts again. */
  broken(error: StoreError): void;
}

/**
 * Writers in the order they came, which share a commit.
 *
 * All writes of one turn of the event loop go into one synchronous transaction with one fsync. lmdb's own asynchronous
 * transactions are not used: they end the process when the disk is full.
 */
export class WriteQueue {
  private queue: Job[] = [];
  private scheduled = false;
  private trouble: { readonly error: StoreError; readonly until: number } | undefined;

  constructor(private readonly to: WrittenTo) {}

  add<T>(run: (view: WriteView) => T, options: WriteOptions<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.queue.push({
        run,
        exclusive: options.exclusive === true,
        frees: options.frees === true,
        impatient: options.impatient === true,
        committed: options.committed as Job['committed'],
        resolve: resolve as Job['resolve'],
        reject,
      });
      this.schedule();
    });
  }

  /** Runs all that wait, now. */
  finish(): void {
    while (this.queue.length > 0) this.drain();
  }

  /** One transaction; while the disk has just refused one, none. */
  commit(write: () => void): void {
    if (this.trouble !== undefined && performance.now() < this.trouble.until)
      throw this.trouble.error;
    this.to.commit(write);
    this.trouble = undefined;
  }

  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    setImmediate(() => this.drain());
  }

  /** Everything that waits, unless it takes long: then what is left comes after others have had their turn. */
  private drain(): void {
    this.scheduled = false;
    const slice = new Slice();
    while (this.queue.length > 0) {
      this.runGroup(this.nextGroup());
      if (slice.isOver() && this.queue.length > 0) {
        this.schedule();
        return;
      }
    }
  }

  private nextGroup(): Job[] {
    const size = this.queue[0].exclusive ? 1 : this.queue.findIndex((job) => job.exclusive);
    return this.queue.splice(0, size === -1 ? this.queue.length : size);
  }

  /** A group whose time is over is committed as far as it has come; its other writers wait for the next one. */
  private runGroup(group: readonly Job[]): void {
    let outcomes: Outcome[];
    try {
      outcomes = this.commitGroup(group);
    } catch (error) {
      const refusal = this.refusalOf(error);
      if (refusal === undefined && group.length > 1) for (const job of group) this.runGroup([job]);
      else for (const job of group) job.reject(refusal ?? error);
      return;
    }
    this.queue.unshift(...group.slice(outcomes.length));
    outcomes.forEach((outcome, index) => settle(group[index], outcome));
  }

  /**
   * The answer to writers when the disk does not take what is written. Nothing of it was acknowledged, what was is on the disk; the
   * next try is left to a writer a little later, so that a disk in trouble is not asked all the time.
   */
  private refusalOf(error: unknown): StoreError | undefined {
    const known = this.trouble?.error;
    if (known !== undefined && error === known) return known;
    if (!isDiskError(error)) return undefined;
    this.trouble = { error: writeRefused(error.message), until: performance.now() + NEXT_TRY_MS };
    if (isFatal(error)) this.to.broken(this.trouble.error);
    return this.trouble.error;
  }

  private commitGroup(group: readonly Job[]): Outcome[] {
    const outcomes: Outcome[] = [];
    const full = this.to.isFull();
    const slice = new Slice();
    this.commit(() => {
      this.to.fence();
      for (const job of group) {
        outcomes.push(full && !job.frees ? { error: outOfSpace() } : runJob(job, this.to.view));
        if (slice.isOver()) break;
      }
    });
    return outcomes;
  }
}

/** A StoreError is the writer's answer; anything else is not expected and must undo what was written. */
function runJob(job: Job, view: WriteView): Outcome {
  let dirty = false;
  const watched: WriteView = {
    ...view,
    claim: (key) => {
      if (!job.impatient) view.claim(key);
    },
    put: (key, value) => {
      dirty = true;
      view.put(key, value);
    },
    remove: (key) => {
      dirty = true;
      view.remove(key);
    },
  };
  try {
    return { result: job.run(watched) };
  } catch (error) {
    if (error instanceof StoreError && !dirty) return { error };
    throw error;
  }
}

function settle(job: Job, outcome: Outcome): void {
  if ('error' in outcome) {
    job.reject(outcome.error);
    return;
  }
  job.committed?.(outcome.result);
  job.resolve(outcome.result);
}
