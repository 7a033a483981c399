import { randomUUID } from 'node:crypto';
import type { Origin } from '../../platform/context';
import type { Core } from '../../platform/core';
import { RateLimited, Unauthenticated } from '../../platform/errors/errors';
import { insertRecord } from '../../platform/store/records';
import type { Tx } from '../../platform/store/store';
import type { SessionOpening, SignedIn } from '../sessions/session-opening';
import type { SessionOwner } from '../sessions/session.service';
import type { UserRecords } from '../users/user-records';
import { loginChallengeModel } from './second-factor.model';
import type { LoginChallengeRecord } from './second-factor.model';
import { stateOf } from './second-factor-records';
import type { Enrolment, SecondFactorRecords } from './second-factor-records';

declare module '../../platform/context' {
  interface Services {
    secondFactorLogin: SecondFactorLogin;
  }
}

/** The second step of a login. */
export interface LoginChallenge {
  readonly challengeId: string;
  /** For a user who must set up an authenticator app first, else null. */
  readonly enrolment: Enrolment | null;
}

/** A completed login; `recoveryCodes` once, after the app was set up. */
export interface ConfirmedLogin extends SignedIn {
  readonly recoveryCodes: readonly string[] | null;
}

const CHALLENGE_MS = 10 * 60_000;
/** Wrong codes of one login; then the user signs in with the password again. */
const MAX_FAILURES = 4;

/** The second step of a login: a code of an authenticator app, or a recovery code. */
export class SecondFactorLogin {
  private readonly challenges;

  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly records: SecondFactorRecords;
      readonly users: UserRecords;
      readonly sessions: SessionOpening;
      /** Whether the members of a group need a second factor. */
      readonly isEnforced: (groupId: number) => boolean;
    },
  ) {
    this.challenges = loginChallengeModel(deps.core.store);
  }

  /**
   * Returns the second step for a user whose password was right, or null if there is none. A user
   * who must set up an app gets a secret.
   */
  async begin(owner: SessionOwner): Promise<LoginChallenge | null> {
    const { core, users, records, isEnforced } = this.deps;
    return core.store.transaction(async (tx) => {
      const user = await users.byId(owner.userId);
      if (!user) return null;
      let record = await records.byUser(user.id, tx);
      if (stateOf(record) === 'OFF') {
        if (!isEnforced(user.groupId)) return null;
        record = await records.renew(user.id, true, tx);
      }
      const challenge: LoginChallengeRecord = {
        _id: randomUUID(),
        userId: owner.userId,
        credentialVersion: owner.credentialVersion,
        failures: 0,
        expiresAt: new Date(core.clock.now().getTime() + CHALLENGE_MS),
      };
      await insertRecord(this.challenges, challenge, tx);
      const enrolment =
        record && !record.confirmed ? await records.enrolment(record, user.email) : null;
      return { challengeId: challenge._id, enrolment };
    });
  }

  /**
   * Opens a session if the code is right. The first code of a new app confirms it.
   * @throws Unauthenticated if the challenge has ended, or the code is wrong
   * @throws RateLimited after too many wrong codes, of this login or of the user
   */
  async complete(challengeId: string, code: string, origin: Origin): Promise<ConfirmedLogin> {
    const { core, sessions, users } = this.deps;
    sessions.requireOwnPage(origin);
    const challenge = await this.challenges.findById(challengeId).lean<LoginChallengeRecord>();
    if (!challenge || challenge.expiresAt <= core.clock.now()) throw challengeEnded();
    if (challenge.failures >= MAX_FAILURES)
      throw new RateLimited(
        'Too many failed attempts. Sign in with your password again.',
        CHALLENGE_MS / 1000,
      );
    const accepted = await core.store.transaction((tx) =>
      this.accept(challenge, code, origin.network, tx),
    );
    if (!accepted) {
      const { failures } = await this.countFailure(challenge);
      const left = MAX_FAILURES - failures;
      throw new Unauthenticated(
        left > 0
          ? `The code is wrong. Attempts left: ${left}.`
          : 'The code is wrong. Sign in with your password again.',
      );
    }
    const user = await users.byId(challenge.userId);
    if (!user) throw challengeEnded();
    const { userId, credentialVersion } = challenge;
    const owner = { userId, credentialVersion, hasSecondFactor: true };
    const signedIn = await sessions.open(owner, origin);
    return { ...signedIn, recoveryCodes: accepted.recoveryCodes };
  }

  /** Ends the open logins of users. */
  async removeOf(userIds: readonly number[], tx: Tx): Promise<void> {
    await this.challenges.deleteMany({ userId: { $in: [...userIds] } }, { session: tx.session });
  }

  /** Uses up the challenge if the code is right. Returns null for a wrong code. */
  private async accept(
    { _id, userId }: LoginChallengeRecord,
    code: string,
    network: string,
    tx: Tx,
  ): Promise<{ readonly recoveryCodes: readonly string[] | null } | null> {
    const { records } = this.deps;
    const record = await records.byUser(userId, tx);
    if (!record || !(await records.accept(record, code, network, tx))) return null;
    const used = await this.challenges.deleteOne({ _id }, { session: tx.session });
    if (used.deletedCount === 0) throw challengeEnded();
    return { recoveryCodes: record.confirmed ? null : await records.confirm(userId, tx) };
  }

  private async countFailure({ _id }: LoginChallengeRecord): Promise<{ failures: number }> {
    const counted = await this.challenges
      .findOneAndUpdate({ _id }, { $inc: { failures: 1 } }, { returnDocument: 'after' })
      .lean<LoginChallengeRecord>();
    return counted ?? { failures: MAX_FAILURES };
  }
}

const challengeEnded = (): Unauthenticated =>
  new Unauthenticated('This login has ended. Sign in with your password again.');
