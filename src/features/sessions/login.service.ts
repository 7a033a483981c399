import type { Actor } from '../../platform/access/actor';
import type { Origin } from '../../platform/context';
import type { Tokens } from '../../platform/crypto/tokens';
import { BadInput, Forbidden, Unauthenticated } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import type { AuditService } from '../audit/audit.service';
import type { DirectoryService } from '../groups/directory.service';
import type { UserCredentials } from '../users/user-credentials';
import type { UserRecords } from '../users/user-records';
import type { User } from '../users/user.model';
import type { SessionRecord } from './session.model';
import { toSession } from './session.service';
import type { Session, SessionOwner, SessionService } from './session.service';

declare module '../../platform/context' {
  interface Services {
    login: LoginService;
  }
}

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** A successful login: the user, and the token of the new session (without `Bearer`). */
export interface SignedIn {
  readonly user: User;
  readonly token: string;
  readonly session: Session;
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

const accessDenied = (): Unauthenticated =>
  new Unauthenticated('The e-mail or the password is wrong.');

/** @throws BadInput if a text is not well-formed Unicode */
function checkTexts(credentials: Credentials): void {
  const found = new Findings();
  for (const [field, text] of Object.entries(credentials) as [string, string][])
    if (!text.isWellFormed())
      found.add(
        new BadInput('BAD_REQUEST', 'This is not well-formed Unicode.', {
          path: [field],
          reason: 'TEXT_INVALID',
        }),
      );
  found.refuse();
}

/** Exchanges e-mail and password for a session and its token. */
export class LoginService {
  constructor(
    private readonly deps: {
      readonly audit: AuditService;
      readonly users: UserRecords;
      readonly credentials: UserCredentials;
      readonly sessions: SessionService;
      readonly directory: DirectoryService;
      readonly tokens: Tokens;
    },
  ) {}

  /**
   * @throws BadInput if a text is not well-formed Unicode
   * @throws Forbidden if a page of an origin that is not allowed sent it: it could lock its
   * visitors out
   * @throws Unauthenticated ACCESS_DENIED for an unknown user or a wrong password, with the same
   * response and the same work
   * @throws RateLimited, Unavailable as `UserCredentials.verify`
   */
  async login({ email, password }: Credentials, origin: Origin): Promise<SignedIn> {
    if (origin.foreignPage)
      throw new Forbidden(
        'Pages of this origin may not sign in. Add the origin to the setting cors.origins to allow it.',
      );
    checkTexts({ email, password });
    const check = await this.deps.credentials.verify(email, password, origin.network);
    if (!check.isValid) {
      await this.recordFailure(check.userId, origin);
      throw accessDenied();
    }
    await this.deps.directory.fresh();
    const { user, session } = await this.open(check.credentials, origin);
    return { user, session: toSession(session), token: this.signToken(user, session) };
  }

  private async open(
    owner: SessionOwner,
    origin: Origin,
  ): Promise<{ user: User; session: SessionRecord }> {
    const { audit, sessions, users } = this.deps;
    return users.inTransaction(owner.userId, async (tx) => {
      const session = await sessions.open(owner, origin, tx);
      const user = await users.setLastLogin(owner.userId, session.createdAt, tx);
      if (!user) throw accessDenied();
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

  /** The entered e-mail is not recorded: users sometimes type their password there. */
  private async recordFailure(userId: number | undefined, origin: Origin): Promise<void> {
    await this.deps.audit.recordRepeated(
      'session.refuse',
      { type: 'User', id: userId ?? 'unknown' },
      { address: origin.network },
      origin,
    );
  }
}
