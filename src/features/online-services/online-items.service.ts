import { isDeepStrictEqual } from 'node:util';
import type { Actor } from '../../platform/access/actor';
import type { Clock } from '../../platform/clock/clock';
import { NotFound } from '../../platform/errors/errors';
import type { Collection } from '../../platform/store/collection';
import type { Store, Tx } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import { decide, itemId } from './online-service';
import type { OnlineAction, OnlineKind } from './online-service';
import { onlineItemCollection } from './online-service.model';
import type { OfferedVersion, OnlineItemRecord } from './online-service.model';
import { portalFailed } from './portal';
import type { Portal, PortalItem } from './portal';
import type { PreparedItem, SynchronisedRecords } from './synchronised-records';

/** Maximum number of conflicts that are shown at once. */
const MAX_CONFLICTS = 1_000;

interface SynchroniseOptions {
  readonly isDryRun: boolean;
  readonly signal: AbortSignal;
}

/** The newest version of the portal; `prepared` if it may have to be written. */
interface Newest {
  readonly key: string;
  readonly name: string;
  readonly offered: OfferedVersion;
  readonly prepared: PreparedItem | null;
}

/**
 * What is known of the items of the portal. Each is compared and written in a transaction of its
 * own, so that the next synchronisation continues an interrupted one.
 */
export class OnlineItems {
  private readonly collection: Collection<OnlineItemRecord>;

  constructor(
    private readonly deps: {
      readonly store: Store;
      readonly clock: Clock;
      readonly audit: AuditService;
      readonly records: Readonly<Record<OnlineKind, SynchronisedRecords>>;
    },
  ) {
    this.collection = onlineItemCollection(deps.store);
  }

  /** Returns the items that wait for a decision, oldest first. */
  async conflicts(kind: OnlineKind): Promise<OnlineItemRecord[]> {
    return this.collection.find(
      { kind, 'conflict.since': { $ne: null } },
      { sort: { 'conflict.since': 1, _id: 1 }, limit: MAX_CONFLICTS },
    );
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
    const base = before?.base?.fingerprint ?? null;
    const portalFingerprint = knownFingerprint(before, item.sha256);
    const mustWrite =
      portalFingerprint !== null &&
      isWritten(
        decide({ base, local: await records.fingerprint(key), portal: portalFingerprint }).action,
      );
    const prepared =
      portalFingerprint === null || (mustWrite && !isDryRun)
        ? await records.prepare(key, await portal.file(item, signal), signal)
        : null;
    const fingerprint = prepared?.fingerprint ?? portalFingerprint ?? '';
    if (isDryRun)
      return decide({ base, local: await records.fingerprint(key), portal: fingerprint }).action;
    const { name, sha256, href } = item;
    const newest = { key, name, prepared, offered: { sha256, fingerprint, href } };
    return records.transaction((tx) => this.apply(actor, kind, newest, tx));
  }

  /**
   * Returns the names of the known items that the portal does not list. They are no longer offered;
   * those that do not exist here either are forgotten.
   * @param listed keys
   */
  async endMissing(
    kind: OnlineKind,
    listed: ReadonlySet<string>,
    isDryRun: boolean,
  ): Promise<string[]> {
    const items = await this.collection.find<{ readonly key: string }>(
      { kind },
      { fields: { key: 1 } },
    );
    const names: string[] = [];
    for (const { key } of items) {
      if (listed.has(key)) continue;
      const name = await this.deps.store.transaction((tx) =>
        this.endOffer(kind, key, isDryRun, tx),
      );
      if (name !== null) names.push(name);
    }
    return names;
  }

  /**
   * Replaces or adds the local record by the newest known version of the portal.
   * @throws NotFound ONLINE_ITEM_NOT_FOUND the portal offers no such item
   * @throws Refused PORTAL_FAILED the portal no longer has this version
   */
  async take(
    actor: Actor,
    portal: Portal,
    id: string,
    signal: AbortSignal,
  ): Promise<OnlineItemRecord> {
    const { kind, key, offered } = await this.offeredItem(id);
    const records = this.deps.records[kind];
    const prepared = await records.prepare(key, await portal.file(offered, signal), signal);
    return records.transaction(async (tx) => {
      const { name, offered: current } = await this.offeredItem(id, tx);
      if (current.sha256 !== offered.sha256)
        throw portalFailed('The portal has a newer version. Look at it again.');
      await prepared.write(actor, tx);
      const { sha256 } = offered;
      const base = { sha256, fingerprint: prepared.fingerprint };
      return this.save({ kind, key, name, base, offered, conflict: null }, tx);
    });
  }

