import { LRUCache } from 'lru-cache';
import type { Authentication } from '../../platform/access/need';
import type { Clock } from '../../platform/clock/clock';
import type { Authenticate, RequestMarks, TokenUse } from '../../platform/context';
import type { RunMarks } from '../../platform/crypto/run-marks';
import type { TokenClaims, Tokens } from '../../platform/crypto/tokens';
import type { EventBus } from '../../platform/events/bus';
import { SESSION_ENDED } from '../../platform/events/session-ended';
import type { SessionEnded } from '../../platform/events/session-ended';
import type { Store } from '../../platform/store/store';
import type { Directory, DirectoryService } from '../groups/directory.service';
import type { UserIdentity, UserService } from '../users/user.service';
import { USER_ACCESS_CHANGED } from './session.events';
import type { UserAccessChanged } from './session.events';
import type { SessionRecord } from './session.model';
import type { SessionService } from './session.service';

/** How long what was read of a session may be believed, ms: the bound for what other processes ended or changed. */
const BELIEVED_MS = 2_000;
/** The same where there are none: what this process ends or changes it hears at once. */
const BELIEVED_ALONE_MS = 30_000;
/** Sessions remembered at once. */
const REMEMBERED = 10_000;
/** Longest time an access stays unwritten, ms. */
const LONGEST_UNWRITTEN_MS = 60_000;

interface Remembered {
  readonly session: SessionRecord;
  readonly user: UserIdentity;
  readonly readAt: number;
  lastSeen: number;
  lastWritten: number;
}

/** What was asked of whom, and when. */
interface Asked {
  readonly claims: TokenClaims;
  readonly request: RequestMarks;
  readonly use: TokenUse;
  readonly now: number;
}

export interface AuthenticateDependencies {
  readonly tokens: Tokens;
  readonly marks: RunMarks;
  readonly sessions: SessionService;
  readonly users: UserService;
  readonly directory: DirectoryService;
  readonly clock: Clock;
  readonly bus: EventBus;
  readonly store: Pick<Store, 'isExclusive'>;
}

/**
 * Reads tokens. A session that was ended and a group that was changed count from the next request in this process, and within
 * two seconds in the others; where no others can be at the store, what was read of a session is believed for longer.
 */
export function createAuthenticate({
  tokens,
  marks,
  sessions,
  users,
  directory,
  clock,
  bus,
  store,
}: AuthenticateDependencies): Authenticate {
  const remembered = new LRUCache<string, Remembered>({ max: REMEMBERED });
  const believedMs = store.isExclusive ? BELIEVED_ALONE_MS : BELIEVED_MS;
  const idleMs = sessions.limits.activitySeconds * 1000;
  const unwrittenMs = Math.min(LONGEST_UNWRITTEN_MS, idleMs / 10);
  // What was being read while something ended may be old already: it is used once more, and not remembered.
  let generation = 0;
  // An event for a thousand sockets of one session asks the store once.
  const reading = new Map<string, Promise<Remembered | null>>();
  const somethingEnded = (): void => {
    generation += 1;
    reading.clear();
  };

  bus.subscribe<SessionEnded>(SESSION_ENDED, ({ sessionId }) => {
    somethingEnded();
    remembered.delete(sessionId);
  });
  bus.subscribe<UserAccessChanged>(USER_ACCESS_CHANGED, ({ userId }) => {
    somethingEnded();
    for (const [id, { user }] of remembered) if (user.id === userId) remembered.delete(id);
  });

  const readStored = async (
    claims: TokenClaims,
    now: number,
    known: Remembered | undefined,
  ): Promise<Remembered | null> => {
    const before = generation;
    // The user first: a session kept through a change of password is then never compared with an older count than its own.
    const user = await users.identity(claims.userId);
    const session = user && (await sessions.byId(claims.jti));
    if (
      !user ||
      !session ||
      session.revoked ||
      session.userId !== user.id ||
      session.credentialVersion < user.credentialVersion
    ) {
      remembered.delete(claims.jti);
      return null;
    }
    const stored = session.lastAccessed.getTime();
    const fresh = {
      session,
      user,
      readAt: now,
      lastSeen: Math.max(stored, known?.lastSeen ?? 0),
      lastWritten: stored,
    };
    if (generation === before) remembered.set(claims.jti, fresh);
    return fresh;
  };

  /** What was read of the session, if it may still be believed. */
  const believed = (claims: TokenClaims, now: number): Remembered | null => {
    // Those in use are read again, and set, every few seconds: no need to note each use.
    const known = remembered.peek(claims.jti);
    return known?.user.id === claims.userId &&
      now - known.readAt < believedMs &&
      now >= known.readAt
      ? known
      : null;
  };

  const read = async (claims: TokenClaims, now: number): Promise<Remembered | null> => {
    const name = `${claims.userId} ${claims.jti}`;
    const others = reading.get(name);
    if (others) return others;
    const mine = readStored(claims, now, remembered.get(claims.jti)).finally(() => {
      if (reading.get(name) === mine) reading.delete(name);
    });
    reading.set(name, mine);
    return mine;
  };

  const writeAccess = async (entry: Remembered, now: number): Promise<void> => {
    entry.lastWritten = now;
    // A store that cannot write now, a full disk, must not stop people from reading; the next request tries again.
    await sessions.touch(entry.session._id, new Date(now)).catch(() => {
      entry.lastWritten = entry.session.lastAccessed.getTime();
    });
  };

  const judged = (
    entry: Remembered,
    { groups }: Directory,
    { claims, request, use, now }: Asked,
  ): Authentication | Promise<Authentication> => {
    if (now - entry.lastSeen > idleMs) return { state: 'expired' };
    const group = groups.get(entry.user.groupId);
    if (!group) return { state: 'rejected' };
    const signedIn: Authentication = {
      state: 'signed-in',
      expiresAt: claims.exp * 1000,
      actor: {
        userId: entry.user.id,
        email: entry.user.email,
        groupId: group.id,
        groupName: group.name,
        sessionId: entry.session._id,
        grants: group.grants,
        requestId: request.requestId,
        clientRequestId: request.clientRequestId,
        runDepth: marks.read(request.runMark)?.depth,
      },
    };
    if (use === 'event') return signedIn;
    entry.lastSeen = Math.max(entry.lastSeen, now);
    return now - entry.lastWritten < unwrittenMs
      ? signedIn
      : writeAccess(entry, now).then(() => signedIn);
  };

  const judgedAfterReading = async (
    known: Remembered | null,
    asked: Asked,
  ): Promise<Authentication> => {
    const entry = known ?? (await read(asked.claims, asked.now));
    return entry
      ? judged(entry, directory.freshAt(asked.now) ?? (await directory.fresh()), asked)
      : { state: 'rejected' };
  };

  return (token, request, use = 'operation') => {
    if (token === undefined) return { state: 'anonymous' };
    const told = tokens.read(token);
    if (told.state === 'expired') return { state: 'expired' };
    if (told.state === 'invalid') return { state: 'rejected' };
    const asked = { claims: told.claims, request, use, now: clock.now().getTime() };
    const known = believed(asked.claims, asked.now);
    const fresh = directory.freshAt(asked.now);
    return known && fresh ? judged(known, fresh, asked) : judgedAfterReading(known, asked);
  };
}
