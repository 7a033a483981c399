import type { Actor } from '../../platform/access/actor';
import type { Core } from '../../platform/core';
import { NotFound } from '../../platform/errors/errors';
import type { DomainError } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import { requireVersion } from '../../platform/store/records';
import type { ExpectedVersion } from '../../platform/store/records';
import type { Tx } from '../../platform/store/store';
import type { AuditAction } from '../audit/audit.actions';
import type { UserRecords } from './user-records';
import { toUser } from './user.model';
import type { User, UserRecord } from './user.model';
import { USER_ACCESS_CHANGED } from './user.policy';
import type { UserAccessChanged, UserPermissions } from './user.policy';

export type Changes = Partial<Omit<UserRecord, '_id'>>;

interface UserEdit {
  readonly actor: Actor;
  readonly id: number;
  readonly action: AuditAction;
  readonly expectedVersion?: ExpectedVersion;
  /** Errors of the input itself, reported together with those found later. */
  readonly errors?: readonly DomainError[];
  /**
   * Returns the new fields, or null to leave the user as they are, and adds errors to `findings`.
   * Called again if the transaction is retried.
   */
  readonly set: (
    before: UserRecord,
    tx: Tx,
    findings: Findings,
  ) => Changes | null | Promise<Changes | null>;
}

const isAccessChanged = (before: UserRecord, after: UserRecord): boolean =>
  after.groupId !== before.groupId ||
  after.email !== before.email ||
  after.credentialVersion !== before.credentialVersion ||
  (after.disabledAt ?? null) !== (before.disabledAt ?? null);

/** Changes of existing users: permission, version, record, audit and event in one place. */
export class UserEdits {
  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly records: UserRecords;
      readonly permissions: UserPermissions;
    },
  ) {}

  /**
   * @throws NotFound USER_NOT_EXIST
   * @throws Forbidden if the user's group has rights that the actor lacks
   * @throws Conflict CONFLICT if the version is not the expected one
   */
  run({ actor, id, action, expectedVersion, errors = [], set }: UserEdit): Promise<User> {
    const { core, records, permissions } = this.deps;
    return records.inTransaction(id, async (tx) => {
      const before = await records.require(id, tx).catch((missing: unknown) => {
        if (missing instanceof NotFound) missing.beside.push(...errors);
        throw missing;
      });
      permissions.requireCanManage(actor, { id, groupId: before.groupId });
      const findings = new Findings(errors);
      findings.ofSync(() => requireVersion('user', before, expectedVersion));
      const changes = await set(before, tx, findings);
      findings.refuse();
      if (!changes) return toUser(before);
      const updatedAt = core.clock.now();
      const after = await records.update(actor, action, before, { ...changes, updatedAt }, tx);
      if (isAccessChanged(before, after))
        tx.afterCommit(() =>
          core.bus.publish<UserAccessChanged>(USER_ACCESS_CHANGED, { userId: id }),
        );
      return toUser(after);
    });
  }

  /**
   * Returns whether the user exists. For use before expensive work; `run` checks again.
   * @throws Forbidden if the user's group has rights that the actor lacks
   */
  async isChangeable(actor: Actor, id: number): Promise<boolean> {
    const user = await this.deps.records.identity(id);
    if (user) this.deps.permissions.requireCanManage(actor, user);
    return user !== null;
  }
}
