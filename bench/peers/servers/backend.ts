import { LRUCache } from 'lru-cache';
import mongoose from 'mongoose';
import type { Model } from 'mongoose';
import { openEmbeddedStore } from '@hypha/embedded-mongo';
import { auditCollection } from '../../../src/features/audit/audit.model';
import {
  buildDirectory,
  componentCollection,
  groupCollection,
} from '../../../src/features/groups/group.model';
import type { Group } from '../../../src/features/groups/group.model';
import { readPermissions } from '../../../src/features/permissions/permission-records.service';
import { sessionCollection } from '../../../src/features/sessions/session.model';
import { userCollection } from '../../../src/features/users/user.model';
import type { UserDetail, UserRecord } from '../../../src/features/users/user.model';
import { systemClock } from '../../../src/platform/clock/clock';
import { createTokens } from '../../../src/platform/crypto/tokens';
import { Store } from '../../../src/platform/store/store';
import { PEER_WORKFLOWS, TOKEN_SECRET } from '../data';
import type { PeerWorkflow } from '../data';

const IDLE_MS = 18_000_000;
const SHOWN = { email: 1, groupId: 1, detail: 1, picture: 1, createdAt: 1, version: 1 } as const;
const SHOWN_WORKFLOW = { title: 1, description: 1, version: 1, steps: 1 } as const;
const KEPT_ROWS = 10_000;

export type ShownUser = Pick<UserRecord, '_id' | keyof typeof SHOWN>;

/** The user of a request. */
export interface Session {
  readonly user: ShownUser;
  readonly group: Group;
}

/**
 * What every peer does behind its transport: the same embedded store in a thread of its own, lean
 * reads with a projection, groups in memory, and the same checks of token, session, user and permission.
 * @param keeps with an LRU of users and lists, as its developer would add it: a change forgets the user and all lists
 */
export async function openBackend(dir: string, keeps: boolean) {
  const server = await openEmbeddedStore({ dir, placement: 'worker', durability: 'full' });
  const connection = await mongoose
    .createConnection(server.uri, {
      autoIndex: false,
      autoCreate: false,
      bufferCommands: false,
      enableUtf8Validation: false,
    })
    .asPromise();
  const store = new Store(connection, true);
  const [users, sessions, audit] = [
    userCollection(store),
    sessionCollection(store),
    auditCollection(store),
  ];
  const workflows: Model<PeerWorkflow> = connection.model<PeerWorkflow>(
    'PeerWorkflow',
    new mongoose.Schema<PeerWorkflow>({}, { strict: false, _id: false }),
    PEER_WORKFLOWS,
  );
  const { groups } = buildDirectory(
    0,
    await groupCollection(store).find(),
    await componentCollection(store).find(),
    await readPermissions(store),
  );
  const tokens = createTokens(Buffer.from(TOKEN_SECRET), systemClock);
  const groupOf = ({ groupId }: Pick<UserRecord, 'groupId'>): Group => {
    const group = groups.get(groupId);
    if (!group) throw new Error(`There is no group ${groupId}.`);
    return group;
  };

  const [rows, lists] = [
    new LRUCache<number, ShownUser>({ max: KEPT_ROWS }),
    new Map<string, ShownUser[]>(),
  ];
  const userById = async (id: number): Promise<ShownUser | null> => {
    const kept = rows.get(id);
    if (kept) return kept;
    const user = await users.findOne<ShownUser>({ _id: id }, { fields: SHOWN });
    if (keeps && user) rows.set(id, user);
    return user;
  };
  const listOf = async (name: string, read: () => Promise<ShownUser[]>): Promise<ShownUser[]> => {
    const kept = lists.get(name);
    if (kept) return kept;
    const list = await read();
    if (keeps) lists.set(name, list);
    return list;
  };

  return {
    groupOf,

    /** Checks the value of the header `Authorization`. */
    async authenticate(header: string | undefined): Promise<Session> {
      const read = tokens.read((header ?? '').replace('Bearer ', ''));
      if (read.state !== 'valid') throw new Error('The token is not valid.');
      const { jti, userId } = read.claims;
      const [session, user] = await Promise.all([sessions.byId(jti), userById(userId)]);
      if (
        !session ||
        !user ||
        session.revoked ||
        session.userId !== userId ||
        Date.now() - session.lastAccessed.getTime() > IDLE_MS
      )
        throw new Error('The session has ended.');
      return { user, group: groupOf(user) };
    },

    /** @throws Error the group of the user does not allow it */
    require({ group }: Session, grant: string): void {
      if (!group.grants.has(grant)) throw new Error(`${grant} is required.`);
    },

    user: userById,

    allUsers: () =>
      listOf('all', () => users.find<ShownUser>({}, { fields: SHOWN, sort: { _id: 1 } })),

    async users({ first, last }: { first?: number; last?: number }): Promise<ShownUser[]> {
      const direction = last === undefined ? 1 : -1;
      const limit = first ?? last ?? 20;
      return listOf(`${direction} ${limit}`, async () => {
        const sort = { createdAt: direction, _id: direction } as const;
        const found = await users.find<ShownUser>({}, { fields: SHOWN, sort, limit });
        return last === undefined ? found : found.toReversed();
      });
    },

    workflows: (first: number) =>
      workflows.find({}, SHOWN_WORKFLOW).sort({ _id: 1 }).limit(first).lean<PeerWorkflow[]>(),

    /** Changes the caller's own details, with a record of the change, in one transaction. */
    async changeDetail({ user: caller }: Session, detail: Partial<UserDetail>) {
      const changed = await store.transaction(async (tx) => {
        const before = await users.byId(caller._id, tx);
        if (!before) throw new Error('The user does not exist.');
        const at = new Date();
        const after = await users.findOneAndUpdate(
          { _id: caller._id },
          {
            $set: {
              detail: { ...before.detail, ...detail },
              updatedAt: at,
              version: before.version + 1,
            },
          },
          { tx },
        );
        await audit.insertMany(
          [
            {
              _id: await store.nextId('audit'),
              at,
              actor: { userId: caller._id, email: caller.email },
              action: 'user.detail',
              target: { type: 'User', id: String(caller._id) },
              before: { ...before },
              after: { ...after },
              requestId: '',
              clientRequestId: null,
            },
          ],
          tx,
        );
        return after as ShownUser;
      });
      rows.delete(caller._id);
      lists.clear();
      return changed;
    },

    async close(): Promise<void> {
      await connection.close();
      await server.close();
    },
  };
}

export type Backend = Awaited<ReturnType<typeof openBackend>>;
