import type { PipelineStage } from 'mongoose';
import type { Clock } from '../../platform/clock/clock';
import type { EventBus } from '../../platform/events/bus';
import type { Store, Tx } from '../../platform/store/store';
import { Turns } from '../../platform/event-loop';
import { unionOf } from '../../platform/store/pages-of';
import type { EventRow, StepPlace } from './execution/run-engine';
import type { PublishedRunEvent, PublishedRunEventRow } from './run.events';
import { lastStepIn, runEventsTopic } from './run.events';
import type { RunEventBatchRecord } from './run.model';
import { createElementParts } from './logs/element-parts';
import { runEventBatchSchema } from './run.model';
import { MOST_EVENTS, batchesOf, eventsIn } from './run-event-batches';
import type { EventsOf } from './run-event-batches';
import { createRunEventInsertion } from './run-event-insertion';
import { TEST_LOG_MS } from './run-log.rules';

/** Start of such an event. Nested texts cannot match: their quotes are escaped. */
const STEP_STARTED = '{"kind":"StepStarted"';

/** How long events of a run without a log are kept, ms. */
const UNLOGGED_MS = 24 * 60 * 60 * 1000;
/** Characters of the records read at once; the last record may exceed it. */
const MOST_TEXT = 4 * 1024 * 1024;

export type RunEventLog = ReturnType<typeof createRunEventLog>;

