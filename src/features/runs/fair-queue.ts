import { Slots } from '../../platform/queues';

/** Interval for checking again whether more may begin, ms. */
const AGAIN_MS = 20;

/** A user, or a key that counts as one. */
export type Sharer = number | string | null;

/** Keys that slots are shared over. */
export interface Shares<T> {
  readonly user: (entry: T) => Sharer;
  readonly workflow: (entry: T) => number;
}

export interface FairQueueOptions<T> {
  readonly shares: Shares<T>;
  /** Maximum number of entries executed at the same time. */
  readonly atOnce: number;
  /** The same for one workflow. */
  readonly atOnceOfWorkflow: number;
  /** Whether one more may begin next to `going` others; polled while entries wait. */
  readonly mayBegin?: (going: number) => boolean;
  /** Must not reject. */
  readonly execute: (entry: T) => Promise<void>;
}

/** Counts by key; a count of 0 is not stored. */
class Counts<K> {
  private readonly counts = new Map<K, number>();

  of(key: K): number {
    return this.counts.get(key) ?? 0;
  }

  add(key: K, change: number): void {
    const count = this.of(key) + change;
    if (count === 0) this.counts.delete(key);
    else this.counts.set(key, count);
  }
}

/** Executing entries by key, and when the last of them began. */
class Going<K> extends Counts<K> {
  private readonly lastBegun = new Map<K, number>();
  private begun = 0;

  begin(key: K): void {
    this.add(key, 1);
    this.lastBegun.set(key, (this.begun += 1));
  }

  /** @param waits whether more entries of the key wait; otherwise its history is forgotten */
  end(key: K, waits: boolean): void {
    this.add(key, -1);
    if (this.of(key) === 0 && !waits) this.lastBegun.delete(key);
  }

  /** Order: fewest executing, then least recently started, then first queued. */
  next(candidates: Iterable<K>): K | undefined {
    let best: K | undefined;
    for (const one of candidates) {
      // No key precedes it: skip the rest, which may be thousands.
      if (this.of(one) === 0 && this.since(one) === 0) return one;
      if (best === undefined || this.comesBefore(one, best)) best = one;
    }
    return best;
  }

  private comesBefore(one: K, other: K): boolean {
    return (
      this.of(one) < this.of(other) ||
      (this.of(one) === this.of(other) && this.since(one) < this.since(other))
    );
  }

  private since(key: K): number {
    return this.lastBegun.get(key) ?? 0;
  }
}

/**
 * Queue for slots, shared over users and, for each user, over workflows. The next slot goes to the
 * user with the fewest executing entries, then to the least recently served; first in, first out
 * within a workflow.
 * Kept in memory: callers store the waiting entries as well.
 */
export class FairQueue<T> {
  /** By user, then by workflow; served keys move to the end. */
  private readonly waiting = new Map<Sharer, Map<number, T[]>>();
  private readonly waitingOf = new Counts<Sharer>();
  private readonly goingOf = new Going<Sharer>();
  private readonly goingOfWorkflow = new Going<number>();
  private total = 0;
  private readonly slots: Slots<T>;
  private again: NodeJS.Timeout | null = null;

  constructor(private readonly options: FairQueueOptions<T>) {
    this.slots = new Slots(
      options.atOnce,
      () => this.take(),
      (entry) => this.execute(entry),
    );
  }

  get length(): number {
    return this.total;
  }

  /** Number of waiting entries of a user. */
  lengthOf(user: Sharer): number {
    return this.waitingOf.of(user);
  }

  add(entry: T): void {
    const { user, workflow } = this.ofWhom(entry);
    const own = this.waiting.get(user) ?? new Map<number, T[]>();
    const entries = own.get(workflow) ?? [];
    // In place: thousands may wait.
    entries.push(entry);
    this.waiting.set(user, own.set(workflow, entries));
    this.count(user, 1);
    // While starts are held back, new entries wait for the next check.
    if (this.again === null || this.slots.free === this.options.atOnce) this.slots.fill();
  }

  /** Removes the waiting entries that match. */
  withdraw(matches: (entry: T) => boolean): void {
    for (const [user, own] of this.waiting) {
      for (const [workflow, entries] of own) {
        const left = entries.filter((entry) => !matches(entry));
        this.count(user, left.length - entries.length);
        this.keep(user, workflow, left);
      }
    }
  }

  /** Starts nothing more. Returns the entries that were still waiting. */
  close(): T[] {
    this.slots.close();
    if (this.again) clearTimeout(this.again);
    const left = [...this.waiting.values()].flatMap((own) => [...own.values()].flat());
    this.withdraw(() => true);
    return left;
  }

  /** Resolves when nothing is executing. */
  idle(): Promise<void> {
    return this.slots.idle();
  }

  private async execute(entry: T): Promise<void> {
    const { user, workflow } = this.ofWhom(entry);
    this.goingOf.begin(user);
    this.goingOfWorkflow.begin(workflow);
    await this.options.execute(entry);
    const own = this.waiting.get(user);
    this.goingOf.end(user, own !== undefined);
    this.goingOfWorkflow.end(workflow, own?.has(workflow) ?? false);
  }

  private take(): T | undefined {
    const user = this.goingOf.next(this.usersThatMay());
    const own = user === undefined ? undefined : this.waiting.get(user);
    const workflow = own && this.goingOfWorkflow.next(this.workflowsThatMay(own));
    if (user === undefined || !own || workflow === undefined || !this.mayBegin()) return undefined;
    const left = own.get(workflow) ?? [];
    const entry = left.shift();
    // Served keys go behind those without a slot.
    own.delete(workflow);
    this.waiting.delete(user);
    this.waiting.set(user, own);
    this.count(user, -1);
    this.keep(user, workflow, left);
    return entry;
  }

  private *usersThatMay(): Generator<Sharer> {
    for (const [user, own] of this.waiting) if (!this.workflowsThatMay(own).next().done) yield user;
  }

  private *workflowsThatMay(own: ReadonlyMap<number, T[]>): Generator<number> {
    for (const workflow of own.keys())
      if (this.goingOfWorkflow.of(workflow) < this.options.atOnceOfWorkflow) yield workflow;
  }

  private mayBegin(): boolean {
    const { atOnce, mayBegin = () => true } = this.options;
    if (mayBegin(atOnce - this.slots.free)) return true;
    this.again ??= setTimeout(() => {
      this.again = null;
      this.slots.fill();
    }, AGAIN_MS).unref();
    return false;
  }

  private keep(user: Sharer, workflow: number, entries: T[]): void {
    const own = this.waiting.get(user);
    if (entries.length > 0) own?.set(workflow, entries);
    else own?.delete(workflow);
    if (own?.size === 0) this.waiting.delete(user);
  }

  private count(user: Sharer, change: number): void {
    this.waitingOf.add(user, change);
    this.total += change;
  }

  private ofWhom(entry: T): { user: Sharer; workflow: number } {
    const { user, workflow } = this.options.shares;
    return { user: user(entry), workflow: workflow(entry) };
  }
}
