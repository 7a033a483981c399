import type { Core } from '../../../platform/core';
import { ChangeCounter } from '../../../platform/events/change-counter';
import type { RunLeases } from '../leases/run-leases';
import { gapIn } from '../logs/logged-runs';
import type { RunRecords } from '../run-records';
import { eventOf, runEventsStoredTopic, runEventsTopic } from '../run.events';
import type { PublishedRunEvent, PublishedRunEventRow } from '../run.events';
import type { RunRecord } from '../run.model';
import type { RunEventLog } from './run-event-log';

const PAGE = 200;
/** The bus may lose an event: subscribers check the store at this interval, ms. */
const LOOK_AGAIN_MS = 15_000;
/** Interval for reading events of a run that another process executes, ms. */
const FETCH_MS = 1_000;

const MAX_TAIL = 500;
/** Maximum characters of all their texts. */
const MAX_TAIL_TEXT = 4 * 1024 * 1024;

/** An event for a subscriber, with its run: permissions are checked for each event. */
export interface WatchedRunEvent {
  readonly run: RunRecord;
  readonly event: PublishedRunEvent;
}

/** One object per event for all readers, so that they share results. Who may see a run never changes. */
const watchedEvents = new WeakMap<PublishedRunEvent, WatchedRunEvent>();

function watched(run: RunRecord, event: PublishedRunEvent): WatchedRunEvent {
  const watchedEvent = watchedEvents.get(event) ?? { run, event };
  watchedEvents.set(event, watchedEvent);
  return watchedEvent;
}

interface FeedDependencies {
  readonly core: Pick<Core, 'bus' | 'log'>;
  readonly events: Pick<RunEventLog, 'read' | 'lastSequence'>;
  readonly leases: Pick<RunLeases, 'isElsewhere'>;
  readonly records: Pick<RunRecords, 'get'>;
}

interface SharedTail {
  readonly tail: LiveTail;
  readers: number;
  readonly close: () => void;
}

/**
 * Events of runs for subscribers: past events come from the store, new ones from a tail that the
 * subscribers of a run share.
 * Each subscriber pulls by sequence, so a slow one needs no buffer: it reads the store if it falls
 * behind.
 */
export class RunEventFeed {
  private readonly tails = new Map<number, SharedTail>();

  constructor(private readonly deps: FeedDependencies) {}

  /** The events of a run after a sequence, gapless and in order, ending with the run. */
  async *read(
    run: RunRecord,
    afterSequence: number,
    signal: AbortSignal,
  ): AsyncGenerator<WatchedRunEvent, void, undefined> {
    const { tail } = this.open(run);
    try {
      let last = afterSequence;
      let inStore = false;
      while (!signal.aborted) {
        const batch =
          (inStore ? undefined : tail.after(last)) ?? (await this.fromStore(run._id, last));
        if (batch === null) return;
        for (const event of batch) {
          if (signal.aborted) return;
          yield watched(run, event);
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
      this.close(run._id);
    }
  }

  private open(run: RunRecord): SharedTail {
    const shared = this.tails.get(run._id) ?? this.createTail(run);
    this.tails.set(run._id, shared);
    shared.readers += 1;
    return shared;
  }

  private close(runId: number): void {
    const shared = this.tails.get(runId);
    if (!shared) return;
    shared.readers -= 1;
    if (shared.readers > 0) return;
    shared.close();
    this.tails.delete(runId);
  }

  private createTail(run: RunRecord): SharedTail {
    const { core, leases } = this.deps;
    const runId = run._id;
    const tail = new LiveTail();
    const unsubscribe = core.bus.subscribe<readonly PublishedRunEventRow[]>(
      runEventsTopic(runId),
      (rows) => tail.push(rows.map(eventOf)),
    );
    const stopping = new AbortController();
    if (leases.isElsewhere(run)) void this.followStored(tail, runId, stopping.signal);
    return {
      tail,
      readers: 0,
      close() {
        unsubscribe();
        stopping.abort();
      },
    };
  }

  /**
   * Reads events that other processes store, once for all subscribers of a run: when they say so,
   * and each second.
   */
  private async followStored(tail: LiveTail, runId: number, signal: AbortSignal): Promise<void> {
    const { core } = this.deps;
    const stored = new ChangeCounter();
    const stop = core.bus.subscribe(runEventsStoredTopic(runId), stored.increment);
    try {
      while (!signal.aborted) {
        const { count } = stored;
        await this.fetchInto(tail, runId).catch((error: unknown) =>
          core.log.error({ err: error, runId }, 'Could not read the events of a run.'),
        );
        await stored.next(count, signal, FETCH_MS);
      }
    } finally {
      stop();
    }
  }

  private async fetchInto(tail: LiveTail, runId: number): Promise<void> {
    const { events } = this.deps;
    const newest = await events.lastSequence(runId);
    for (let after = Math.max(tail.newest, newest - PAGE); after < newest;) {
      // May return fewer than the limit if they are large.
      const page = await events.read(runId, after, PAGE);
      if (page.length === 0) return;
      tail.push(page);
      after = page.at(-1)?.sequence ?? newest;
    }
  }

  /**
   * Returns the stored events after `last`: none if there are none yet, null if the run has ended
   * before.
   */
  private async fromStore(runId: number, last: number): Promise<PublishedRunEvent[] | null> {
    const run = await this.deps.records.get(runId);
    if (run.lastSequence !== null && run.lastSequence <= last) return null;
    const page = await this.deps.events.read(runId, last, PAGE);
    const gap = gapIn(run, last, page);
    if (gap) throw gap;
    return page;
  }
}

/** The newest events of a run, without gaps, shared by its subscribers. */
export class LiveTail {
  private events: PublishedRunEvent[] = [];
  private lengths: number[] = [];
  private text = 0;
  private last = 0;
  private waiting = new Set<() => void>();

  /** Sequence of the newest event that was pushed; 0 before the first. */
  get newest(): number {
    return this.last;
  }

  push(batch: readonly PublishedRunEvent[]): void {
    for (const event of batch) {
      if (event.sequence <= this.last) continue;
      if (event.sequence !== this.last + 1) this.forget();
      const length = charactersIn(event);
      this.events.push(event);
      this.lengths.push(length);
      this.text += length;
      this.last = event.sequence;
    }
    while (this.events.length > MAX_TAIL || (this.text > MAX_TAIL_TEXT && this.events.length > 1)) {
      this.events.shift();
      this.text -= this.lengths.shift() ?? 0;
    }
    for (const wake of [...this.waiting]) wake();
  }

  /** Returns the events after a sequence; undefined if they are not in memory. */
  after(sequence: number): readonly PublishedRunEvent[] | undefined {
    const first = this.events[0];
    if (!first || sequence + 1 < first.sequence || sequence > this.last) return undefined;
    return this.events.slice(sequence + 1 - first.sequence);
  }

  /** Resolves with true when there is a newer event, with false on timeout or abort. */
  async grownBeyond(sequence: number, signal: AbortSignal, ms: number): Promise<boolean> {
    if (this.last > sequence) return true;
    if (signal.aborted) return false;
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.waiting.delete(done);
        signal.removeEventListener('abort', done);
        resolve(this.last > sequence);
      };
      const timer = setTimeout(done, ms).unref();
      this.waiting.add(done);
      signal.addEventListener('abort', done, { once: true });
    });
  }

  private forget(): void {
    this.events = [];
    this.lengths = [];
    this.text = 0;
  }
}

/** Characters of all texts in a value, including field names: header names have no length limit. */
function charactersIn(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce(
    (sum, [name, one]) => sum + name.length + charactersIn(one),
    0,
  );
}
