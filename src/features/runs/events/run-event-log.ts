import { setTimeout as pause } from 'node:timers/promises';
import type { Core } from '../../../platform/core';
import { TimeSlices } from '../../../platform/event-loop';
import type { Collection } from '../../../platform/store/collection';
import { answeredCommand } from '../../../platform/store/command';
import type { Tx } from '../../../platform/store/store';
import type { EventRow, StepPlace } from '../execution/run-engine';
import { ElementParts } from '../logs/element-scan';
import { TEST_LOG_MS } from '../logs/logged-runs';
import { lastStepIn, runEventsStoredTopic, runEventsTopic } from '../run.events';
import type { PublishedRunEvent, PublishedRunEventRow } from '../run.events';
import { batchesOf, eventsIn, MAX_EVENTS, runEventBatchCollection } from './run-event-batches';
import type { EventsOf, RunEventBatchRecord } from './run-event-batches';
import { RunEventInsertion } from './run-event-insertion';
import type { RunEventWriter } from './run-event-insertion';

/** Start of such an event. Nested texts cannot match: their quotes are escaped. */
const STEP_STARTED = '{"kind":"StepStarted"';

const UNLOGGED_MS = 24 * 60 * 60 * 1000;
/** Characters of the records read at once; the last record may exceed it. */
const MAX_TEXT = 4 * 1024 * 1024;

/** Events removed per write, so that other writes are not delayed. */
export const MAX_REMOVED_EVENTS = 500;
/** Pause between two writes of a removal, for other work of the store, ms. */
export const REMOVAL_PAUSE_MS = 20;

/** The events of all runs: written in order, stored before they are published, read by sequence. */
export class RunEventLog {
  readonly elements: ElementParts;
  private readonly events: Collection<RunEventBatchRecord>;
  private readonly insertion: RunEventInsertion;

  constructor(private readonly core: Pick<Core, 'store' | 'bus' | 'clock'>) {
    this.events = runEventBatchCollection(core.store);
    this.elements = new ElementParts(this.events);
    this.insertion = new RunEventInsertion({
      records: this.events,
      expiryOf: (run) => this.expiryOf(run),
      publish: (runId, rows) => this.publish(runId, rows),
    });
  }

  createWriter(run: EventsOf, require: () => Promise<void>): RunEventWriter {
    return this.insertion.createWriter(run, require);
  }

  /** Returns the size of all events, bytes; null if the store does not tell it in time. */
  async readSize(): Promise<number | null> {
    const command = { collStats: this.events.name };
    const stats = await answeredCommand(this.core.store.connection, command).catch(() => null);
    return typeof stats?.size === 'number' ? stats.size : null;
  }

  /** Writes the last events of a run in a transaction; they are published after the commit. */
  append(
    run: EventsOf,
    rest: readonly EventRow[],
    { runId: _, sequence, at, ...body }: PublishedRunEvent,
    tx: Tx,
  ): void {
    const rows = [...rest, { sequence, at, kind: body.kind, body: JSON.stringify(body) }];
    for (const batch of batchesOf(run, rows, this.expiryOf(run)))
      this.events.insertLater(batch, tx);
    tx.afterCommit(() => this.publish(run._id, rows));
  }

  /**
   * Up to `limit` events after a sequence, in order; fewer if they are large, none only at the end.
   * If the next ones are gone, returns the first that are still stored.
   */
  async read(runId: number, afterSequence: number, limit: number): Promise<PublishedRunEvent[]> {
    const records = await this.nextRecords(runId, afterSequence, limit);
    const batches =
      records.length > 0
        ? records
        : await this.events.find(this.filterUnexpired(runId, afterSequence), {
            sort: { last: 1 },
            limit: 1,
          });
    return eventsIn(batches, afterSequence, limit);
  }

  /** Up to `limit` events of each run, of any size, in one or two queries. */
  async readEach(
    runIds: readonly number[],
    afterSequence: number,
    limit: number,
  ): Promise<PublishedRunEvent[][]> {
    const records = await this.events.aggregate(
      runIds.map((runId) => [
        { $match: this.filterNext(runId, afterSequence, limit) },
        { $sort: { last: 1 } },
      ]),
    );
    const runsWithRecords = new Set(records.map(({ runId }) => runId));
    const later = await this.events.aggregate(
      runIds
        .filter((runId) => !runsWithRecords.has(runId))
        .map((runId) => [
          { $match: this.filterUnexpired(runId, afterSequence) },
          { $sort: { last: 1 } },
          { $limit: 1 },
        ]),
    );
    const batches = new Map<number, RunEventBatchRecord[]>(runIds.map((runId) => [runId, []]));
    for (const batch of [...records, ...later]) batches.get(batch.runId)?.push(batch);
    const slices = new TimeSlices();
    const read: PublishedRunEvent[][] = [];
    for (const runId of runIds) {
      if (slices.over) await slices.next();
      read.push(eventsIn(batches.get(runId) ?? [], afterSequence, limit));
    }
    return read;
  }

