import { createHmac } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Role } from '../../../config/roles';
import type { Clock } from '../../clock/clock';
import type { Logger } from '../../log/logger';
import { createRepeating } from '../../repeating';
import type { Repeating } from '../../repeating';
import { withLease } from '../lease';
import { processName } from '../process-name';
import type { Store } from '../store';
import { ForeignProcess } from './foreign-process';
import { layoutOf, pendingMigrations, readMigrations } from './migrations';
import type { StoreLayout } from './migrations';
import { DEAD_MS, describeProcess, processRecords, stateOf } from './process-records';
import type { ListedProcess, ProcessRecord } from './process-records';

/** Interval of the beats of a process, ms. */
const BEAT_MS = 5_000;
/** How long dead processes are listed, ms. */
const LISTED_MS = 24 * 3_600_000;
/** How long a start waits for processes of an older version to end, ms. */
const OLDER_WAIT_MS = 60_000;
const LOOK_AGAIN_MS = 500;

/** What all processes at a store have in common. */
interface Fingerprint {
  readonly _id: 'token-secret';
  readonly value: string;
}

interface ProcessesDependencies {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
  readonly layout: StoreLayout;
  readonly version: string;
  readonly roles: readonly Role[];
  readonly tokenSecret: Buffer;
  readonly keyId: () => string | null;
}

/**
 * The processes at a store that several may use: each writes a record when it starts, and a beat
 * every five seconds. The record leaves when the process stops. A start is checked against the
 * others. With an exclusive store, nothing is stored or checked.
 */
export class Processes {
  readonly name = processName();
  /** Rejects when the store has changed so that this process may not go on. */
  readonly failed: Promise<never>;
  private fail: (error: ForeignProcess) => void = () => undefined;
  private since: Date | null = null;
  private beating: Repeating | null = null;
  /**
   * The last beats of the others, and when they were first seen, monotonic ms: comparing two reads
   * of this process is independent of their clocks.
   */
  private beats = new Map<string, { readonly beatAt: number; readonly seenAt: number }>();
  private lastBeatMs = 0;

  constructor(private readonly deps: ProcessesDependencies) {
    this.failed = new Promise<never>((_, reject) => {
      this.fail = reject;
    });
    // Avoid an unhandled rejection until the caller subscribes.
    this.failed.catch(() => undefined);
  }

  /** All processes at the store, the oldest first; of an exclusive store, this one if it serves. */
  async list(): Promise<ListedProcess[]> {
    if (!this.deps.store.isExclusive) return this.readAll();
    return this.since === null ? [] : [{ ...this.ownRecord(this.since), state: 'alive' }];
  }

  /**
   * Checks that this process fits the store and the others, adds it to them, and prepares the store
   * while no other process starts.
   * @throws ForeignProcess
   */
  async join(prepare: (others: readonly ProcessRecord[]) => Promise<void>): Promise<void> {
    await this.admit(async (others) => {
      const { store, clock } = this.deps;
      this.since = clock.now();
      if (!store.isExclusive) {
        await this.requireSameSecret(others);
        await this.beat();
        this.beating ??= this.startBeating();
      }
      await prepare(others);
      // The others compare their keys with that of this process.
      if (!store.isExclusive) await this.beat();
    });
  }

  /**
   * Prepares the store without adding this process, for a command. Waits for processes of an older
   * version if the store has to be migrated.
   * @throws ForeignProcess this version is older than the store, or an older process goes on
   */
  async admit(prepare: (others: readonly ProcessRecord[]) => Promise<void>): Promise<void> {
    const { store, clock, log } = this.deps;
    if (store.isExclusive) return prepare([]);
    const until = clock.elapsedMs() + OLDER_WAIT_MS;
    for (let hasLogged = false; ; hasLogged = true) {
      const blocked = await withLease(this.deps, 'start', async () => {
        const others = await this.othersAtWork();
        const obstacle = await this.migrationObstacle(others);
        if (obstacle === null) await prepare(others);
        return obstacle;
      });
      if (blocked === null) return;
      if (clock.elapsedMs() > until) throw new ForeignProcess(blocked);
      if (!hasLogged) log.warn(`${blocked} Waiting for them.`);
      await pause(LOOK_AGAIN_MS);
    }
  }

  /** Removes this process from the others. */
  async stop(): Promise<void> {
    await this.beating?.stop();
    if (this.beating !== null)
      // What is left of it is removed after a day.
      await this.records()
        .deleteOne({ _id: this.name })
        .catch(() => undefined);
    this.beating = null;
  }

  private async othersAtWork(): Promise<ListedProcess[]> {
    return (await this.readAll()).filter(({ _id, state }) => _id !== this.name && state !== 'dead');
  }

