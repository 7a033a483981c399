import type { Model } from 'mongoose';
import { isUser } from '../../platform/access/actor';
import type { Actor } from '../../platform/access/actor';
import type { Core } from '../../platform/core';
import { pageOf } from '../../platform/store/keyset';
import type { Page, PageQuery } from '../../platform/store/keyset';
import { changeRecord, recordsByIds } from '../../platform/store/records';
import { ACTIONS } from './online-service';
import type { OnlineAction, OnlineKind } from './online-service';
import { synchronisationModel } from './online-service.model';
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
/** Age at which a synchronisation of another process counts as interrupted, ms. */
const OTHERS_MS = 60 * 60 * 1_000;

/** The records of synchronisations. */
export class SynchronisationHistory {
  private readonly model: Model<SynchronisationRecord>;

  constructor(private readonly core: Core) {
    this.model = synchronisationModel(core.store);
  }

  /** Ends what a dead process left running; other processes at the same database may be running. */
  async endInterrupted(): Promise<void> {
    const { clock, store } = this.core;
    const since = clock.now().getTime() - (store.isExclusive ? 0 : OTHERS_MS);
    await this.model.updateMany(
      { state: 'RUNNING', startedAt: { $lte: new Date(since) } },
      {
        $set: {
          state: 'FAILED',
          message: 'The service was stopped. The next synchronisation continues.',
          finishedAt: clock.now(),
        },
      },
    );
  }

  page(query: PageQuery): Promise<Page<SynchronisationRecord>> {
    return pageOf<SynchronisationRecord>(this.model, query);
  }

  byIds(ids: readonly number[]): Promise<(SynchronisationRecord | null)[]> {
    return recordsByIds(this.model, ids);
  }

  /** Returns the newest synchronisations. */
  async newest(most: number): Promise<SynchronisationRecord[]> {
    return this.model.find().sort({ _id: -1 }).limit(most).lean<SynchronisationRecord[]>();
  }

  /** Stores a synchronisation that starts, and removes the oldest. */
  async begin(actor: Actor, kind: OnlineKind, isDryRun: boolean): Promise<SynchronisationRecord> {
    const { store, clock } = this.core;
    const record: SynchronisationRecord = {
      _id: await store.nextId('synchronisations'),
      kind,
      isDryRun,
      startedBy: isUser(actor) ? actor.email : null,
      state: 'RUNNING',
      message: null,
      ...new ItemResults().contents(),
      startedAt: clock.now(),
      finishedAt: null,
    };
    await this.model.create([record]);
    const [oldest] = await this.model
      .find({ kind }, { _id: 1 })
      .sort({ _id: -1 })
      .skip(MAX_KEPT)
      .limit(1)
      .lean<{ readonly _id: number }[]>();
    if (oldest) await this.model.deleteMany({ kind, _id: { $lte: oldest._id } });
    return record;
  }

  /** Stores the end of a synchronisation. */
  end(
    { _id }: SynchronisationRecord,
    fields: Pick<SynchronisationRecord, 'state' | 'message' | 'counts' | 'items'>,
  ): Promise<SynchronisationRecord> {
    const { store, clock } = this.core;
    return store.transaction((tx) =>
      changeRecord(this.model, _id, { ...fields, finishedAt: clock.now() }, tx),
    );
  }
}

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
