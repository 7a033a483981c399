import type { Model } from 'mongoose';
import type { Actor } from '../../platform/access/actor';
import type { Clock } from '../../platform/clock/clock';
import { NotFound } from '../../platform/errors/errors';
import type { Store, Tx } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import { decide, itemId } from './online-service';
import type { OnlineAction, OnlineKind } from './online-service';
import { onlineItemModel } from './online-service.model';
import type { OnlineConflict, OnlineItemRecord } from './online-service.model';
import { portalFailed } from './portal';
import type { Portal, PortalItem } from './portal';
import type { PreparedItem, SynchronisedRecords } from './synchronised-records';

/** Maximum number of conflicts that are shown at once. */
const MAX_CONFLICTS = 1_000;

interface SynchroniseOptions {
  readonly isDryRun: boolean;
  readonly signal: AbortSignal;
}

/** A version of the portal; `prepared` if it may have to be written. */
interface Offered {
  readonly key: string;
  readonly item: PortalItem;
  readonly fingerprint: string;
  readonly prepared: PreparedItem | null;
}

type Waiting = OnlineItemRecord & { readonly conflict: OnlineConflict };

/**
 * What was taken from the portal. Each item is compared and written in a transaction of its own, so
 * that the next synchronisation continues an interrupted one.
 */
export class OnlineItems {
  private readonly model: Model<OnlineItemRecord>;

  constructor(
    private readonly deps: {
      readonly store: Store;
      readonly clock: Clock;
      readonly audit: AuditService;
      readonly records: Readonly<Record<OnlineKind, SynchronisedRecords>>;
    },
  ) {
    this.model = onlineItemModel(deps.store);
  }

  /** Returns the items that wait for a decision, oldest first. */
  async conflicts(kind: OnlineKind): Promise<OnlineItemRecord[]> {
    return this.model
      .find({ kind, 'conflict.since': { $ne: null } })
      .sort({ 'conflict.since': 1, _id: 1 })
      .limit(MAX_CONFLICTS)
      .lean<OnlineItemRecord[]>();
  }

  /** Returns the keys and names of the items that were taken. */
  async taken(kind: OnlineKind): Promise<Pick<OnlineItemRecord, 'key' | 'name'>[]> {
    return this.model.find({ kind }, { key: 1, name: 1 }).lean<OnlineItemRecord[]>();
  }

  /** @throws Refused PORTAL_FAILED the id of the item cannot be one */
  keyOf(kind: OnlineKind, item: PortalItem): string {
    return this.deps.records[kind].keyOf(item);
  }

  /**
   * Compares an item of the portal with the local record, and adds or updates it if it was not
   * changed here.
   * @throws DomainError the file of the portal cannot be read or written
   */
  async synchronise(
    actor: Actor,
    kind: OnlineKind,
    portal: Portal,
    item: PortalItem,
    { isDryRun, signal }: SynchroniseOptions,
  ): Promise<OnlineAction> {
    const records = this.deps.records[kind];
    const key = records.keyOf(item);
    const before = await this.find(itemId(kind, key));
    const base = before?.fingerprint ?? null;
    const known = knownFingerprint(before, item.sha256);
    const mustWrite =
      known !== null &&
      isWritten(decide({ base, local: await records.fingerprint(key), portal: known }).action);
    const prepared =
      known === null || (mustWrite && !isDryRun)
        ? await records.prepare(key, await portal.file(item, signal), signal)
        : null;
    const fingerprint = prepared?.fingerprint ?? known ?? '';
    if (isDryRun)
      return decide({ base, local: await records.fingerprint(key), portal: fingerprint }).action;
    return records.transaction((tx) =>
      this.apply(actor, kind, { key, item, fingerprint, prepared }, tx),
    );
  }