  /**
   * Removes the events of a run up to a sequence in pieces, from the beginning: concurrent readers
   * get RUN_LOG_GONE. A record with later events stays. Returns false if it was aborted.
   */
  async removeInPieces(
    runId: number,
    last: number,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    for (let upTo = 0; upTo < last;) {
      if (signal?.aborted) return false;
      upTo = Math.min(upTo + MAX_REMOVED_EVENTS, last);
      const deleted = await this.events.deleteMany({ runId, last: { $lte: upTo } });
      if (deleted > 0) await pause(REMOVAL_PAUSE_MS);
    }
    return true;
  }

  async removeOf(runIds: readonly number[], tx?: Tx): Promise<void> {
    await this.events.deleteMany({ runId: { $in: [...runIds] } }, tx);
  }

  /** Returns 0 if nothing is stored. */
  async lastSequence(runId: number, tx?: Tx): Promise<number> {
    const newest = await this.events.findOne<Pick<RunEventBatchRecord, 'last'>>(
      { runId },
      { tx, fields: { last: 1 }, sort: { last: -1 } },
    );
    return newest?.last ?? 0;
  }

  /** The step that started last; null if no stored event shows it. */
  async lastStep(runId: number, tx: Tx): Promise<StepPlace | null> {
    for await (const { events: lines } of this.events.each(
      { runId },
      { sort: { last: -1 }, batchSize: 2, tx },
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
  }

  /** Number of finished steps, each counted once, however often it was tried. */
  async countFinishedSteps(runId: number, tx: Tx): Promise<number> {
    const batches = await this.events.find<Pick<RunEventBatchRecord, 'steps'>>(
      { runId },
      { tx, fields: { steps: 1 } },
    );
    return batches.reduce((sum, { steps }) => sum + steps, 0);
  }

  private expiryOf({ logOf, test }: EventsOf): Date | null {
    return logOf !== undefined && !test
      ? null
      : new Date(
          this.core.clock.now().getTime() + (logOf === undefined ? UNLOGGED_MS : TEST_LOG_MS),
        );
  }

  private publish(runId: number, rows: readonly EventRow[]): void {
    this.core.bus.publishLocally<readonly PublishedRunEventRow[]>(
      runEventsTopic(runId),
      rows.map(({ sequence, at, kind, body }) => ({ sequence, at, kind, body, runId })),
    );
    this.core.bus.publish(runEventsStoredTopic(runId), {});
  }

  /**
   * Unexpired records with events after a sequence. Expired ones count as gone even if the store
   * has not removed them yet.
   */
  private filterUnexpired(runId: number, afterSequence: number) {
    return {
      runId,
      last: { $gt: afterSequence },
      $or: [{ expiresAt: null }, { expiresAt: { $gt: this.core.clock.now() } }],
    };
  }

  /**
   * The records that hold the next `limit` events. The upper bound on `last` keeps the index scan
   * off the rest of a long log.
   */
  private filterNext(runId: number, afterSequence: number, limit: number) {
    return {
      ...this.filterUnexpired(runId, afterSequence),
      last: { $gt: afterSequence, $lt: afterSequence + limit + MAX_EVENTS },
      first: { $lte: afterSequence + limit },
    };
  }

  /** The first of the next records, up to `MAX_TEXT`; at least one if there is any. */
  private async nextRecords(
    runId: number,
    afterSequence: number,
    limit: number,
  ): Promise<RunEventBatchRecord[]> {
    const result: RunEventBatchRecord[] = [];
    let text = 0;
    // One more than there can be, so that the driver need not ask for another batch.
    for await (const record of this.events.each(this.filterNext(runId, afterSequence, limit), {
      sort: { last: 1 },
      batchSize: limit + 1,
    })) {
      result.push(record);
      text += record.events.length;
      if (text >= MAX_TEXT) break;
    }
    return result;
  }
}
