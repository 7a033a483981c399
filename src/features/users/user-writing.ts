import type { Model } from 'mongoose';
import type { Actor } from '../../platform/access/actor';
import type { Clock } from '../../platform/clock/clock';
import { NotFound } from '../../platform/errors/errors';
import type { DomainError } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import type { EventBus } from '../../platform/events/bus';
import { changeRecord, requireVersion } from '../../platform/store/records';
import type { ExpectedVersion } from '../../platform/store/records';
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

export interface UserEdit {
  readonly actor: Actor;
  readonly id: number;
  /** Action of the audit record, such as `user.detail`. */
  readonly action: AuditAction;
  readonly expectedVersion?: ExpectedVersion;
  /**
   * Problems of the input itself. They are reported together with those found later, and prevent
   * the write.
   */
  readonly wrong?: readonly DomainError[];
  /**
   * Returns the new fields and adds problems to `found`. Called again if the transaction is
   * retried.
   */
  readonly set: (
    before: UserRecord,
    tx: Tx,
    found: Findings,
  ) => Promise<Partial<Omit<UserRecord, '_id'>>>;
}

export type UserWriting = ReturnType<typeof createUserWriting>;

const wasMoved = (before: UserRecord, after: UserRecord): boolean =>
  after.groupId !== before.groupId ||
  after.email !== before.email ||
  after.credentialVersion !== before.credentialVersion;

/** Applies a change to a user: rights, version, record, audit and event. */
export function createUserWriting({
  store,
  audit,
  bus,
  clock,
  users,
  rights,
}: UserWritingDependencies) {
  const turns = createRecordTurns();
  const accessChanged = (userId: number): void =>
    bus.publish<UserAccessChanged>(USER_ACCESS_CHANGED, { userId });

  const required = async (id: number, tx?: Tx): Promise<UserRecord> => {
    const record = await users.findById(id, null, { session: tx?.session }).lean<UserRecord>();
    if (!record) throw userNotFound(id);
    return record;
  };

  return {
    turns,
    accessChanged,

    /**
     * Returns whether the user exists. For use before expensive work; `edit` checks again.
     * @throws Forbidden if the user's group has rights that the actor lacks
     */
    async isChangeable(actor: Actor, id: number): Promise<boolean> {
      const record = await users.findById(id, { groupId: 1 }).lean<Pick<UserRecord, 'groupId'>>();
      if (record) rights.requireMayManage(actor, { id, groupId: record.groupId });
      return record !== null;
    },

    /**
     * @throws NotFound USER_NOT_EXIST
     * @throws Forbidden if the user's group has rights that the actor lacks
     * @throws Conflict CONFLICT if the version is not the expected one
     */
    edit: ({ actor, id, action, expectedVersion, wrong = [], set }: UserEdit): Promise<User> =>
      turns.of(`user ${id}`, () =>
        store.transaction(async (tx) => {
          const before = await required(id, tx).catch((missing: unknown) => {
            if (missing instanceof NotFound) missing.beside.push(...wrong);
            throw missing;
          });
          rights.requireMayManage(actor, { id, groupId: before.groupId });
          const found = new Findings(wrong);
          found.ofSync(() => requireVersion('user', before, expectedVersion));
          const changes = await set(before, tx, found);
          found.refuse();
          const after = await changeRecord(
            users,
            id,
            { ...changes, updatedAt: clock.now(), version: before.version + 1 },
            tx,
          );
          await audit.record(actor, action, { type: 'User', id }, before, after, tx);
          if (wasMoved(before, after)) tx.afterCommit(() => accessChanged(id));
          return presentRecord(after);
        }),
      ),
  };
}
