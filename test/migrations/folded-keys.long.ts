import fc from 'fast-check';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connection } from 'mongoose';
import { createLogger } from '../../src/platform/log/logger';
import { connectStore } from '../../src/platform/store/connect';
import { migrate } from '../../src/platform/store/migrations';
import { refold } from '../../src/platform/store/refold';
import { Store } from '../../src/platform/store/store';
import { fold } from '../../src/platform/text/fold';
import { systemClock } from '../../src/platform/clock/clock';
import { startService, unique } from '../support/harness';
import type { TestService } from '../support/harness';
import { saved, workflow } from '../support/workflows';

const log = createLogger({ log: { level: 'silent' } });
let dataDir: string;
const newDirectory = (): void => { dataDir = mkdtempSync(join(tmpdir(), 'hypha-folded-')); };
const removeDirectory = (): void => rmSync(dataDir, { recursive: true, force: true });

/** Works on the store of a service that is stopped. */
async function inStore<R>(work: (connection: Connection) => Promise<R>): Promise<R> {
  const connected = await connectStore({ data: { dir: dataDir, mongodbUri: null } }, log, { placement: 'inline', durability: 'test' });
  try {
    return await work(connected.store.connection);
  } finally {
    await connected.close();
  }
}

/** How the first version made its keys. */
const firstKey = (name: string): string => name.trim().normalize('NFC').toLowerCase();
const firstTitleKey = (title: string): string => title.trim().normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');

describe('a store of the first version', () => {
  let service: TestService;
  const ids: Record<string, number[]> = {};
  const emails = ['straße@hypha.test', 'strasse@hypha.test', 'ｓtrasse@hypha.test'];
  const names = ['Fußball', 'Fussball'];
  const titles = ['Flag \u{1f3f3}\ufe0f\u200d\u{1f308}', 'Flag \u{1f3f3}\u{1f308}', 'Titel ①', 'Titel 1'];

  beforeAll(async () => {
    newDirectory();
    const first = await startService({ dataDir });
    ids.users = await Promise.all(emails.map(async () => (await first.userWith(['USER:READ', 'MYPROFILE:UPDATE'])).id));
    ids.groups = [];
    ids.permissions = [];
    for (const name of names) {
      const permission = await first.api('POST', '/api/permission', { body: { name: unique(name) } });
      ids.permissions.push(permission.body.enhanceId);
      const group = await first.api('POST', '/api/role', { body: { name: unique('Group'), components: [{ enhanceId: 1, permissions: [permission.body.name] }] } });
      ids.groups.push(group.body.enhanceId);
    }
    ids.workflows = [];
    for (const title of titles) ids.workflows.push(await saved(first, workflow([], [], { title: `${unique('T')} ${title}` })));
    await first.close();
    await inStore(async (connection) => {
      const set = (collection: string, id: number | undefined, fields: object) => connection.collection<{ _id: number }>(collection).updateOne({ _id: id }, { $set: fields });
      for (const [at, email] of emails.entries()) {
        await set('users', ids.users?.[at], { email, emailKey: firstKey(email), passwordHash: (await connection.collection('users').findOne({ email: 'admin@hypha.test' }))?.passwordHash });
      }
      for (const [at, name] of names.entries()) {
        await set('groups', ids.groups?.[at], { name, nameKey: firstKey(name), components: [{ componentId: 1, permissions: [name] }] });
        await set('permissions', ids.permissions?.[at], { name, nameKey: firstKey(name) });
      }
      for (const [at, title] of titles.entries()) await set('workflows', ids.workflows?.[at], { title, titleKey: firstTitleKey(title) });
      await connection.collection('users').updateMany({}, { $unset: { detailKeys: 1 } });
      await connection.collection('permissions').updateMany({}, { $unset: { version: 1 } });
      await connection.dropCollection('migrations');
      await connection.dropCollection('leases');
    });
    service = await startService({ dataDir });
  });
  afterAll(async () => {
    await service.close();
    removeDirectory();
  });

  it('counts the changes of permissions from 1', async () => {
    const { permissions } = await service.data('{ permissions(first: 100) { nodes { version } } }');
    expect(new Set(permissions.nodes.map(({ version }: { version: number }) => version))).toEqual(new Set([1]));
    expect(permissions.nodes.length).toBeGreaterThan(4);
  });

  it('keeps both of two records whose names have become the same, names them, and lets both be used', async () => {
    const told = service.logs.filter(({ msg }) => String(msg).startsWith('These records have names that count as the same now')).map(({ collection, ids: named }) => [collection, named]);
    expect(told).toEqual([
      ['users', ids.users], ['groups', ids.groups], ['permissions', ids.permissions], ['workflows', ids.workflows?.slice(0, 2)], ['workflows', ids.workflows?.slice(2)],
    ]);
    for (const [at, email] of emails.entries()) {
      const token = await service.login(email, 'correct horse battery');
      expect((await service.api('GET', `/api/user/${ids.users?.[at]}`, { token })).body).toMatchObject({ enhanceId: ids.users?.[at], email });
      expect((await service.api('PUT', `/api/user/${ids.users?.[at]}`, { body: { email, userDetail: { name: 'changed' } } })).status).toBe(200);
    }
    for (const [at, name] of names.entries()) {
      expect((await service.api('PUT', `/api/role/${ids.groups?.[at]}`, { body: { name, description: 'changed' } })).body).toMatchObject({ name, description: 'changed' });
      expect((await service.api('PUT', `/api/permission/${ids.permissions?.[at]}`, { body: { name, description: 'changed' } })).status).toBe(201);
    }
    for (const [at, title] of titles.entries()) {
      const document = (await service.api('GET', `/api/connection/${ids.workflows?.[at]}`)).body;
      expect((await service.api('PUT', `/api/connection/${ids.workflows?.[at]}`, { body: { ...document, title, description: 'changed' } })).status).toBe(200);
    }
  });

  it('finds and orders users by details that were stored without keys', async () => {
    const ask = (args: string): Promise<{ users: { nodes: { id: string }[] } }> => service.data(`{ users(first: 100, ${args}) { nodes { id detail { surname } } } }`);
    expect((await ask('filter: { surname: { eq: "ADMIN" } }')).users.nodes).toHaveLength(1);
    expect((await ask('orderBy: { field: SURNAME, direction: ASC }')).users.nodes).toHaveLength(emails.length + 1);
  });

  it('gives nobody else a name that is taken, and frees it when the record gets another one', async () => {
    expect((await service.api('POST', '/api/role', { body: { name: 'FUSSBALL' } })).status).toBe(409);
    expect((await service.api('POST', '/api/connection', { body: workflow([], [], { title: 'titel 1' }) })).status).toBe(409);
    await service.api('PUT', `/api/role/${ids.groups?.[0]}`, { body: { name: unique('Other') } });
    expect((await service.api('POST', '/api/role', { body: { name: 'FUSSBALL' } })).status).toBe(201);
  });
});

