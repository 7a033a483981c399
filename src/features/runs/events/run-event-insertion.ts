import { setTimeout as pause } from 'node:timers/promises';
import { Unavailable } from '../../../platform/errors/errors';
import type { Collection } from '../../../platform/store/collection';
import { storeFailure } from '../../../platform/store/failure';
import type { EventRow } from '../execution/run-engine';
import { batchOf, countFitting } from './run-event-batches';
import type { EventsOf, RunEventBatchRecord } from './run-event-batches';

/** Approximate maximum characters of events per insertion. */
const MAX_TEXT = 1024 * 1024;
/**
 * Minimum time between insertions, ms, unless a backlog is left. Each one is a commit that blocks
 * other writes.
 */
const GATHER_MS = 15;

interface InsertionDependencies {
  readonly records: Pick<Collection<RunEventBatchRecord>, 'find' | 'insertMany'>;
  readonly expiryOf: (run: EventsOf) => Date | null;
  readonly publish: (runId: number, rows: readonly EventRow[]) => void;
}

interface PendingBatch {
  readonly writer: RunEventWriter;
  readonly rows: readonly EventRow[];
  readonly record: RunEventBatchRecord;
}

/** Errors of a round by position. */
type Failures = ReadonlyMap<number, unknown>;

const NONE: Failures = new Map();
/** Pause before an insertion is repeated while the store is unavailable, ms. */
const AGAIN_MS = 500;

/**
 * Stores the events of all runs, one insertion after the other. Events that arrive during an
 * insertion are combined into one record per run for the next: the higher the load, the cheaper an
 * event.
 */
export class RunEventInsertion {
  private readonly pending = new Set<RunEventWriter>();
  private isWorking = false;
  private begunAt = -Infinity;
  private hasBacklog = false;

  constructor(private readonly deps: InsertionDependencies) {}

  /** @param require called before each write; if it throws, nothing more is written */
  createWriter(run: EventsOf, require: () => Promise<void>): RunEventWriter {
    return new RunEventWriter(run, require, (writer) => {
      this.pending.add(writer);
      void this.work();
    });
  }

  private async work(): Promise<void> {
    if (this.isWorking) return;
    this.isWorking = true;
    try {
      while (this.pending.size > 0) {
        const early = this.begunAt + GATHER_MS - performance.now();
        if (early > 0 && !this.hasBacklog) await pause(early);
        this.begunAt = performance.now();
        await this.insert(this.nextRound());
      }
    } finally {
      this.isWorking = false;
    }
  }

  /**
   * Next records, at most one per run: if a record cannot be stored, no later one of the run may
   * be.
   */
  private nextRound(): PendingBatch[] {
    const round: PendingBatch[] = [];
    let text = 0;
    this.hasBacklog = false;
    for (const writer of this.pending) {
      if (text >= MAX_TEXT) {
        this.hasBacklog = true;
        break;
      }
      this.pending.delete(writer);
      // A writer that has failed has no rows left.
      if (writer.rows.length === 0) continue;
      const rows = writer.take(countFitting(writer.rows));
      this.hasBacklog ||= writer.rows.length > 0;
      const record = batchOf(writer.run, rows, this.deps.expiryOf(writer.run));
      text += record.events.length;
      round.push({ writer, rows, record });
    }
    return round;
  }

  /** Drops records that may no longer be stored, and fails their writers. */
  private async keepPermitted(round: readonly PendingBatch[]): Promise<PendingBatch[]> {
    const isPermitted = await Promise.all(
      round.map(({ writer }) =>
        writer.require().then(
          () => true,
          (error: unknown) => {
            writer.fail(error);
            return false;
          },
        ),
      ),
    );
    return round.filter((_, nth) => isPermitted[nth]);
  }

