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

/** Session cache TTL, ms: the maximum delay for changes by other processes. */
const BELIEVED_MS = 2_000;
/** Session cache TTL for a store that only this process uses, ms. Own changes apply at once. */
const BELIEVED_ALONE_MS = 30_000;
/** Maximum number of cached sessions. */
const REMEMBERED = 10_000;
/** Maximum delay before a use is written to `lastAccessed`, ms. */
const LONGEST_UNWRITTEN_MS = 60_000;

interface Remembered {
  readonly session: SessionRecord;
  readonly user: UserIdentity;
  readonly readAt: number;
  lastSeen: number;
  lastWritten: number;
}

/** A request to authenticate. */
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
 * Authenticates tokens. Ended sessions and changed groups apply to the next request in this
 * process, and within two seconds in others. If no other process can use the store, the cache TTL
 * is longer.
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
  // Incremented when a session ends or a user changes: reads that overlap such an event are not
  // cached.
  let generation = 0;
  // Shares one read among concurrent requests of a session, such as an event for many sockets.
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
    // Read the user first: the session may be updated by a password change in between, and must not
    // be compared with a newer credential version.
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

  /** Returns the cached session unless it is outdated. */
  const believed = (claims: TokenClaims, now: number): Remembered | null => {
    // `peek` does not update the LRU order; active sessions are set again every few seconds anyway.
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
    // If the store cannot write (full disk), reading must still work; the next request tries again.
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
