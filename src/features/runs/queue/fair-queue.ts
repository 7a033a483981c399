/** Interval for checking again whether more may begin, ms. */
const CHECK_AGAIN_MS = 20;

/** A user, or a key that counts as one. */
type Sharer = number | string | null;

/** Keys that slots are shared over. */
interface Shares<T> {
  readonly user: (entry: T) => Sharer;
  readonly workflow: (entry: T) => number;
}

interface FairQueueOptions<T> {
  readonly shares: Shares<T>;
  readonly atOnce: number;
  readonly atOnceOfWorkflow: number;
  /** Whether one more may begin next to `going` others; polled while entries wait. */
  readonly mayBegin?: (going: number) => boolean;
  /** The next entry is any of that many which come first within a workflow. Default: 1. */
  readonly spread?: number;
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
class Executing<K> extends Counts<K> {
  /** Those that other processes execute. */
  elsewhere = new Counts<K>();
  private readonly lastBegun = new Map<K, number>();
  private begun = 0;

  ofAll(key: K): number {
    return this.of(key) + this.elsewhere.of(key);
  }

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
      if (this.ofAll(one) === 0 && this.since(one) === 0) return one;
      if (best === undefined || this.comesBefore(one, best)) best = one;
    }
    return best;
  }

  private comesBefore(one: K, other: K): boolean {
    return (
      this.ofAll(one) < this.ofAll(other) ||
      (this.ofAll(one) === this.ofAll(other) && this.since(one) < this.since(other))
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
  private readonly executingOf = new Executing<Sharer>();
  private readonly executingOfWorkflow = new Executing<number>();
  private total = 0;
  private readonly executing = new Set<Promise<void>>();
  private timer: NodeJS.Timeout | null = null;
  private isClosed = false;

  constructor(private readonly options: FairQueueOptions<T>) {}

  get length(): number {
    return this.total;
  }

  lengthOf(user: Sharer): number {
    return this.waitingOf.of(user);
  }

  add(entry: T): void {
    const { user, workflow } = this.keysOf(entry);
    const own = this.waiting.get(user) ?? new Map<number, T[]>();
    const entries = own.get(workflow) ?? [];
    // In place: thousands may wait.
    entries.push(entry);
    this.waiting.set(user, own.set(workflow, entries));
    this.count(user, 1);
    // While starts are held back, new entries wait for the next check.
    if (this.timer === null || this.executing.size === 0) this.fill();
  }

  withdraw(matches: (entry: T) => boolean): void {
    for (const [user, own] of this.waiting) {
      for (const [workflow, entries] of own) {
        const left = entries.filter((entry) => !matches(entry));
        this.count(user, left.length - entries.length);
        this.keep(user, workflow, left);
      }
    }
  }

  /** Entries that other processes execute now, which count as those of this one. */
  setElsewhere(entries: readonly T[]): void {
    const [users, workflows] = [new Counts<Sharer>(), new Counts<number>()];
    for (const entry of entries) {
      const { user, workflow } = this.keysOf(entry);
      users.add(user, 1);
      workflows.add(workflow, 1);
    }
    this.executingOf.elsewhere = users;
    this.executingOfWorkflow.elsewhere = workflows;
    this.check();
  }

  /** The workflow of an entry has all its slots, until what is elsewhere is set again. */
  setFull(entry: T): void {
    const { workflow } = this.keysOf(entry);
    this.executingOfWorkflow.elsewhere.add(workflow, this.options.atOnceOfWorkflow);
  }

  /** Starts nothing more. Returns the entries that were still waiting. */
  close(): T[] {
    this.isClosed = true;
    if (this.timer) clearTimeout(this.timer);
    const left = [...this.waiting.values()].flatMap((own) => [...own.values()].flat());
    this.withdraw(() => true);
    return left;
  }

  /** Resolves when nothing is being executed. */
  async idle(): Promise<void> {
    while (this.executing.size > 0) await Promise.all(this.executing);
  }

  /** Starts what may begin now. */
  check(): void {
    if (this.total > 0) this.fill();
  }

  private fill(): void {
    while (!this.isClosed && this.executing.size < this.options.atOnce) {
      const entry = this.take();
      if (entry === undefined) return;
      const execution = this.execute(entry).finally(() => {
        this.executing.delete(execution);
        this.fill();
      });
      this.executing.add(execution);
    }
  }

  private async execute(entry: T): Promise<void> {
    const { user, workflow } = this.keysOf(entry);
    this.executingOf.begin(user);
    this.executingOfWorkflow.begin(workflow);
    await this.options.execute(entry);
    const own = this.waiting.get(user);
    this.executingOf.end(user, own !== undefined);
    this.executingOfWorkflow.end(workflow, own?.has(workflow) ?? false);
  }

  private take(): T | undefined {
    const user = this.executingOf.next(this.usersToServe());
    const own = user === undefined ? undefined : this.waiting.get(user);
    const workflow = own && this.executingOfWorkflow.next(this.workflowsToServe(own));
    if (user === undefined || !own || workflow === undefined || !this.mayBegin()) return undefined;
    const left = own.get(workflow) ?? [];
    const { spread = 1 } = this.options;
    const nth = spread === 1 ? 0 : Math.floor(Math.random() * Math.min(spread, left.length));
    const [entry] = left.splice(nth, 1);
    // Served keys go behind those without a slot.
    own.delete(workflow);
    this.waiting.delete(user);
    this.waiting.set(user, own);
    this.count(user, -1);
    this.keep(user, workflow, left);
    return entry;
  }

  private *usersToServe(): Generator<Sharer> {
    for (const [user, own] of this.waiting) if (!this.workflowsToServe(own).next().done) yield user;
  }

  private *workflowsToServe(own: ReadonlyMap<number, T[]>): Generator<number> {
    for (const workflow of own.keys())
      if (this.executingOfWorkflow.ofAll(workflow) < this.options.atOnceOfWorkflow) yield workflow;
  }

  private mayBegin(): boolean {
    const { mayBegin = () => true } = this.options;
    if (mayBegin(this.executing.size)) return true;
    this.timer ??= setTimeout(() => {
      this.timer = null;
      this.fill();
    }, CHECK_AGAIN_MS).unref();
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

  private keysOf(entry: T): { user: Sharer; workflow: number } {
    const { user, workflow } = this.options.shares;
    return { user: user(entry), workflow: workflow(entry) };
  }
}
