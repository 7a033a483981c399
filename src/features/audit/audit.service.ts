import { inspect } from 'node:util';
import { authorOf } from '../../platform/access/actor';
import type { Actor } from '../../platform/access/actor';
import type { Core } from '../../platform/core';
import type { Repeating } from '../../platform/repeating';
import { pageOf } from '../../platform/store/lists/keyset';
import type { Page, PageRequest } from '../../platform/store/lists/keyset';
import { isDuplicateKey } from '../../platform/store/store';
import { removeOld, removingOld } from '../../platform/store/removal';
import type { Old } from '../../platform/store/removal';
import type { Tx } from '../../platform/store/store';
import type { AuditAction, AuditTargetType } from './audit.actions';
import { auditCollection } from './audit.model';
import type { AuditRecord } from './audit.model';
import { maskTree } from '../../platform/redaction';
import { isOnlyReferences } from '../../platform/secrets';

/** Size limits of one record, so that the change of a huge document can still be recorded. */
const RULES = {
  depth: 12,
  values: 20_000,
  entries: 200,
  characters: 2_000,
  // MongoDB limits documents to 16 MiB.
  allCharacters: 1_000_000,
  describe: (value: object): unknown => inspect(value, { depth: 0 }),
  // References name the source of a value, not the value.
  shows: isOnlyReferences,
  // MongoDB stores UTF-8, which cannot represent lone surrogates; parts of workflows may contain
  // some.
  spell: (text: string): string =>
    text.isWellFormed()
      ? text
      : text.replace(/\p{Cs}/gu, (half) => `\\u${half.charCodeAt(0).toString(16)}`),
  // MongoDB field names cannot start with `$` or contain dots.
  rename: (name: string): string | null =>
    name === '__proto__' ? null : name.replace(/^\$/, '＄').replaceAll('.', '．'),
};

/**
 * Returns a copy that can be stored: secrets masked, long texts and lists cut, field names valid.
 * Dates stay dates.
 */
export function masked(document: object): Record<string, unknown> {
  return maskTree(document, RULES) as Record<string, unknown>;
}

/** Bus topic: an `AuditRecord`, published after the change was committed. */
export const AUDIT_TOPIC = 'audit.recorded';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** The actor of unauthenticated requests. */
const ANONYMOUS = { userId: 0, email: 'anonymous' };

/** The changed record: `{ type: 'User', id: 12 }`. */
export interface AuditTarget {
  readonly type: AuditTargetType;
  readonly id: number | string;
}

declare module '../../platform/context' {
  interface Services {
    audit: AuditService;
  }
}

/**
 * Records changes in the transaction of the change, so that no change is committed without its
 * record.
 */
export class AuditService {
  /** Removes old records at start and every hour. */
  readonly cleanup: Repeating;
  private readonly events;
  private readonly old: Old<AuditRecord>;

  constructor(
    private readonly core: Core,
    retentionDays: number,
  ) {
    const { store, clock, log } = core;
    this.events = auditCollection(store);
    this.old = {
      records: this.events,
      filter: () => ({ at: { $lte: new Date(clock.now().getTime() - retentionDays * DAY_MS) } }),
      order: { at: 1, _id: 1 },
    };
    this.cleanup = removingOld(this.old, {
      onRemoved: (records) => log.info({ records }, 'old audit records were removed'),
      onFault: (error) => log.error({ err: error }, 'old audit records could not be removed'),
    });
  }

  /**
   * Records one change. `before` is null for a creation, `after` for a deletion. Secrets are masked
   * here, so callers pass documents unchanged.
   */
  async record(
    actor: Actor,
    action: AuditAction,
    target: AuditTarget,
    before: object | null,
    after: object | null,
    tx: Tx,
  ): Promise<void> {
    const { store, bus, clock } = this.core;
    const event: AuditRecord = {
      _id: await store.nextId('audit'),
      at: clock.now(),
      actor: authorOf(actor),
      action,
      target: { type: target.type, id: String(target.id) },
      before: before && masked(before),
      after: after && masked(after),
      requestId: actor.requestId,
      clientRequestId: actor.clientRequestId,
    };
    const stored = this.events.insertLater(event, tx);
    tx.afterCommit(() => bus.publish(AUDIT_TOPIC, stored));
  }

  /**
   * Records events that unauthenticated clients can cause many times a minute: one record for each
   * target, detail and minute, with the detail and a `count` in `after`. Counted in the store, so
   * that all processes share the count.
   */
  async recordRepeated(
    action: AuditAction,
    target: AuditTarget,
    detail: Readonly<Record<string, string>>,
    { requestId, clientRequestId }: Pick<Actor, 'requestId' | 'clientRequestId'>,
  ): Promise<void> {
    const at = this.core.clock.now();
    const minute = Math.floor(at.getTime() / MINUTE_MS);
    const minuteKey = JSON.stringify([action, target.type, target.id, detail, minute]);
    if (await this.countRepeated(minuteKey)) return;
    const event: AuditRecord = {
      _id: await this.core.store.nextId('audit'),
      at,
      actor: ANONYMOUS,
      action,
      target: { type: target.type, id: String(target.id) },
      before: null,
      after: { ...masked(detail), count: 1 },
      requestId,
      clientRequestId,
      minuteKey,
    };
    try {
      await this.events.insert(event);
    } catch (error) {
      // Another request created the record of this minute first.
      if (!isDuplicateKey(error) || !(await this.countRepeated(minuteKey))) throw error;
      return;
    }
    this.core.bus.publish(AUDIT_TOPIC, event);
  }

  /**
   * Returns records that match a MongoDB filter, newest first.
   * @throws BadInput as `pageOf`
   */
  async page(filter: Record<string, unknown>, page: PageRequest): Promise<Page<AuditRecord>> {
    return pageOf(this.events, {
      ...page,
      filter,
      orderBy: [
        { field: 'at', direction: 'desc' },
        { field: '_id', direction: 'desc' },
      ],
    });
  }

  async byId(id: number): Promise<AuditRecord | null> {
    return this.events.byId(id);
  }

  /** Returns the records in the order of `ids`, null for unknown ones. One query. */
  async byIds(ids: readonly number[]): Promise<(AuditRecord | null)[]> {
    return this.events.byIds(ids);
  }

  /** Removes old records. Returns their number. */
  async removeOld(): Promise<number> {
    return removeOld(this.old);
  }

  /** Returns whether a record of this event and minute existed. */
  private async countRepeated(minuteKey: string): Promise<boolean> {
    const increment = { $inc: { 'after.count': 1 } };
    return (await this.events.updateOne({ minuteKey }, increment)) > 0;
  }
}
