import type { Core } from '../../platform/core';
import { Conflict } from '../../platform/errors/errors';
import type { Collection } from '../../platform/store/collection';
import { pageOf } from '../../platform/store/lists/keyset';
import type { Page, PageQuery } from '../../platform/store/lists/keyset';
import type { Tx } from '../../platform/store/store';
import { ACTIONS } from './online-service';
import type { OnlineAction, OnlineKind } from './online-service';
import { synchronisationCollection } from './online-service.model';
import type { Counts, SynchronisationRecord, SynchronisedItem } from './online-service.model';
import type { PortalItem } from './portal';

declare module '../../platform/context' {
  interface Services {
    synchronisationHistory: SynchronisationHistory;
  }
}

/** Maximum number of items that are listed for a synchronisation. */
const MAX_LISTED = 500;
/** Number of synchronisations of each kind that are kept. */
const MAX_KEPT = 200;

type SynchronisationEnd = Pick<SynchronisationRecord, 'state' | 'message' | 'counts' | 'items'>;

/** How long a synchronisation counts as running without a sign of its process, ms. */
const ALIVE_MS = 30_000;
const RENEW_MS = 5_000;

/** What starts a synchronisation. */
export interface SynchronisationStart {
  readonly kind: OnlineKind;
  readonly isDryRun: boolean;
  /** Null: it is due. */
  readonly startedBy: string | null;
  readonly dueAt: Date | null;
}

/** The records of synchronisations. They also ensure that one of a kind runs at a time. */
export class SynchronisationHistory {
  private readonly collection: Collection<SynchronisationRecord>;
  /** Synchronisations of this process. */
  private readonly own = new Map<number, NodeJS.Timeout>();

  constructor(private readonly core: Core) {
    this.collection = synchronisationCollection(core.store);
  }

  /** Ends what dead processes left running. */
  async endInterrupted(): Promise<void> {
    const running = await this.collection.find({ state: 'RUNNING' });
    for (const record of running) if (!this.isAlive(record)) await this.endDead(record);
  }

  page(query: PageQuery): Promise<Page<SynchronisationRecord>> {
    return pageOf<SynchronisationRecord>(this.collection, query);
  }

  byIds(ids: readonly number[]): Promise<(SynchronisationRecord | null)[]> {
    return this.collection.byIds(ids);
  }

  /** Returns the newest synchronisations of all kinds, or of one. */
  async newest(most: number, kind?: OnlineKind): Promise<SynchronisationRecord[]> {
    return this.collection.find(kind === undefined ? {} : { kind }, {
      sort: { _id: -1 },
      limit: most,
    });
  }

  /**
   * Stores a synchronisation that starts, and removes the oldest. Returns null if another process
   * has started it for the same `dueAt`.
   * @throws Conflict SYNCHRONISATION_RUNNING one of this kind is running
   */
  async begin(start: SynchronisationStart): Promise<SynchronisationRecord | null> {
    const { store, clock } = this.core;
    const { kind, dueAt } = start;
    const ids: number[] = [];
    const insert = async (tx: Tx): Promise<SynchronisationRecord | null> => {
      // Taking the id within the transaction makes concurrent starts wait for each other.
      const _id = await store.nextId('synchronisations', tx);
      if (dueAt && (await this.collection.exists({ kind, dueAt }, tx))) return null;
      for (const dead of await this.requireIdle(kind, tx)) await this.endDead(dead, tx);
      // Before the commit, or a concurrent start would consider it dead.
      this.keepAlive(_id);
      ids.push(_id);
      const now = clock.now();
      const record = { ...EMPTY, ...start, _id, startedAt: now, aliveUntil: aliveFrom(now) };
      return this.collection.insert(record, tx);
    };
    let record: SynchronisationRecord | null = null;
    try {
      record = await store.transaction(insert);
    } finally {
      for (const id of ids) if (id !== record?._id) this.release(id);
    }
    if (record) await this.removeOldest(kind);
    return record;
  }

  /**
   * Returns the synchronisations that dead processes left running.
   * @throws Conflict SYNCHRONISATION_RUNNING one of this kind is running
   */
  async requireIdle(kind: OnlineKind, tx?: Tx): Promise<SynchronisationRecord[]> {
    const running = await this.collection.find({ kind, state: 'RUNNING' }, { tx });
    if (running.some((each) => this.isAlive(each)))
      throw new Conflict('SYNCHRONISATION_RUNNING', 'A synchronisation is running.', {
        path: ['kind'],
      });
    return running;
  }

  async end(
    { _id }: SynchronisationRecord,
    fields: SynchronisationEnd,
  ): Promise<SynchronisationRecord> {
    const { store, clock } = this.core;
    try {
      return await store.transaction((tx) =>
        this.collection.change(_id, { ...fields, finishedAt: clock.now() }, tx),
      );
    } finally {
      this.release(_id);
    }
  }

  private isAlive({ _id, aliveUntil }: SynchronisationRecord): boolean {
    const { store, clock } = this.core;
    return this.own.has(_id) || (!store.isExclusive && aliveUntil > clock.now());
  }

  private keepAlive(_id: number): void {
    const renew = async (): Promise<void> => {
      const aliveUntil = aliveFrom(this.core.clock.now());
      await this.collection.updateOne({ _id, state: 'RUNNING' }, { $set: { aliveUntil } });
    };
    const timer = setInterval(() => {
      renew().catch((err: unknown) =>
        this.core.log.error({ err }, 'a synchronisation could not be marked as alive'),
      );
    }, RENEW_MS);
    this.own.set(_id, timer.unref());
  }

  private release(id: number): void {
    clearInterval(this.own.get(id));
    this.own.delete(id);
  }

  private async endDead({ _id }: SynchronisationRecord, tx?: Tx): Promise<void> {
    await this.collection.updateOne(
      { _id, state: 'RUNNING' },
      {
        $set: {
          state: 'FAILED',
          message: 'The service was stopped. The next synchronisation continues.',
          finishedAt: this.core.clock.now(),
        },
      },
      tx,
    );
  }

  private async removeOldest(kind: OnlineKind): Promise<void> {
    const [oldest] = await this.collection.find<{ readonly _id: number }>(
      { kind },
      { fields: { _id: 1 }, sort: { _id: -1 }, skip: MAX_KEPT, limit: 1 },
    );
    if (oldest) await this.collection.deleteMany({ kind, _id: { $lte: oldest._id } });
  }
}

const aliveFrom = (now: Date): Date => new Date(now.getTime() + ALIVE_MS);

/** Counts what happened to items and lists the first of those that are not unchanged. */
export class ItemResults {
  private readonly counts = Object.fromEntries(ACTIONS.map((action) => [action, 0])) as Record<
    OnlineAction,
    number
  >;
  private readonly items: SynchronisedItem[] = [];

  add(
    { name }: Pick<PortalItem, 'name'>,
    action: OnlineAction,
    message: string | null = null,
  ): void {
    this.counts[action] += 1;
    if (action !== 'UNCHANGED' && this.items.length < MAX_LISTED)
      this.items.push({ name, action, message });
  }

  contents(): { readonly counts: Counts; readonly items: readonly SynchronisedItem[] } {
    return { counts: { ...this.counts }, items: [...this.items] };
  }
}

const EMPTY = {
  state: 'RUNNING',
  message: null,
  finishedAt: null,
  ...new ItemResults().contents(),
} as const;
