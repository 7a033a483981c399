import type { Actor } from '../../platform/access/actor';
import type { Origin } from '../../platform/context';
import type { Passwords } from '../../platform/crypto/passwords';
import type { Tokens } from '../../platform/crypto/tokens';
import { BadInput, Forbidden, Unauthenticated } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import type { Store } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import type { DirectoryService } from '../groups/directory.service';
import type { User, UserService } from '../users/user.service';
import { LONGEST_ACCOUNT } from '../../platform/access/lockout';
import type { Lockout } from '../../platform/access/lockout';
import type { SessionRecord } from './session.model';
import { presentSession } from './session.service';
import type { Session, SessionService } from './session.service';

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

export interface LoginDependencies {
  readonly store: Store;
  readonly audit: AuditService;
  readonly users: UserService;
  readonly sessions: SessionService;
  readonly directory: DirectoryService;
  readonly passwords: Passwords;
  readonly tokens: Tokens;
  readonly lockout: Lockout;
}

export type LoginService = ReturnType<typeof createLoginService>;

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

const refused = (): Unauthenticated => new Unauthenticated('The e-mail or the password is wrong.');

/** Exchanges e-mail and password for a session and its token. */
export function createLoginService({
  store,
  audit,
  users,
  sessions,
  directory,
  passwords,
  tokens,
  lockout,
}: LoginDependencies) {
  const tokenOf = (user: User, session: SessionRecord): string =>
    tokens.sign({
      sub: user.email,
      userId: user.id,
      role: directory.group(user.groupId)?.name ?? '',
      sessionTime: sessions.limits.activitySeconds * 1000,
      iat: Math.floor(session.createdAt.getTime() / 1000),
      exp: Math.floor(session.expiresAt.getTime() / 1000),
      jti: session._id,
    });

  /** The entered e-mail is not recorded: users sometimes type their password there. */
  const noteFailure = async (
    account: string,
    userId: number | undefined,
    origin: Origin,
  ): Promise<void> => {
    lockout.failed(account, origin.network);
    await audit.recordRepeated(
      'session.refuse',
      { type: 'User', id: userId ?? 'unknown' },
      { address: origin.network },
      origin,
    );
  };

  return {
    /**
     * @throws BadInput if a text is not well-formed Unicode
     * @throws Forbidden if a page of an origin that is not allowed sent it: it could lock its
     * visitors out
     * @throws Unauthenticated ACCESS_DENIED for an unknown user or a wrong password, with the same
     * response and the same work
     * @throws RateLimited after too many failures of this account from this network, or of this
     * network
     * @throws Unavailable if too many logins are queued
     */
    async login({ email, password }: Credentials, origin: Origin): Promise<SignedIn> {
      if (origin.foreignPage)
        throw new Forbidden(
          'Pages of this origin may not sign in here. The setting cors.origins names those that may.',
        );
      const found = new Findings();
      for (const [field, text] of Object.entries({ email, password })) {
        if (!text.isWellFormed())
          found.add(
            new BadInput('BAD_REQUEST', 'This is not well-formed Unicode.', {
              path: [field],
              reason: 'TEXT_INVALID',
            }),
          );
      }
      found.refuse();
      const typed = email.slice(0, LONGEST_ACCOUNT);
      const account = users.accountName(typed);
      lockout.requireOpen(account, origin.network);
      const credentials = await users.credentials(typed);
      const check = await passwords.check(credentials?.passwordHash ?? null, password);
      // Check again: concurrent attempts must not learn the result once one of them has caused a
      // lockout.
      lockout.requireOpen(account, origin.network);
      if (!credentials || check === 'wrong') {
        await noteFailure(account, credentials?.userId, origin);
        throw refused();
      }
      if (check === 'right-upgrade')
        await users.upgradeHash(credentials, await passwords.hash(password));
      await directory.fresh();
      const { user, session } = await users.inTurn(credentials.userId, () =>
        store.transaction(async (tx) => {
          const opened = await sessions.open(credentials, origin, tx);
          const signedIn = await users.noteLogin(credentials.userId, opened.createdAt, tx);
          if (!signedIn) throw refused();
          const after = {
            userId: signedIn.id,
            address: opened.address,
            userAgent: opened.userAgent,
          };
          await audit.record(
            actorOf(signedIn, opened, origin),
            'session.open',
            { type: 'Session', id: opened._id },
            null,
            after,
            tx,
          );
          return { user: signedIn, session: opened };
        }),
      );
      lockout.succeeded(account, origin.network);
      return { user, session: presentSession(session), token: tokenOf(user, session) };
    },
  };
}