  /**
   * Keeps the local state: this version of the portal no longer waits for a decision.
   * @throws NotFound ONLINE_ITEM_NOT_FOUND none waits
   */
  keep(actor: Actor, id: string): Promise<OnlineItemRecord> {
    return this.deps.store.transaction(async (tx) => {
      const { kind, key, name, offered, conflict } = await this.offeredItem(id, tx);
      if (!conflict) throw itemNotFound('No version of the portal waits for a decision.');
      const { sha256, fingerprint } = offered;
      const base = { sha256, fingerprint };
      const after = await this.save({ kind, key, name, base, offered, conflict: null }, tx);
      const target = { type: 'OnlineItem', id } as const;
      await this.deps.audit.record(actor, 'online-item.keep', target, { conflict }, { sha256 }, tx);
      return after;
    });
  }

  /** Compares again within the transaction: the local record may have changed. */
  private async apply(
    actor: Actor,
    kind: OnlineKind,
    { key, name, offered, prepared }: Newest,
    tx: Tx,
  ): Promise<OnlineAction> {
    const before = await this.find(itemId(kind, key), tx);
    const local = await this.deps.records[kind].fingerprint(key, tx);
    const { sha256, fingerprint } = offered;
    const decision = decide({
      base: before?.base?.fingerprint ?? null,
      local,
      portal: fingerprint,
    });
    if (decision.action === 'CONFLICT') {
      const isSame = before?.conflict && before.offered?.sha256 === sha256;
      const since = isSame ? before.conflict.since : this.deps.clock.now();
      const conflict = { reason: decision.reason, since };
      await this.save({ kind, key, name, base: before?.base ?? null, offered, conflict }, tx);
      return 'CONFLICT';
    }
    if (isWritten(decision.action)) {
      if (!prepared) throw portalFailed('It was changed here during the synchronisation.');
      await prepared.write(actor, tx);
    }
    const after = { kind, key, name, base: { sha256, fingerprint }, offered, conflict: null };
    if (!before || !isDeepStrictEqual({ ...before, ...after }, before)) await this.save(after, tx);
    return decision.action;
  }

  private async endOffer(
    kind: OnlineKind,
    key: string,
    isDryRun: boolean,
    tx: Tx,
  ): Promise<string | null> {
    const item = await this.find(itemId(kind, key), tx);
    const isHere = (await this.deps.records[kind].fingerprint(key, tx)) !== null;
    if (item && !isDryRun) {
      if (!isHere) await this.collection.deleteOne({ _id: item._id }, tx);
      else if (item.offered) await this.save({ ...item, offered: null, conflict: null }, tx);
    }
    return item && isHere ? item.name : null;
  }

  private async save(
    { kind, key, name, base, offered, conflict }: Omit<OnlineItemRecord, '_id' | 'updatedAt'>,
    tx: Tx,
  ): Promise<OnlineItemRecord> {
    const _id = itemId(kind, key);
    const updatedAt = this.deps.clock.now();
    const record = { kind, key, name, base, offered, conflict, updatedAt };
    await this.collection.upsert({ _id }, { $set: record }, tx);
    return { _id, ...record };
  }

  private async find(id: string, tx?: Tx): Promise<OnlineItemRecord | null> {
    return this.collection.byId(id, tx);
  }

  private async offeredItem(
    id: string,
    tx?: Tx,
  ): Promise<OnlineItemRecord & { readonly offered: OfferedVersion }> {
    const item = await this.find(id, tx);
    if (item?.offered) return { ...item, offered: item.offered };
    throw itemNotFound('The portal offers no such item.');
  }
}

const itemNotFound = (message: string): NotFound =>
  new NotFound('ONLINE_ITEM_NOT_FOUND', message, { path: ['itemId'] });

const isWritten = (action: OnlineAction): boolean => action === 'ADDED' || action === 'UPDATED';

/** The fingerprint of a version of the portal that was read before; null: it was not. */
const knownFingerprint = (item: OnlineItemRecord | null, sha256: string): string | null =>
  [item?.base, item?.offered].find((version) => version?.sha256 === sha256)?.fingerprint ?? null;