  /**
   * Replaces or adds the local record by the version of the portal that waits for a decision.
   * @throws NotFound ONLINE_ITEM_NOT_FOUND none waits
   * @throws Refused PORTAL_FAILED the portal no longer has this version
   */
  async take(actor: Actor, portal: Portal, id: string): Promise<OnlineItemRecord> {
    const { kind, key, conflict } = await this.waiting(id);
    const records = this.deps.records[kind];
    const { signal } = new AbortController();
    const prepared = await records.prepare(key, await portal.file(conflict, signal), signal);
    return records.transaction(async (tx) => {
      const { name, conflict: current } = await this.waiting(id, tx);
      if (current.sha256 !== conflict.sha256)
        throw portalFailed('The portal has a newer version. Look at it again.');
      await prepared.write(actor, tx);
      const { fingerprint } = prepared;
      return this.save(
        { kind, key, name, sha256: conflict.sha256, fingerprint, conflict: null },
        tx,
      );
    });
  }

  /**
   * Keeps the local state: the version of the portal is not offered again.
   * @throws NotFound ONLINE_ITEM_NOT_FOUND none waits
   */
  keep(actor: Actor, id: string): Promise<OnlineItemRecord> {
    return this.deps.store.transaction(async (tx) => {
      const { kind, key, name, conflict } = await this.waiting(id, tx);
      const { sha256, fingerprint } = conflict;
      const after = await this.save({ kind, key, name, sha256, fingerprint, conflict: null }, tx);
      const target = { type: 'OnlineItem', id } as const;
      await this.deps.audit.record(actor, 'online-item.keep', target, { conflict }, { sha256 }, tx);
      return after;
    });
  }

  private async apply(
    actor: Actor,
    kind: OnlineKind,
    { key, item: { name, sha256, href }, fingerprint, prepared }: Offered,
    tx: Tx,
  ): Promise<OnlineAction> {
    const before = await this.find(itemId(kind, key), tx);
    const local = await this.deps.records[kind].fingerprint(key, tx);
    const base = before?.fingerprint ?? null;
    const decision = decide({ base, local, portal: fingerprint });
    if (decision.action === 'CONFLICT') {
      const since =
        before?.conflict?.sha256 === sha256 ? before.conflict.since : this.deps.clock.now();
      const { reason } = decision;
      await this.save(
        {
          ...{ kind, key, name },
          ...{ sha256: before?.sha256 ?? null, fingerprint: base },
          conflict: { reason, sha256, fingerprint, href, since },
        },
        tx,
      );
      return 'CONFLICT';
    }
    if (isWritten(decision.action)) {
      if (!prepared) throw portalFailed('It was changed here during the synchronisation.');
      await prepared.write(actor, tx);
    }
    if (before?.sha256 !== sha256 || before.fingerprint !== fingerprint || before.conflict)
      await this.save({ kind, key, name, sha256, fingerprint, conflict: null }, tx);
    return decision.action;
  }

  private async save(
    fields: Omit<OnlineItemRecord, '_id' | 'updatedAt'>,
    { session }: Tx,
  ): Promise<OnlineItemRecord> {
    const _id = itemId(fields.kind, fields.key);
    const record = { ...fields, updatedAt: this.deps.clock.now() };
    await this.model.updateOne({ _id }, { $set: record }, { upsert: true, session });
    return { _id, ...record };
  }

  private async find(id: string, tx?: Tx): Promise<OnlineItemRecord | null> {
    return this.model.findById(id, null, { session: tx?.session }).lean<OnlineItemRecord>();
  }

  private async waiting(id: string, tx?: Tx): Promise<Waiting> {
    const item = await this.find(id, tx);
    if (item?.conflict) return { ...item, conflict: item.conflict };
    throw new NotFound('ONLINE_ITEM_NOT_FOUND', 'No version of the portal waits for a decision.', {
      path: ['itemId'],
    });
  }
}

const isWritten = (action: OnlineAction): boolean => action === 'ADDED' || action === 'UPDATED';

/** The fingerprint of a version of the portal that was read before; null: it was not. */
function knownFingerprint(before: OnlineItemRecord | null, sha256: string): string | null {
  if (before?.sha256 === sha256) return before.fingerprint;
  return before?.conflict?.sha256 === sha256 ? before.conflict.fingerprint : null;
}
