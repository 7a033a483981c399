import { randomUUID } from 'node:crypto';
import { systemActor } from '../../platform/access/actor';
import type { Origin } from '../../platform/context';
import type { Core } from '../../platform/core';
import { RateLimited, WrongCredentials } from '../../platform/errors/errors';
import type { Tx } from '../../platform/store/store';
import type { SessionOpening } from '../sessions/session-opening';
import type { ConfirmedLogin, LoginChallenge } from '../sessions/session.ports';
import type { SessionOwner } from '../sessions/session.service';
import type { UserRecords } from '../users/user-records';
import type { LoginChallengeRecord } from './second-factor.model';
import { stateOf } from './second-factor-records';
import type { SecondFactorRecords } from './second-factor-records';
import type { SecondFactorService } from './second-factor.service';

declare module '../../platform/context' {
  interface Services {
    secondFactorLogin: SecondFactorLogin;
  }
}

const CHALLENGE_MS = 10 * 60_000;
/** Codes that one login accepts; then the user signs in with the password again. */
const MAX_FAILURES = 4;

/** The second step of a login: a code of an authenticator app, or a recovery code. */
export class SecondFactorLogin {
  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly records: SecondFactorRecords;
      readonly secondFactors: SecondFactorService;
      readonly users: UserRecords;
      readonly sessions: SessionOpening;
      /** Whether the members of a group need a second factor. */
      readonly isEnforced: (groupId: number) => boolean;
    },
  ) {}

  /**
   * Returns the second step for a user whose password was right, or null if there is none. A user
   * who must set up an app gets a secret of this login.
   */
  async begin(owner: SessionOwner): Promise<LoginChallenge | null> {
    const { core, users, records, isEnforced } = this.deps;
    const user = await users.byId(owner.userId);
    if (!user) return null;
    const state = stateOf(await records.byUser(user.id));
    if (state === 'OFF' && !isEnforced(user.groupId)) return null;
    const challenge: LoginChallengeRecord = {
      _id: randomUUID(),
      userId: owner.userId,
      credentialVersion: owner.credentialVersion,
      ...(state !== 'ON' && { isEnrolment: true }),
      failures: 0,
      expiresAt: new Date(core.clock.now().getTime() + CHALLENGE_MS),
    };
    await core.store.transaction((tx) => records.challenges.insert(challenge, tx));
    const enrolment =
      state === 'ON' ? null : await records.enrolment(records.secretOf(challenge), user.email);
    return { challengeId: challenge._id, enrolment };
  }

  /**
   * Opens a session if the code is right. The first code of a new app confirms it.
   * @throws WrongCredentials if the challenge has ended, or the code is wrong
   * @throws RateLimited after too many wrong codes, of this login or of the user
   */
  async complete(challengeId: string, code: string, origin: Origin): Promise<ConfirmedLogin> {
    const { sessions, users } = this.deps;
    sessions.requireOwnPage(origin);
    const challenge = await this.countAttempt(challengeId);
    const accepted = await users.inTransaction(challenge.userId, (tx) =>
      this.accept(challenge, { code, origin }, tx),
    );
    if (!accepted) {
      const left = MAX_FAILURES - challenge.failures;
      throw new WrongCredentials(
        'SECOND_FACTOR_INVALID',
        left > 0
          ? `The code is wrong. Attempts left: ${left}.`
          : 'The code is wrong. Sign in with your password again.',
        ['code'],
      );
    }
    const { userId, credentialVersion } = challenge;
    const owner = { userId, credentialVersion, hasSecondFactor: true };
    const signedIn = await sessions.open(owner, origin);
    return { ...signedIn, recoveryCodes: accepted.recoveryCodes };
  }

  /** Uses up the challenge if the code is right. Returns null for a wrong code. */
  private async accept(
    challenge: LoginChallengeRecord,
    { code, origin }: { readonly code: string; readonly origin: Origin },
    tx: Tx,
  ): Promise<{ readonly recoveryCodes: readonly string[] | null } | null> {
    const { records, secondFactors, users } = this.deps;
    const { network, requestId } = origin;
    const { _id, userId } = challenge;
    const user = await users.claimActive(userId, tx);
    // A password that was replaced since must not open the account or set up an app.
    if (user?.credentialVersion !== challenge.credentialVersion) throw challengeEnded();
    // Its own other use, or the confirmation of another app, has ended it.
    if (!(await records.challenges.exists({ _id }, tx))) throw challengeEnded();
    const record = await records.byUser(userId, tx);
    if (challenge.isEnrolment) {
      if (record?.confirmed) throw challengeEnded();
      const { email, groupId } = user;
      const actor = { ...systemActor(requestId), userId, email, groupId };
      const secret = records.secretOf(challenge);
      const recoveryCodes = await secondFactors.enrol(actor, secret, { code, network }, tx);
      return recoveryCodes && { recoveryCodes };
    }
    if (!record?.confirmed) throw challengeEnded();
    if (!(await records.accept(record, code, network, tx))) return null;
    await records.challenges.deleteOne({ _id }, tx);
    return { recoveryCodes: null };
  }

  /** Counts the attempt before the code is checked, so that concurrent attempts count as well. */
  private async countAttempt(challengeId: string): Promise<LoginChallengeRecord> {
    const { core, records } = this.deps;
    const open = { _id: challengeId, expiresAt: { $gt: core.clock.now() } };
    const challenge = await records.challenges.findOneAndUpdate(
      { ...open, failures: { $lt: MAX_FAILURES } },
      { $inc: { failures: 1 } },
    );
    if (challenge) return challenge;
    if (!(await records.challenges.exists(open))) throw challengeEnded();
    throw new RateLimited(
      'Too many failed attempts. Sign in with your password again.',
      CHALLENGE_MS / 1000,
    );
  }
}

const challengeEnded = (): WrongCredentials =>
  new WrongCredentials('LOGIN_ENDED', 'This login has ended. Sign in with your password again.', [
    'challengeId',
  ]);
