import type { Model } from 'mongoose';
import type { Actor } from '../../platform/access/actor';
import type { Clock } from '../../platform/clock/clock';
import type { EventBus } from '../../platform/events/bus';
import { requireVersion } from '../../platform/store/expected-version';
import type { ExpectedVersion } from '../../platform/store/expected-version';
import { changeRecord } from '../../platform/store/records';
import type { Store, Tx } from '../../platform/store/store';
import { createRecordTurns } from '../../platform/store/record-turns';
import type { AuditAction } from '../audit/audit.actions';
import type { AuditService } from '../audit/audit.service';
import { USER_ACCESS_CHANGED } from '../sessions/session.events';
import type { UserAccessChanged } from '../sessions/session.events';
import { presentRecord, userNotFound } from './user';
import type { User } from './user';
import type { UserRights } from './user-rights';
import type { UserRecord } from './user.model';

export interface UserWritingDependencies {
  readonly store: Store;
  readonly audit: AuditService;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly users: Model<UserRecord>;
  readonly rights: UserRights;
}

/** One change of one user. */
export interface UserEdit {
  readonly actor: Actor;
  readonly id: number;
  /** For the audit: `user.detail`. */
  readonly action: AuditAction;
  readonly expectedVersion?: ExpectedVersion;
  /** What the record gets; called again when another change came between. */
  readonly set: (before: UserRecord, tx: Tx) => Promise<Partial<Omit<UserRecord, '_id'>>>;
}

export type UserWriting = ReturnType<typeof createUserWriting>;

const wasMoved = (before: UserRecord, after: UserRecord): boolean =>
  after.groupId !== before.groupId || after.emailKey !== before.emailKey || after.credentialVersion !== before.credentialVersion;

/** How a user is changed: rights, version, record, audit and event, for every change alike. */
export function createUserWriting({ store, audit, bus, clock, users, rights }: UserWritingDependencies) {
  const turns = createRecordTurns();
  const accessChanged = (userId: number): void => bus.publish<UserAccessChanged>(USER_ACCESS_CHANGED, { userId });

  const required = async (id: number, tx?: Tx): Promise<UserRecord> => {
    const record = await users.findById(id, null, { session: tx?.session }).lean<UserRecord>();
    if (!record) throw userNotFound(id);
    return record;
  };

  return {
    turns,
    accessChanged,

    /**
     * To be asked before expensive work; `edit` asks again.
     * @throws NotFound  USER_NOT_EXIST
     * @throws Forbidden his group holds more than the actor
     */
    async requireChangeable(actor: Actor, id: number): Promise<void> {
      const { groupId } = await required(id);
      rights.requireMayManage(actor, { id, groupId });
    },

    /**
     * @throws NotFound  USER_NOT_EXIST
     * @throws Forbidden his group holds more than the actor
     * @throws Conflict  CONFLICT another version than expected
     */
    edit: ({ actor, id, action, expectedVersion, set }: UserEdit): Promise<User> => turns.of(`user ${id}`, () => store.transaction(async (tx) => {
      const before = await required(id, tx);
      rights.requireMayManage(actor, { id, groupId: before.groupId });
      requireVersion('user', before, expectedVersion);
      const after = await changeRecord(users, id, { ...(await set(before, tx)), updatedAt: clock.now(), version: before.version + 1 }, tx);
      await audit.record(actor, action, { type: 'User', id }, before, after, tx);
      if (wasMoved(before, after)) tx.afterCommit(() => accessChanged(id));
      return presentRecord(after);
    })),
  };
}
