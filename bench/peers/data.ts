import { randomUUID } from 'node:crypto';
import { cpSync } from 'node:fs';
import { newGroupRecord } from '../../src/features/groups/group.model';
import type { ComponentRecord } from '../../src/features/groups/group.model';
import type { SessionRecord } from '../../src/features/sessions/session.model';
import { EMPTY_DETAIL, newUserRecord } from '../../src/features/users/user.model';
import type { UserRecord } from '../../src/features/users/user.model';
import { systemClock } from '../../src/platform/clock/clock';
import { createTokens } from '../../src/platform/crypto/tokens';
import { startService } from '../../test/support/service/harness';
import { storeConnection } from '../../test/support/store/stored';
import { method, saved, workflow } from '../../test/support/documents/workflows';

/** Signs the tokens of all servers. */
export const TOKEN_SECRET = 'the token secret of all servers that are compared';
export const USERS = 1_000;
/** Users of a list. The first hundred share groups, the last hundred have a group each. */
export const LISTED = 100;
const [SHARED_GROUPS, CALLERS, WORKFLOWS, STEPS] = [10, 64, 50, 10];
const COMPONENTS = ['USER', 'USERGROUP', 'CONNECTION', 'MYPROFILE'];
const PERMISSIONS = ['CREATE', 'UPDATE', 'READ'];
/** Id of the workflow after the listed ones: without steps, to be run. */
export const EMPTY_WORKFLOW = WORKFLOWS + 1;
const FIRST_GROUP = 1_000;
const FIRST_USER = 1_000;
const DAY_MS = 86_400_000;

/** A user with a session. */
export interface Caller {
  readonly userId: number;
  /** The `Authorization` value. */
  readonly token: string;
}

/** A workflow as the peers store it: one document, the steps in it. */
export interface PeerWorkflow {
  readonly _id: number;
  readonly title: string;
  readonly description: string | null;
  readonly version: number;
  readonly steps: readonly object[];
}
export const PEER_WORKFLOWS = 'peer_workflows';

/** Fills a data directory, which servers get copies of. Returns the callers. */
export async function fillDirectory(dataDir: string): Promise<Caller[]> {
  const service = await startService({ dataDir, env: { HYPHA_TOKEN_SECRET: TOKEN_SECRET } });
  try {
    await insertGroups();
    await insertUsers();
    await insertWorkflows(service);
    return await insertSessions();
  } finally {
    await service.close();
  }
}

/** Copies a data directory that no process uses. */
export const copyDirectory = (from: string, to: string): void =>
  cpSync(from, to, { recursive: true, filter: (path) => !path.endsWith('.sock') });

const collection = <T extends { _id: unknown }>(name: string) => {
  const { db } = storeConnection();
  if (!db) throw new Error('The store is not connected.');
  return db.collection<T>(name);
};

async function insertGroups(): Promise<void> {
  const components = await collection<ComponentRecord>('components').find({}).toArray();
  const grants = components
    .filter(({ name }) => COMPONENTS.includes(name))
    .map(({ _id: componentId }) => ({ componentId, permissions: PERMISSIONS }));
  await collection('groups').insertMany(
    Array.from({ length: SHARED_GROUPS + LISTED }, (_, nth) =>
      newGroupRecord({
        _id: FIRST_GROUP + nth,
        name: `Group ${nth}`,
        description: `The group with number ${nth}`,
        components: grants,
      }),
    ),
  );
  await collection<{ _id: string; revision: number }>('directory_state').updateMany(
    {},
    { $inc: { revision: 1 } },
  );
}

/** With the administrator, who was created before them, `USERS`. */
async function insertUsers(): Promise<void> {
  const users = Array.from({ length: USERS - 1 }, (_, nth): UserRecord => {
    const ofLast = nth - (USERS - 1 - LISTED);
    return newUserRecord(
      {
        _id: FIRST_USER + nth,
        email: `user${nth}@peers.test`,
        passwordHash: null,
        groupId: FIRST_GROUP + (ofLast < 0 ? nth % SHARED_GROUPS : SHARED_GROUPS + ofLast),
        detail: {
          ...EMPTY_DETAIL,
          name: `Name ${nth}`,
          surname: `Surname ${nth}`,
          phoneNumber: `+49 30 ${100_000 + nth}`,
          department: `Department ${nth % 20}`,
          organisation: 'Example Ltd.',
        },
      },
      new Date(Date.now() + nth),
    );
  });
  await collection<UserRecord>('users').insertMany(users);
}

async function insertWorkflows(service: Parameters<typeof saved>[0]): Promise<void> {
  const rows: PeerWorkflow[] = [];
  for (let nth = 0; nth < WORKFLOWS; nth += 1) {
    const methods = Array.from({ length: STEPS }, (_, step) =>
      method(String(step), `http://remote.test/${nth}/${step}`),
    ) as any[];
    const document = workflow(methods, [], { description: `Workflow number ${nth}` });
    rows.push({
      _id: await saved(service, document),
      title: document.title,
      description: document.description,
      version: 1,
      steps: methods.map(({ id: stepId, index, name, methodType, request }) => ({
        stepId,
        index,
        name,
        methodType,
        request: { endpoint: request.endpoint, method: request.method },
      })),
    });
  }
  await collection<PeerWorkflow>(PEER_WORKFLOWS).insertMany(rows);
  const id = await saved(service, workflow([]));
  if (id !== EMPTY_WORKFLOW) throw new Error(`The empty workflow is ${id}.`);
}

async function insertSessions(): Promise<Caller[]> {
  const tokens = createTokens(Buffer.from(TOKEN_SECRET), systemClock);
  const now = new Date();
  const sessions = Array.from({ length: CALLERS }, (_, nth): SessionRecord => ({
    _id: randomUUID(),
    userId: FIRST_USER + nth,
    credentialVersion: 1,
    address: '127.0.0.1',
    userAgent: 'peers',
    createdAt: now,
    lastAccessed: now,
    expiresAt: new Date(now.getTime() + DAY_MS),
    revoked: false,
  }));
  await collection<SessionRecord>('sessions').insertMany(sessions);
  const seconds = Math.floor(now.getTime() / 1_000);
  return sessions.map(({ _id: jti, userId }, nth) => ({
    userId,
    token: `Bearer ${tokens.sign({
      sub: `user${nth}@peers.test`,
      userId,
      role: 'Group',
      sessionTime: 1_800_000,
      iat: seconds,
      exp: seconds + DAY_MS / 1_000,
      jti,
    })}`,
  }));
}
