import { requireSession } from '../../platform/access/actor';
import type { Actor } from '../../platform/access/actor';
import type { Core } from '../../platform/core';
import { Refused } from '../../platform/errors/errors';
import type { Findings } from '../../platform/errors/findings';
import type { ExpectedVersion } from '../../platform/store/records';
import type { Tx } from '../../platform/store/store';
import type { UserOwnedRecords } from './user-deletion.service';
import { UserEdits } from './user-edits';
import type { Changes } from './user-edits';
import type { UserRecords } from './user-records';
import type { User, UserRecord } from './user.model';
import type { UserPermissions } from './user.policy';

declare module '../../platform/context' {
  interface Services {
    userStates: UserStateService;
  }
}

const ownAccount = (): Refused =>
  new Refused('SELF_DISABLING', 'You cannot disable yourself.', { path: ['id'] });

/** Disables and enables users. Changes also throw the errors of `UserEdits.run`. */
export class UserStateService {
  private readonly edits: UserEdits;

  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly records: UserRecords;
      readonly permissions: UserPermissions;
      /** What users get in with: sessions, API tokens, webhooks, links. */
      readonly access: readonly UserOwnedRecords[];
    },
  ) {
    this.edits = new UserEdits(deps);
  }

  /**
   * Refuses every login of a user. Ends their sessions, and deletes their API tokens, webhooks and
   * links to set a password. Their schedules go on.
   * @throws Refused SELF_DISABLING, LAST_ADMINISTRATOR
   */
  async disable(actor: Actor, id: number, expectedVersion?: ExpectedVersion): Promise<User> {
    const { core, permissions, access } = this.deps;
    const set = async (before: UserRecord, tx: Tx, findings: Findings): Promise<Changes | null> => {
      if (before.disabledAt) return null;
      if (id === actor.userId) findings.add(ownAccount());
      else await findings.of(() => permissions.checkLeave(actor, [before], () => ['id'], tx));
      findings.refuse();
      for (const records of access) await records.removeOf?.([id], tx, 'USER_DISABLED');
      return { disabledAt: core.clock.now() };
    };
    return this.edits.run({ actor, id, action: 'user.disable', expectedVersion, set });
  }

  /**
   * Lets a disabled user sign in again. What ended when they were disabled does not come back.
   * @throws Forbidden API_TOKEN_REFUSED for an API token, since the account would outlive the token
   */
  async enable(actor: Actor, id: number, expectedVersion?: ExpectedVersion): Promise<User> {
    requireSession(actor);
    const set = ({ disabledAt }: UserRecord): Changes | null =>
      disabledAt ? { disabledAt: null } : null;
    return this.edits.run({ actor, id, action: 'user.enable', expectedVersion, set });
  }
}
