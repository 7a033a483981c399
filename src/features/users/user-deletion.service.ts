import type { Actor } from '../../platform/access/actor';
import type { Core } from '../../platform/core';
import { Refused } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import type { SessionEndReason } from '../../platform/events/session-ended';
import type { Uploads } from '../../platform/files/uploads';
import { eachOnce, placesIn, requireVersion, THE_ID } from '../../platform/store/records';
import type { ExpectedVersion, PlaceOf } from '../../platform/store/records';
import type { Tx } from '../../platform/store/store';
import { userNotFound } from './user-records';
import type { UserRecords } from './user-records';
import { toUser } from './user.model';
import type { User, UserRecord } from './user.model';
import { USER_ACCESS_CHANGED } from './user.policy';
import type { UserAccessChanged, UserPermissions } from './user.policy';

declare module '../../platform/context' {
  interface Services {
    userDeletion: UserDeletion;
  }
}

/** Data that is deleted together with its user; that with which they get in, also when disabled. */
export interface UserOwnedRecords {
  removeOf?(userIds: readonly number[], tx: Tx, reason?: SessionEndReason): Promise<void>;
  /** Gives the data to an older account of the same person. */
  moveTo?(fromId: number, to: UserAccount, tx: Tx): Promise<void>;
}

/** The account that gets the data of another one. */
export type UserAccount = Pick<UserRecord, '_id' | 'email'>;

/** Deletes users with everything that belongs to them. */
export class UserDeletion {
  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly records: UserRecords;
      readonly permissions: UserPermissions;
      readonly uploads: Uploads;
      readonly owned: readonly UserOwnedRecords[];
    },
  ) {}

  /**
   * Deletes a user and ends their sessions. Returns the user as they were.
   * @throws NotFound USER_NOT_EXIST
   * @throws Refused SELF_DELETION, LAST_ADMINISTRATOR
   * @throws Forbidden if the user's group has rights that the actor lacks
   * @throws Conflict CONFLICT if the version is not the expected one
   */
  async remove(actor: Actor, id: number, expectedVersion?: ExpectedVersion): Promise<User> {
    const [user] = await this.removeEach(actor, [id], THE_ID, expectedVersion);
    if (!user) throw userNotFound(id);
    return user;
  }

  /**
   * Deletes all given users or none. Returns the users as they were.
   * @throws BadInput if there are too many
   * @throws the errors of `remove`, for each user
   */
  async removeAll(actor: Actor, ids: readonly number[]): Promise<User[]> {
    return this.removeEach(actor, eachOnce(ids, 'users'), placesIn(ids));
  }

  /**
   * Frees the id or the e-mail of an account for another one: gives the account a new id, or removes
   * it (null). What belongs to it is deleted, such as sessions.
   */
  async makeRoom(actor: Actor, before: UserRecord, newId: number | null, tx: Tx): Promise<void> {
    const { core, records, owned } = this.deps;
    for (const one of owned) await one.removeOf?.([before._id], tx);
    await records.deleteAll(actor, [before], tx);
    if (newId === null) return;
    const updatedAt = core.clock.now();
    const moved = { ...before, _id: newId, updatedAt, version: before.version + 1 };
    await records.insert(actor, moved, tx);
  }

  /**
   * Removes an account of a person who has an older one, and gives what belongs to it to that one.
   * Sessions, settings and links are deleted.
   */
  async join(actor: Actor, from: UserRecord, to: UserRecord, tx: Tx): Promise<void> {
    const { core, records, uploads, owned } = this.deps;
    for (const one of owned) {
      await one.moveTo?.(from._id, to, tx);
      await one.removeOf?.([from._id], tx);
    }
    await records.removeJoined(actor, from, to, tx);
    tx.afterCommit(() => {
      for (const { _id: userId } of [from, to])
        core.bus.publish<UserAccessChanged>(USER_ACCESS_CHANGED, { userId });
      return uploads.discard(from.picture);
    });
  }

  private async removeEach(
    actor: Actor,
    ids: readonly number[],
    pathOf: PlaceOf,
    expectedVersion?: ExpectedVersion,
  ): Promise<User[]> {
    const { core, records, permissions, uploads, owned } = this.deps;
    return core.store.transaction(async (tx) => {
      const findings = new Findings();
      const users = await this.find(ids, pathOf, findings, tx);
      if (ids.includes(actor.userId))
        findings.add(
          new Refused('SELF_DELETION', 'You cannot delete yourself while you are signed in.', {
            path: pathOf(actor.userId),
          }),
        );
      const others = users.filter(({ _id }) => _id !== actor.userId);
      await findings.of(() => permissions.checkLeave(actor, others, pathOf, tx));
      for (const user of users)
        findings.ofSync(() => requireVersion('user', user, expectedVersion));
      findings.refuse();
      for (const one of owned) await one.removeOf?.(ids, tx);
      await records.deleteAll(actor, users, tx);
      for (const { _id: userId, picture } of users)
        tx.afterCommit(() => {
          core.bus.publish<UserAccessChanged>(USER_ACCESS_CHANGED, { userId });
          return uploads.discard(picture);
        });
      return users.map(toUser);
    });
  }

  /** Returns the existing users in the order of `ids` and adds the missing ones to `findings`. */
  private async find(
    ids: readonly number[],
    pathOf: PlaceOf,
    findings: Findings,
    tx: Tx,
  ): Promise<UserRecord[]> {
    const records = await this.deps.records.collection.byIds(ids, { tx });
    ids.forEach((id, at) => {
      if (!records[at]) findings.add(userNotFound(id, pathOf(id)));
    });
    return records.filter((record) => record !== null);
  }
}