  private async insert(pending: readonly PendingBatch[]): Promise<void> {
    let round = await this.keepPermitted(pending);
    let failures = await this.store(round);
    while (failures === 'unavailable') {
      await pause(AGAIN_MS, undefined, { ref: false });
      round = await this.keepPermitted(round);
      failures = await this.withoutStored(round, await this.store(round));
    }
    for (const [nth, { writer, rows, record }] of round.entries()) {
      if (failures.has(nth)) {
        writer.fail(failures.get(nth));
        continue;
      }
      this.deps.publish(writer.run._id, rows);
      writer.resolveUpTo(record.last);
      if (writer.rows.length > 0) this.pending.add(writer);
    }
  }

  /** The store reports single records, or fails as a whole. */
  private async store(round: readonly PendingBatch[]): Promise<Failures | 'unavailable'> {
    if (round.length === 0) return NONE;
    try {
      await this.deps.records.insertMany(round.map(({ record }) => record));
      return NONE;
    } catch (error) {
      const { writeErrors = [] } = (error ?? {}) as {
        writeErrors?: readonly { readonly index: number }[];
      };
      if (writeErrors.length > 0) return new Map(writeErrors.map(({ index }) => [index, error]));
      if (storeFailure(error) instanceof Unavailable) return 'unavailable';
      return new Map(round.map((_, nth) => [nth, error]));
    }
  }

  /** An attempt whose answer was lost may have stored records: no other process writes the same. */
  private async withoutStored(
    round: readonly PendingBatch[],
    failures: Failures | 'unavailable',
  ): Promise<Failures | 'unavailable'> {
    if (failures === 'unavailable' || failures.size === 0) return failures;
    const ids = round.flatMap(({ record }, nth) => (failures.has(nth) ? [record._id] : []));
    try {
      const stored = await this.deps.records.find({ _id: { $in: ids } });
      const texts = new Map(stored.map(({ _id, events }) => [_id, events]));
      return new Map(
        [...failures].filter(([nth]) => {
          const { _id, events } = round[nth].record;
          return texts.get(_id) !== events;
        }),
      );
    } catch (error) {
      if (storeFailure(error) instanceof Unavailable) return 'unavailable';
      throw error;
    }
  }
}

interface Appended {
  readonly last: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Events of one run on their way to the store, in order. */
export class RunEventWriter {
  private waiting: EventRow[] = [];
  private readonly appended: Appended[] = [];
  /** Stays set: every later append and flush fails, so that no gap appears. */
  private failure: { readonly error: unknown } | null = null;
  private newest: Promise<void> = Promise.resolve();
  private last = 0;

  /** @param offer called when there are rows to take */
  constructor(
    readonly run: EventsOf,
    readonly require: () => Promise<void>,
    private readonly offer: (writer: RunEventWriter) => void,
  ) {}

  /** Sequence of the newest event that was appended; 0 before the first. */
  get lastSequence(): number {
    return this.last;
  }

  get rows(): readonly EventRow[] {
    return this.waiting;
  }

  /** Resolves when these events are stored and published. */
  append(rows: readonly EventRow[]): Promise<void> {
    const last = rows.at(-1)?.sequence;
    if (last === undefined) return this.newest;
    this.last = last;
    this.newest = new Promise((resolve, reject) => this.appended.push({ last, resolve, reject }));
    // The next append or flush reports the error, so this promise need not be awaited.
    this.newest.catch(() => undefined);
    for (const row of rows) this.waiting.push(row);
    if (this.failure !== null) this.fail(this.failure.error);
    else this.offer(this);
    return this.newest;
  }

  flush(): Promise<void> {
    return this.newest;
  }

  /** Takes the next rows, which are pending until `resolveUpTo` or `fail`. */
  take(count: number): readonly EventRow[] {
    const rows = this.waiting.slice(0, count);
    this.waiting = this.waiting.slice(count);
    return rows;
  }

  /** Events up to this sequence are stored and published. */
  resolveUpTo(sequence: number): void {
    while (this.appended[0] !== undefined && this.appended[0].last <= sequence)
      this.appended.shift()?.resolve();
  }

  /** The rows taken last cannot be stored, and no later ones may be. */
  fail(error: unknown): void {
    this.failure ??= { error };
    this.waiting = [];
    for (const { reject } of this.appended.splice(0)) reject(this.failure.error);
  }
}