/** The events of all runs: written in order, stored before they are published, read by sequence. */
export function createRunEventLog({
  store,
  bus,
  clock,
}: {
  store: Store;
  bus: EventBus;
  clock: Clock;
}) {
  const events = store.model<RunEventBatchRecord>(
    'RunEventBatch',
    runEventBatchSchema,
    'run_event_batches',
  );
  const records = store.connection.collection<RunEventBatchRecord>(events.collection.name);

  const expiryOf = ({ logOf, test }: EventsOf): Date | null =>
    logOf !== undefined && !test
      ? null
      : new Date(clock.now().getTime() + (logOf === undefined ? UNLOGGED_MS : TEST_LOG_MS));

  /**
   * Unexpired records with events after a sequence. Expired ones count as gone even if the store
   * has not removed them yet.
   */
  const kept = (runId: number, afterSequence: number) => ({
    runId,
    last: { $gt: afterSequence },
    $or: [{ expiresAt: null }, { expiresAt: { $gt: clock.now() } }],
  });

  /**
   * The records that hold the next `limit` events. The upper bound on `last` keeps the index scan
   * off the rest of a long log.
   */
  const next = (runId: number, afterSequence: number, limit: number) => ({
    ...kept(runId, afterSequence),
    last: { $gt: afterSequence, $lt: afterSequence + limit + MOST_EVENTS },
    first: { $lte: afterSequence + limit },
  });

  /** Records of several runs, in order, in one query. */
  async function recordsOf(pipelines: PipelineStage[][]): Promise<RunEventBatchRecord[]> {
    return pipelines.length === 0
      ? []
      : events.aggregate<RunEventBatchRecord>(unionOf(events, pipelines));
  }

  /** The first of the next records, up to `MOST_TEXT`; at least one if there is any. */
  async function nextRecords(
    runId: number,
    afterSequence: number,
    limit: number,
  ): Promise<RunEventBatchRecord[]> {
    const found: RunEventBatchRecord[] = [];
    let text = 0;
    // One more than there can be, so that the driver need not ask for another batch.
    for await (const record of records.find(next(runId, afterSequence, limit), {
      sort: { last: 1 },
      batchSize: limit + 1,
    })) {
      found.push(record);
      text += record.events.length;
      if (text >= MOST_TEXT) break;
    }
    return found;
  }

  function publish(runId: number, rows: readonly EventRow[]): void {
    bus.publish<readonly PublishedRunEventRow[]>(
      runEventsTopic(runId),
      rows.map(({ sequence, at, kind, body }) => ({ sequence, at, kind, body, runId })),
    );
  }

  return {
    /** Log lines of the events. */
    elements: createElementParts(events),

    /**
     * Creates the writer of one run. `require` is called before each write; if it throws, nothing
     * more is written.
     */
    writer: createRunEventInsertion({ records, expiryOf, publish }),

    /** Writes the last events of a run in a transaction; they are published after the commit. */
    async append(
      run: EventsOf,
      rest: readonly EventRow[],
      { runId: _, sequence, at, ...body }: PublishedRunEvent,
      tx: Tx,
    ): Promise<void> {
      const rows = [...rest, { sequence, at, kind: body.kind, body: JSON.stringify(body) }];
      await records.insertMany(batchesOf(run, rows, expiryOf(run)), {
        ordered: true,
        session: tx.session,
      });
      tx.afterCommit(() => publish(run._id, rows));
    },

    /**
     * Up to `limit` events after a sequence, in order; fewer if they are large, none only at the
     * end. If the next ones are gone, returns the first that are still stored.
     */
    async read(runId: number, afterSequence: number, limit: number): Promise<PublishedRunEvent[]> {
      const found = await nextRecords(runId, afterSequence, limit);
      const batches =
        found.length > 0
          ? found
          : await events
              .find(kept(runId, afterSequence))
              .sort({ last: 1 })
              .limit(1)
              .lean<RunEventBatchRecord[]>();
      return eventsIn(batches, afterSequence, limit);
    },

    /** Up to `limit` events of each run, of any size, in one or two queries. */
    async readEach(
      runIds: readonly number[],
      afterSequence: number,
      limit: number,
    ): Promise<PublishedRunEvent[][]> {
      const found = await recordsOf(
        runIds.map((runId) => [
          { $match: next(runId, afterSequence, limit) },
          { $sort: { last: 1 } },
        ]),
      );
      const known = new Set(found.map(({ runId }) => runId));
      const later = await recordsOf(
        runIds
          .filter((runId) => !known.has(runId))
          .map((runId) => [
            { $match: kept(runId, afterSequence) },
            { $sort: { last: 1 } },
            { $limit: 1 },
          ]),
      );
      const batches = new Map<number, RunEventBatchRecord[]>(runIds.map((runId) => [runId, []]));
      for (const batch of [...found, ...later]) batches.get(batch.runId)?.push(batch);
      const turns = new Turns();
      const read: PublishedRunEvent[][] = [];
      for (const runId of runIds) {
        if (turns.over) await turns.next();
        read.push(eventsIn(batches.get(runId) ?? [], afterSequence, limit));
      }
      return read;
    },

    /** Removes the events up to a sequence, except those in a record with later ones. */
    async removeUpTo(runId: number, sequence: number): Promise<number> {
      return (await events.deleteMany({ runId, last: { $lte: sequence } })).deletedCount;
    },

    /** Removes all events of runs that have few. */
    async removeOf(runIds: readonly number[], tx: Tx): Promise<void> {
      await events.deleteMany({ runId: { $in: [...runIds] } }, { session: tx.session });
    },

    /** Returns 0 if nothing is stored. */
    async lastSequence(runId: number, tx?: Tx): Promise<number> {
      const newest = await events
        .findOne({ runId }, { last: 1 }, { session: tx?.session })
        .sort({ last: -1 })
        .lean<Pick<RunEventBatchRecord, 'last'>>();
      return newest?.last ?? 0;
    },

    /** The step that started last; null if no stored event shows it. */
    async lastStep(runId: number, tx?: Tx): Promise<StepPlace | null> {
      for await (const { events: lines } of records.find(
        { runId },
        { sort: { last: -1 }, batchSize: 2, session: tx?.session },
      )) {
        const place = lastStepIn(
          lines
            .split('\n')
            .flatMap((line) =>
              line.includes(STEP_STARTED)
                ? [{ kind: 'StepStarted', body: line.slice(line.indexOf(' ') + 1) }]
                : [],
            ),
        );
        if (place) return place;
      }
      return null;
    },

    /** Number of finished steps, each counted once, however often it was tried. */
    async finishedSteps(runId: number, tx?: Tx): Promise<number> {
      const batches = await events
        .find({ runId }, { steps: 1 }, { session: tx?.session })
        .lean<Pick<RunEventBatchRecord, 'steps'>[]>();
      return batches.reduce((sum, { steps }) => sum + steps, 0);
    },
  };
}
