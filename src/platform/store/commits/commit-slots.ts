import type { ClientSession, Connection, mongo } from 'mongoose';
import type { CommitNote } from './commit-notes';

/** The notes that a slot keeps: a process that looks each second misses none of them. */
const RECENT = 64;
/** A slot is removed when it was not written for this time, s, and not used again after half of it. */
export const SLOT_LIFE_S = 3_600;
const SLOT_USE_MS = (SLOT_LIFE_S * 1_000) / 2;

export const COMMITS = 'commits';
/** TTL index: https://www.mongodb.com/docs/manual/core/index-ttl/ */
export const COMMIT_INDEXES: mongo.IndexDescription[] = [
  { key: { at: 1 }, name: 'at_1', expireAfterSeconds: SLOT_LIFE_S },
];

export interface SlotRecord {
  readonly _id: string;
  readonly process: string;
  /** Number of notes ever. */
  readonly position: number;
  /** The latest notes, the newest last. */
  readonly recent: readonly CommitNote[];
  readonly at: Date;
}

/** A slot of this process. */
interface Slot {
  readonly id: string;
  position: number;
  readonly recent: CommitNote[];
  usedAt: number;
}

/** The slots of the processes at a store. */
export class CommitSlots {
  private readonly free: Slot[] = [];
  private created = 0;

  constructor(
    private readonly connection: Connection,
    private readonly me: string,
  ) {}

  /** Returns a slot for one transaction, to be released after its end. */
  take(): Slot {
    const slot = this.free.pop();
    if (slot && performance.now() - slot.usedAt < SLOT_USE_MS) return slot;
    this.created += 1;
    const id = `${this.me}/${this.created}`;
    return { id, position: 0, recent: [], usedAt: performance.now() };
  }

  release(slot: Slot): void {
    this.free.push(slot);
  }

  /** A note that is not committed goes with the next one: others only look once more than needed. */
  async write(slot: Slot, note: CommitNote, session?: ClientSession): Promise<void> {
    slot.usedAt = performance.now();
    slot.position += 1;
    slot.recent.push(note);
    if (slot.recent.length > RECENT) slot.recent.shift();
    const { position, recent } = slot;
    await this.collection().updateOne(
      { _id: slot.id },
      { $set: { process: this.me, position, recent, at: new Date() } },
      { upsert: true, session, ignoreUndefined: true },
    );
  }

  positionsOfOthers(): Promise<Pick<SlotRecord, '_id' | 'position'>[]> {
    return this.collection()
      .find({ process: { $ne: this.me } }, { projection: { position: 1 } })
      .toArray();
  }

  read(slots: readonly Pick<SlotRecord, '_id'>[]): Promise<SlotRecord[]> {
    return this.collection()
      .find({ _id: { $in: slots.map(({ _id }) => _id) } })
      .toArray();
  }

  private collection() {
    return this.connection.collection<SlotRecord>(COMMITS);
  }
}
