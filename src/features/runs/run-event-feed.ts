import type { EventBus } from '../../platform/events/bus';
import { createRepeating } from '../../platform/repeating';
import { LiveTail } from './live-tail';
import type { PublishedRunEvent, PublishedRunEventRow } from './run.events';
import { eventOf, runEventsTopic } from './run.events';
import type { RunRecord } from './run.model';
import type { RunEventLog } from './run-event-log';
import { gapIn, requireSequence } from './run-log.rules';

const PAGE = 200;
/** The bus may lose an event: subscribers check the store at this interval, ms. */
const LOOK_AGAIN_MS = 15_000;
/**
 * Interval for reading events of a run that another process executes, whose bus is not shared, ms.
 */
const FETCH_MS = 1_000;

export interface FeedDependencies {
  readonly bus: EventBus;
  readonly log: Pick<RunEventLog, 'read' | 'lastSequence'>;
  /** Whether another process may execute the run. */
  readonly isElsewhere: (run: RunRecord) => boolean;
  /** @throws NotFound if there is no such run */
  readonly get: (runId: number) => Promise<RunRecord>;
  readonly onFault: (error: unknown, runId: number) => void;
}

export type RunEventFeed = ReturnType<typeof createRunEventFeed>;

/**
 * Events of runs for subscribers: past events come from the store, new ones from a tail that the
 * subscribers of a run share.
 * Each subscriber pulls by sequence, so a slow one needs no buffer: it reads the store if it falls
 * behind.
 */
export function createRunEventFeed({ bus, log, isElsewhere, get, onFault }: FeedDependencies) {
  const tails = new Map<
    number,
    { readonly tail: LiveTail; readers: number; readonly close: () => void }
  >();

  /**
   * Reads events that other processes have stored into the tail, once for all subscribers of a run.
   */
  async function fetchInto(tail: LiveTail, runId: number): Promise<void> {
    const newest = await log.lastSequence(runId);
    for (let after = Math.max(tail.newest, newest - PAGE); after < newest;) {
      // May return fewer than the limit if they are large.
      const events = await log.read(runId, after, PAGE);
      if (events.length === 0) return;
      tail.push(events);
      after = events.at(-1)?.sequence ?? newest;
    }
  }

  function open(run: RunRecord): { tail: LiveTail; close: () => void } {
    const runId = run._id;
    let shared = tails.get(runId);
    if (!shared) {
      const tail = new LiveTail();
      const unsubscribe = bus.subscribe<readonly PublishedRunEventRow[]>(
        runEventsTopic(runId),
        (rows) => tail.push(rows.map(eventOf)),
      );
      const fetching = isElsewhere(run)
        ? createRepeating(
            () => fetchInto(tail, runId).catch((error: unknown) => onFault(error, runId)),
            { firstMs: FETCH_MS, thenMs: FETCH_MS },
          )
        : null;
      fetching?.start();
      const end = (): void => {
        unsubscribe();
        void fetching?.stop();
      };
      shared = { tail, readers: 0, close: end };
      tails.set(runId, shared);
    }
    const entry = shared;
    entry.readers += 1;
    return {
      tail: entry.tail,
      close() {
        entry.readers -= 1;
        if (entry.readers > 0) return;
        entry.close();
        tails.delete(runId);
      },
    };
  }

  /**
   * Returns the stored events after `last`: none if there are none yet, null if the run has ended
   * before.
   * @throws Refused RUN_LOG_GONE if events in between are no longer stored
   */
  async function fromStore(runId: number, last: number): Promise<PublishedRunEvent[] | null> {
    const run = await get(runId);
    if (run.lastSequence !== null && run.lastSequence <= last) return null;
    const events = await log.read(runId, last, PAGE);
    const gap = gapIn(run, last, events);
    if (gap) throw gap;
    return events;
  }

  async function* read(
    run: RunRecord,
    afterSequence: number,
    signal: AbortSignal,
  ): AsyncGenerator<PublishedRunEvent, void, undefined> {
    const { tail, close } = open(run);
    try {
      let last = afterSequence;
      let inStore = false;
      while (!signal.aborted) {
        const batch = (inStore ? undefined : tail.after(last)) ?? (await fromStore(run._id, last));
        if (batch === null) return;
        for (const event of batch) {
          if (signal.aborted) return;
          yield event;
          last = event.sequence;
          if (event.kind === 'RunFinished') return;
        }
        // Events that arrived during the read may be in the tail. Wait only if neither has any.
        const isAtEnd = batch.length === 0 && (tail.after(last) ?? []).length === 0;
        if (isAtEnd)
          inStore = !(await tail.grownBeyond(Math.max(last, tail.newest), signal, LOOK_AGAIN_MS));
        else if (batch.length === 0) inStore = false;
      }
    } finally {
      close();
    }
  }

  return {
    /**
     * The events of a run after a sequence, gapless and in order, ending with the run.
     * @throws NotFound EXECUTION_NOT_FOUND
     * @throws BadInput if the sequence is negative
     * @throws Refused  RUN_LOG_GONE, also while iterating
     */
    async follow(
      runId: number,
      afterSequence: number,
      signal: AbortSignal,
    ): Promise<AsyncGenerator<PublishedRunEvent, void, undefined>> {
      requireSequence(afterSequence);
      return read(await get(runId), afterSequence, signal);
    },

    /** The same for a run that is already read, from any sequence on. */
    read,
  };
}
