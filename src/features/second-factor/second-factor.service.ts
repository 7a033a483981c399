import { requireSession } from '../../platform/access/actor';
import type { Actor } from '../../platform/access/actor';
import type { Core } from '../../platform/core';
import { BadInput, Refused } from '../../platform/errors/errors';
import { eachOnce, placesIn, THE_ID } from '../../platform/store/records';
import type { PlaceOf } from '../../platform/store/records';
import type { Tx } from '../../platform/store/store';
import type { AuditAction } from '../audit/audit.actions';
import type { AuditService } from '../audit/audit.service';
import type { SessionService } from '../sessions/session.service';
import type { UserCredentials } from '../users/user-credentials';
import type { UserPermissions } from '../users/user.policy';
import type { UserRecords } from '../users/user-records';
import type { User } from '../users/user.model';
import type { SecondFactorRecords, SecondFactorState } from './second-factor-records';
import type { SecondFactorRecord } from './second-factor.model';
import type { Enrolment } from '../sessions/session.ports';

declare module '../../platform/context' {
  interface Services {
    secondFactors: SecondFactorService;
  }
}

/** What an administrator does: require a new app at the next login, or remove the second factor. */
type SecondFactorAction = 'enable' | 'disable';

const wrongCode = (): BadInput =>
  new BadInput('SECOND_FACTOR_INVALID', 'The code is wrong, or it was used before.', {
    path: ['code'],
  });

