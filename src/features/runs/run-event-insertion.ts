import { setTimeout as pause } from 'node:timers/promises';
import type { mongo } from 'mongoose';
import type { EventRow } from './execution/run-engine';
import { batchOf, fitting } from './run-event-batches';
import type { EventsOf } from './run-event-batches';
import type { RunEventBatchRecord } from './run.model';
import { RunEventWriter } from './run-event-writer';

/** Approximate maximum characters of events per insertion. */
const MOST_TEXT = 1024 * 1024;

export interface InsertionDependencies {
  readonly records: Pick<mongo.Collection<RunEventBatchRecord>, 'insertMany'>;
  readonly expiryOf: (run: EventsOf) => Date | null;
  /** Called after events are stored. */
  readonly publish: (runId: number, rows: readonly EventRow[]) => void;
}

/**
 * Minimum time between insertions, ms, unless a backlog is left. Each one is a commit that blocks
 * other writes.
 */
const GATHER_MS = 15;

/** Events taken from one run in a round. */
interface Taken {
  readonly writer: RunEventWriter;
  readonly rows: readonly EventRow[];
  readonly record: RunEventBatchRecord;
}

const NONE: ReadonlyMap<number, unknown> = new Map();

/**
 * Stores the events of all runs, one insertion after the other. Events that arrive during an
 * insertion are combined into one record per run for the next: the higher the load, the cheaper an
 * event.
 * Returns a factory for writers.
 */
export function createRunEventInsertion({ records, expiryOf, publish }: InsertionDependencies) {
  const offering = new Set<RunEventWriter>();
  let isWorking = false;
  let begunAt = -Infinity;
  /** The last round could not take everything. */
  let isLeft = false;

  /**
   * Next records, at most one per run: if a record cannot be stored, no later one of the run may
   * be.
   */
  function nextRound(): Taken[] {
    const round: Taken[] = [];
    let text = 0;
    isLeft = false;
    for (const writer of offering) {
      if (text >= MOST_TEXT) {
        isLeft = true;
        break;
      }
      offering.delete(writer);
      // A writer that has failed has no rows left.
      if (writer.rows.length === 0) continue;
      const rows = writer.take(fitting(writer.rows));
      isLeft ||= writer.rows.length > 0;
      const record = batchOf(writer.run, rows, expiryOf(writer.run));
      text += record.events.length;
      round.push({ writer, rows, record });
    }
    return round;
  }

  /**
   * Stores records. Returns the errors by position: the store reports single records, or fails as a
   * whole.
   */
  async function failuresOf(
    round: readonly RunEventBatchRecord[],
  ): Promise<ReadonlyMap<number, unknown>> {
    try {
      await records.insertMany(round, { ordered: false });
      return NONE;
    } catch (error) {
      const told =
        (error as { writeErrors?: readonly { readonly index: number }[] } | null)?.writeErrors ??
        [];
      return new Map(
        told.length > 0
          ? told.map(({ index }) => [index, error])
          : round.map((_, nth) => [nth, error]),
      );
    }
  }

  /** Drops records that may no longer be stored, and fails their writers. */
  async function permitted(round: readonly Taken[]): Promise<Taken[]> {
    const may = await Promise.all(
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
    return round.filter((_, nth) => may[nth]);
  }

  async function insert(round: readonly Taken[]): Promise<void> {
    if (round.length === 0) return;
    const failures = await failuresOf(round.map(({ record }) => record));
    for (const [nth, { writer, rows, record }] of round.entries()) {
      if (failures.has(nth)) {
        writer.fail(failures.get(nth));
        continue;
      }
      publish(writer.run._id, rows);
      writer.settled(record.last);
      if (writer.rows.length > 0) offering.add(writer);
    }
  }

  async function work(): Promise<void> {
    if (isWorking) return;
    isWorking = true;
    try {
      while (offering.size > 0) {
        const early = begunAt + GATHER_MS - performance.now();
        if (early > 0 && !isLeft) await pause(early);
        begunAt = performance.now();
        await insert(await permitted(nextRound()));
      }
    } finally {
      isWorking = false;
    }
  }

  return (run: EventsOf, require: () => Promise<void>): RunEventWriter =>
    new RunEventWriter(run, require, (writer) => {
      offering.add(writer);
      void work();
    });
}
