import type { Actor } from '../../platform/access/actor';
import type { Origin } from '../../platform/context';
import type { Tokens } from '../../platform/crypto/tokens';
import { Forbidden, WrongCredentials } from '../../platform/errors/errors';
import type { AuditService } from '../audit/audit.service';
import type { DirectoryService } from '../groups/directory.service';
import type { UserRecords } from '../users/user-records';
import type { User } from '../users/user.model';
import type { SessionRecord } from './session.model';
import type { SecondFactorsOfUsers } from '../users/user.ports';
import type { SignedIn } from './session.ports';
import { toSession } from './session.service';
import type { SessionOwner, SessionService } from './session.service';

declare module '../../platform/context' {
  interface Services {
    sessionOpening: SessionOpening;
  }
}

/** The actor for the audit record of the login. Not used for permission checks. */
const actorOf = (user: User, session: SessionRecord, origin: Origin): Actor => ({
  userId: user.id,
  email: user.email,
  groupId: user.groupId,
  groupName: '',
  sessionId: session._id,
  grants: new Set(),
  requestId: origin.requestId,
  clientRequestId: origin.clientRequestId,
});

export const wrongCredentials = (): WrongCredentials =>
  new WrongCredentials('CREDENTIALS_WRONG', 'The e-mail or the password is wrong.');

/** Opens sessions for users who have proved who they are, and signs their tokens. */
export class SessionOpening {
  constructor(
    private readonly deps: {
      readonly audit: AuditService;
      readonly users: UserRecords;
      readonly secondFactors: SecondFactorsOfUsers;
      readonly sessions: SessionService;
      readonly directory: DirectoryService;
      readonly tokens: Tokens;
    },
  ) {}

  /**
   * Attempts of a page of a foreign origin could lock its visitors out.
   * @throws Forbidden
   */
  requireOwnPage({ foreignPage }: Origin): void {
    if (foreignPage)
      throw new Forbidden(
        'Pages of this origin may not sign in. Add the origin to the setting cors.origins to allow it.',
      );
  }

  /**
   * @throws WrongCredentials if the user was deleted or disabled, or got a second factor, in the
   * meantime
   */
  async open(owner: SessionOwner, origin: Origin): Promise<SignedIn> {
    await this.deps.directory.fresh();
    const { user, session } = await this.openSession(owner, origin);
    return { user, session: toSession(session), token: this.signToken(user, session) };
  }

  private async openSession(
    owner: SessionOwner,
    origin: Origin,
  ): Promise<{ user: User; session: SessionRecord }> {
    const { audit, sessions, secondFactors, users } = this.deps;
    return users.inTransaction(owner.userId, async (tx) => {
      const session = await sessions.open(owner, origin, tx);
      const user = await users.setLastLogin(owner.userId, session.createdAt, tx);
      if (!user) throw wrongCredentials();
      if (!owner.hasSecondFactor && (await secondFactors.isEnabled(user.id, tx)))
        throw new WrongCredentials(
          'LOGIN_ENDED',
          'The second factor was turned on. Sign in again.',
        );
      const { _id: id, address, userAgent } = session;
      const after = { userId: user.id, address, userAgent };
      const actor = actorOf(user, session, origin);
      await audit.record(actor, 'session.open', { type: 'Session', id }, null, after, tx);
      return { user, session };
    });
  }

  private signToken(user: User, session: SessionRecord): string {
    return this.deps.tokens.sign({
      sub: user.email,
      userId: user.id,
      role: this.deps.directory.group(user.groupId)?.name ?? '',
      sessionTime: this.deps.sessions.limits.activitySeconds * 1000,
      iat: Math.floor(session.createdAt.getTime() / 1000),
      exp: Math.floor(session.expiresAt.getTime() / 1000),
      jti: session._id,
    });
  }
}
