import { setTimeout as pause } from 'node:timers/promises';
import type { ClientSession, Connection } from 'mongoose';
import { createRepeating } from '../../repeating';
import type { Repeating } from '../../repeating';
import { processName } from '../process-name';
import { CellCounts } from './cell-counts';
import { CommitSlots } from './commit-slots';
import type { SlotRecord } from './commit-slots';
import type { ChangedIds } from './cell-counts';
import type { CommitChanges, NotedEvent } from './commit-notes';

const POLL_MS = 1_000;
/** Slots may have been removed since a look that began before, ms: see `SLOT_LIFE_S`. */
const MISSED_MS = 30 * 60_000;
/** Minimum time between two notes of events, ms. */
const EVENTS_MS = 100;
/** Maximum number of events in a note. */
const MAX_EVENTS = 500;

/**
 * Tells the processes at one store of the commits of all others. A transaction notes what it changes
 * in a slot, which is a document that no other open transaction writes: so notes never conflict, and
 * the positions of a slot are in the order of its commits. A process that has read the slots of the
 * others knows all commits that were acknowledged before.
 */
export class CommitFeed {
  private readonly slots: CommitSlots;
  private readonly me = processName();
  /** By slot of other processes; null before the first look. */
  private positions: Map<string, number> | null = null;
  private lookBegunAt = Number.NEGATIVE_INFINITY;
  private looking: Promise<void> | null = null;
  private nextLook: Promise<void> | null = null;
  private outgoing: NotedEvent[] = [];
  private sending: Promise<void> | null = null;
  private readonly polling: Repeating;
  private isStopped = false;
  readonly counts: CellCounts;
  /** Called after a commit with a note: tells the other processes to look. */
  onNoted: () => void = () => undefined;
  /** Called with events of other processes. Some may be lost. */
  onEvents: (events: readonly NotedEvent[]) => void = () => undefined;

  /** @param pollMs interval of looking for commits of other processes without a reason, ms */
  constructor(connection: Connection, pollMs = POLL_MS) {
    this.slots = new CommitSlots(connection, this.me);
    // Nothing is remembered if the last look is older than two intervals.
    this.counts = new CellCounts(() => performance.now() - this.lookBegunAt < 2 * pollMs);
    this.polling = createRepeating(() => this.catchUp().catch(() => undefined), {
      firstMs: pollMs,
      thenMs: pollMs,
    });
  }

  /** Knows the commits of others from now on. */
  async start(): Promise<void> {
    await this.catchUp();
    this.polling.start();
  }

  /** Age of what this process knows of the commits of others, ms; 0 before it starts. */
  get lagMs(): number {
    return this.positions === null ? 0 : Math.round(performance.now() - this.lookBegunAt);
  }

  /** Sends what waits to be sent. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.polling.stop();
    await this.sending?.catch(() => undefined);
    await this.looking?.catch(() => undefined);
  }

  /**
   * Resolves when this process knows all commits that were acknowledged before the call. Concurrent
   * callers share one look into the store.
   */
  catchUp(): Promise<void> {
    if (this.looking === null) return this.beginLook();
    this.nextLook ??= this.looking
      .catch(() => undefined)
      .then(() => {
        this.nextLook = null;
        return this.beginLook();
      });
    return this.nextLook;
  }

  /** Runs a transaction with a slot for its note. */
  async within<R>(
    changed: CommitChanges,
    work: (note: (session: ClientSession) => Promise<void>) => Promise<R>,
  ): Promise<R> {
    const slot = this.slots.take();
    const held: (() => void)[] = [];
    try {
      return await work(async (session) => {
        if (changed.isEmpty) return;
        const note = changed.note();
        held.push(this.counts.hold(note.records));
        await this.slots.write(slot, note, session);
      });
    } finally {
      this.slots.release(slot);
      if (held.length > 0) {
        // Also if the outcome is not known.
        this.count(changed.note().records);
        for (const release of held) release();
        this.onNoted();
      }
    }
  }

  /**
   * Sends an event to the other processes, soon: a hint, which is lost if this process ends before or
   * the store does not answer. Receivers look into the store in any case.
   */
  send(topic: string, event: unknown): void {
    if (this.outgoing.length < MAX_EVENTS) this.outgoing.push([topic, event]);
    this.sending ??= this.sendAll().finally(() => {
      this.sending = null;
    });
  }

  private async sendAll(): Promise<void> {
    while (this.outgoing.length > 0) {
      const events = withoutRepeated(this.outgoing.splice(0));
      const slot = this.slots.take();
      try {
        await this.slots.write(slot, { events });
        this.onNoted();
      } catch {
        // What it is about is in the store, and the next note has it too.
      } finally {
        this.slots.release(slot);
      }
      if (this.isStopped) return;
      await pause(EVENTS_MS, undefined, { ref: false });
    }
  }

  private beginLook(): Promise<void> {
    this.looking = this.look().finally(() => {
      this.looking = null;
    });
    return this.looking;
  }

  private async look(): Promise<void> {
    const begunAt = performance.now();
    const stored = await this.slots.positionsOfOthers();
    const previous = this.positions;
    const moved = stored.filter(({ _id, position }) => previous?.get(_id) !== position);
    const current = previous && moved.length > 0 ? await this.slots.read(moved) : [];
    const positions = new Map(stored.map(({ _id, position }) => [_id, position]));
    for (const { _id, position } of current) positions.set(_id, position);
    this.positions = positions;
    if (previous === null || begunAt - this.lookBegunAt > MISSED_MS) this.counts.changeAll();
    else for (const slot of current) this.receive(slot, previous.get(slot._id) ?? 0);
    this.lookBegunAt = begunAt;
  }

  /** Takes what a slot noted after a position. */
  private receive({ position, recent }: SlotRecord, after: number): void {
    const count = position - after;
    if (count < 0 || count > recent.length) this.counts.changeAll();
    const notes = count < 0 ? recent : recent.slice(-Math.min(count, recent.length));
    for (const { records } of notes) if (records) this.count(records);
    for (const { events } of notes) if (events) this.onEvents(events);
  }

  private count(records: ChangedIds): void {
    for (const [collection, ids] of Object.entries(records)) this.counts.change(collection, ids);
  }
}

function withoutRepeated(events: readonly NotedEvent[]): NotedEvent[] {
  return [...new Map(events.map((event) => [JSON.stringify(event), event])).values()];
}