/** Sets up, removes and requires second factors. Not possible with an API token. */
export class SecondFactorService {
  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly audit: AuditService;
      readonly records: SecondFactorRecords;
      readonly sessions: SessionService;
      readonly accounts: {
        readonly users: UserRecords;
        readonly credentials: UserCredentials;
        readonly permissions: UserPermissions;
      };
      /** Whether the members of a group need a second factor. */
      readonly isEnforced: (groupId: number) => boolean;
    },
  ) {}

  /** Returns whether the group of the actor needs a second factor. */
  isRequired(actor: Actor): boolean {
    return this.deps.isEnforced(actor.groupId);
  }

  /** Returns the state of a user: a member of a group that needs a second factor must set it up. */
  stateOf({ groupId }: Pick<User, 'groupId'>, state: SecondFactorState): SecondFactorState {
    return state === 'OFF' && this.deps.isEnforced(groupId) ? 'PENDING' : state;
  }

  /**
   * Begins to set up an app for the signed-in user. It has no effect until `confirm`.
   * @throws BadInput WRONG_PASSWORD
   * @throws Refused SECOND_FACTOR_ON
   * @throws RateLimited after too many wrong passwords
   */
  async begin(actor: Actor, password: string, network: string): Promise<Enrolment> {
    const { core, records } = this.deps;
    await this.requirePassword(actor, password, network);
    const secret = await core.store.transaction(async (tx) => {
      const before = await records.byUser(actor.userId, tx);
      if (before?.confirmed)
        throw new Refused(
          'SECOND_FACTOR_ON',
          'You have a second factor. Remove it before you set up another app.',
        );
      return records.renew(actor.userId, before?.required ?? false, tx);
    });
    return records.enrolment(secret, actor.email);
  }

  /**
   * Turns the second factor on with a first code of the app. Ends the other sessions that were
   * opened without it. Returns recovery codes.
   * @throws BadInput SECOND_FACTOR_INVALID
   * @throws Refused SECOND_FACTOR_OFF if `begin` was not called
   */
  async confirm(actor: Actor, code: string, network: string): Promise<string[]> {
    requireSession(actor);
    const { core, records } = this.deps;
    return core.store.transaction(async (tx) => {
      const secret = records.storedSecretOf(await this.require(actor, false, tx));
      const codes = await this.enrol(actor, secret, { code, network }, tx);
      if (codes === null) throw wrongCode();
      return codes;
    });
  }

  /**
   * Turns the second factor of the actor on with a first code of the app that has this secret. Ends
   * open logins, and the other sessions that were opened without a second factor. Returns recovery
   * codes, or null if the code is wrong.
   * @throws RateLimited after too many wrong codes
   */
  async enrol(
    actor: Actor,
    secret: string,
    attempt: { readonly code: string; readonly network: string },
    tx: Tx,
  ): Promise<string[] | null> {
    const { records, sessions, accounts } = this.deps;
    const { userId } = actor;
    const codes = await records.enrol(userId, secret, attempt, tx);
    if (codes === null) return null;
    await accounts.users.claim(userId, tx);
    await sessions.endWithoutSecondFactor(userId, actor.sessionId, tx);
    await this.record(actor, 'user.second-factor', userId, 'ON', tx);
    return codes;
  }

  /**
   * Replaces the recovery codes of the signed-in user.
   * @throws BadInput SECOND_FACTOR_INVALID
   * @throws Refused SECOND_FACTOR_OFF
   */
  async renewRecoveryCodes(actor: Actor, code: string, network: string): Promise<string[]> {
    requireSession(actor);
    return this.withCode(actor, code, network, async (tx) => {
      const codes = await this.deps.records.renewRecoveryCodes(actor.userId, tx);
      await this.record(actor, 'user.recovery-codes', actor.userId, 'ON', tx);
      return codes;
    });
  }

  /**
   * Removes the second factor of the signed-in user.
   * @throws BadInput SECOND_FACTOR_INVALID
   * @throws Refused SECOND_FACTOR_OFF; SECOND_FACTOR_REQUIRED if the group needs one
   */
  async disable(actor: Actor, code: string, network: string): Promise<void> {
    requireSession(actor);
    if (this.deps.isEnforced(actor.groupId))
      throw new Refused(
        'SECOND_FACTOR_REQUIRED',
        'Members of your group need a second factor. For another app, ask an administrator to reset it.',
      );
    await this.withCode(actor, code, network, async (tx) => {
      await this.deps.records.removeOf([actor.userId], tx);
      await this.record(actor, 'user.second-factor', actor.userId, 'OFF', tx);
    });
  }

  /**
   * Requires a new app of other users at their next login and ends their sessions, or removes their
   * second factors. All users or none.
   * @throws NotFound USER_NOT_EXIST
   * @throws Refused SECOND_FACTOR_OWN for the actor's own
   * @throws Forbidden if the group of a user has rights that the actor lacks
   */
  async changeOthers(
    actor: Actor,
    ids: readonly number[],
    action: SecondFactorAction,
  ): Promise<User[]> {
    return this.change(actor, eachOnce(ids, 'users'), action, placesIn(ids));
  }

  /** As `changeOthers`, for one user. */
  async changeOther(actor: Actor, id: number, action: SecondFactorAction): Promise<User> {
    const [user] = await this.change(actor, [id], action, THE_ID);
    return user;
  }

  private change(
    actor: Actor,
    ids: readonly number[],
    action: SecondFactorAction,
    pathOf: PlaceOf,
  ): Promise<User[]> {
    requireSession(actor);
    const { core, records, sessions, accounts } = this.deps;
    return core.store.transaction(async (tx) => {
      const users = await accounts.users.getAll(ids, pathOf);
      for (const user of users) {
        if (user.id === actor.userId)
          throw new Refused(
            'SECOND_FACTOR_OWN',
            'Change your own second factor on the page of your account.',
            { path: pathOf(user.id) },
          );
        accounts.permissions.requireCanManage(actor, user);
        if (action === 'enable') {
          await records.renew(user.id, true, tx);
          await accounts.users.claim(user.id, tx);
          await sessions.removeOf([user.id], tx, 'ENDED');
        } else await records.removeOf([user.id], tx);
        const state = action === 'enable' ? 'PENDING' : 'OFF';
        await this.record(actor, 'user.second-factor', user.id, state, tx);
      }
      return users;
    });
  }

  private async requirePassword(actor: Actor, password: string, network: string): Promise<void> {
    requireSession(actor);
    if (!(await this.deps.accounts.credentials.verifyOwn(actor, password, network)))
      throw new BadInput('WRONG_PASSWORD', 'The password is wrong.', { path: ['password'] });
  }

  private withCode<R>(
    actor: Actor,
    code: string,
    network: string,
    work: (tx: Tx) => Promise<R>,
  ): Promise<R> {
    const { core, records } = this.deps;
    return core.store.transaction(async (tx) => {
      const record = await this.require(actor, true, tx);
      if (!(await records.accept(record, code, network, tx))) throw wrongCode();
      return work(tx);
    });
  }

  /** @throws Refused SECOND_FACTOR_ON, SECOND_FACTOR_OFF */
  private async require({ userId }: Actor, isOn: boolean, tx: Tx): Promise<SecondFactorRecord> {
    const record = await this.deps.records.byUser(userId, tx);
    if (record?.confirmed === isOn) return record;
    throw record?.confirmed
      ? new Refused('SECOND_FACTOR_ON', 'Your second factor is on already.')
      : new Refused('SECOND_FACTOR_OFF', 'You have no second factor.');
  }

  private async record(
    actor: Actor,
    action: AuditAction,
    userId: number,
    after: SecondFactorState,
    tx: Tx,
  ): Promise<void> {
    const target = { type: 'User', id: userId } as const;
    await this.deps.audit.record(actor, action, target, null, { secondFactor: after }, tx);
  }
}