describe('the migration', () => {
  beforeEach(newDirectory);
  afterEach(removeDirectory);

  it('is recorded as done on a fresh installation', async () => {
    const service = await startService({ dataDir });
    expect(service.logs.filter(({ level }) => Number(level) >= 40)).toEqual([]);
    await service.close();
    const before = await inStore((connection) => connection.collection('migrations').find().toArray());
    expect(before.map(({ name }) => String(name)).slice(0, 4)).toEqual(['keys of users by email', 'keys of groups by name', 'keys of permissions by name', 'keys of workflows by title']);
    await (await startService({ dataDir })).close();
    expect(await inStore((connection) => connection.collection('migrations').find().toArray())).toEqual(before);
  });

  it('gives every record a key of its own, the oldest of those that are the same the plain one, whatever the names', async () => {
    const name = fc.array(fc.constantFrom('a', 'A', 'ß', 'ss', 'ſ', 'é', 'e\u0301', '①', '1', 'ﬁ', 'fi', ' '), { minLength: 1, maxLength: 3 }).map((parts) => parts.join(''));
    await inStore(async (connection) => {
        const things = connection.collection<{ _id: number; name: string; nameKey: string }>('things');
      await things.createIndex({ nameKey: 1 }, { unique: true });
      await fc.assert(fc.asyncProperty(fc.uniqueArray(name, { maxLength: 12, selector: firstKey }), async (list) => {
        await things.deleteMany({});
        await connection.collection('migrations').deleteMany({});
        if (list.length > 0) await things.insertMany(list.map((text, at) => ({ _id: at + 1, name: text, nameKey: firstKey(text) })));
        const refolded = refold({ collection: 'things', text: 'name', key: 'nameKey' });
        const run = () => migrate({ store: new Store(connection, true), clock: systemClock, log }, { 1: refolded });
        await run();
        const after = await things.find().sort({ _id: 1 }).toArray();
        expect(after.map((record) => record.name)).toEqual(list);
        expect(after.map((record) => record.nameKey)).toEqual(list.map((text, at) =>
          (list.findIndex((other) => fold(other) === fold(text)) === at ? fold(text) : `${fold(text)}\u0000${at + 1}`)));
        await connection.collection('migrations').deleteMany({});
        await run();
        expect(await things.find().sort({ _id: 1 }).toArray()).toEqual(after);
      }), { numRuns: 60 });
    });
  });
});