  /**
   * Returns why the store cannot be migrated now, or null.
   * @throws ForeignProcess this version is older than the store
   */
  private async migrationObstacle(others: readonly ProcessRecord[]): Promise<string | null> {
    const { store, layout } = this.deps;
    const done = await readMigrations(store, layout, others.map(describeProcess));
    const pending = done.length === 0 ? [] : pendingMigrations(done, layout);
    const older = others.filter((other) => other.layout < layoutOf(layout));
    if (pending.length === 0 || older.length === 0) return null;
    const names = pending.map(([number, { name }]) => `${number} (${name})`).join(', ');
    return `The migrations ${names} cannot run while processes of an older version use the store: ${older.map(describeProcess).join('; ')}. Stop them.`;
  }

  /** @throws ForeignProcess another process signs tokens with another secret */
  private async requireSameSecret(others: readonly ProcessRecord[]): Promise<void> {
    const { store, log, tokenSecret } = this.deps;
    const fingerprints = store.connection.collection<Fingerprint>('fingerprints');
    const _id = 'token-secret';
    // The secret itself is the key: the value reveals nothing of it.
    const value = createHmac('sha256', tokenSecret).update(_id).digest('base64url');
    const stored = await fingerprints.findOne({ _id });
    if (stored?.value === value) return;
    if (stored !== null && others.length > 0)
      throw new ForeignProcess(
        `The token secret of this process differs from that of the others at the store: ${others.map(describeProcess).join('; ')}. Set the same HYPHA_TOKEN_SECRET for all of them.`,
      );
    if (stored !== null)
      log.warn(
        'The token secret of the service has changed: all sessions end, users sign in again.',
      );
    await fingerprints.updateOne({ _id }, { $set: { value } }, { upsert: true });
  }

  private startBeating(): Repeating {
    const { log } = this.deps;
    let isReported = false;
    const beat = async (): Promise<void> => {
      try {
        await this.beat();
        isReported = false;
      } catch (error) {
        if (error instanceof ForeignProcess) this.fail(error);
        if (!isReported) log.error({ err: error }, 'the beat of this process was not written');
        isReported = true;
      }
    };
    const beating = createRepeating(beat, { firstMs: BEAT_MS, thenMs: BEAT_MS });
    beating.start();
    return beating;
  }

  /** Renews the record of this process, or writes it again if the store was restored. */
  private async beat(): Promise<void> {
    const { clock } = this.deps;
    const { _id, ...rest } = this.ownRecord(this.since ?? clock.now());
    const { matchedCount } = await this.records().updateOne(
      { _id },
      { $set: rest },
      { upsert: true },
    );
    const silentMs = clock.elapsedMs() - this.lastBeatMs;
    const isReturning = this.lastBeatMs > 0 && (matchedCount === 0 || silentMs > DEAD_MS);
    this.lastBeatMs = clock.elapsedMs();
    if (isReturning) await this.requireSameStore();
    const longAgo = new Date(clock.now().getTime() - LISTED_MS);
    await this.records().deleteMany({ beatAt: { $lt: longAgo } });
    await this.readAll();
  }

  /** While the others did not see this process, they may have changed the store. */
  private async requireSameStore(): Promise<void> {
    const others = await this.othersAtWork();
    await readMigrations(this.deps.store, this.deps.layout, others.map(describeProcess));
    await this.requireSameSecret(others);
  }

  private ownRecord(since: Date): ProcessRecord {
    const { clock, version, layout, roles, keyId } = this.deps;
    return {
      _id: this.name,
      version,
      layout: layoutOf(layout),
      host: hostname(),
      pid: process.pid,
      roles,
      since,
      beatAt: clock.now(),
      keyId: keyId(),
    };
  }

  private async readAll(): Promise<ListedProcess[]> {
    const { clock } = this.deps;
    const records = await this.records().find().sort({ since: 1, _id: 1 }).toArray();
    const now = clock.elapsedMs();
    const before = this.beats;
    this.beats = new Map(
      records.map(({ _id, beatAt }) => {
        const last = before.get(_id);
        if (last?.beatAt === beatAt.getTime()) return [_id, last];
        const age = last ? 0 : Math.max(0, clock.now().getTime() - beatAt.getTime());
        return [_id, { beatAt: beatAt.getTime(), seenAt: now - age }];
      }),
    );
    return records.map((record) => {
      const silentMs = now - (this.beats.get(record._id)?.seenAt ?? now);
      return { ...record, state: stateOf(record._id, silentMs) };
    });
  }

  private records() {
    return processRecords(this.deps.store);
  }
}

/**
 * @param isHeld whether this process holds a vault key
 * @throws ForeignProcess another process encrypts with a key that this one does not hold
 */
export function requireSameKey(
  others: readonly ProcessRecord[],
  isHeld: (keyId: string) => boolean,
): void {
  const foreign = others.filter(({ keyId }) => keyId !== null && !isHeld(keyId));
  if (foreign.length > 0)
    throw new ForeignProcess(
      `The key of the stored secrets differs from that of other processes at the store: ${foreign.map(describeProcess).join('; ')}. Set the same HYPHA_CONNECTOR_MASTER_PASSWORD for all of them, or put the same file connector-key into DATA_DIR.`,
    );
}
