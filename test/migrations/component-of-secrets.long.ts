import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLogger } from '../../src/platform/log/logger';
import { connectStore } from '../../src/platform/store/connect';
import { startService } from '../support/harness';

it('an installation from before there were secrets gets their component, its administrators all rights of it, and nobody else one', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'hypha-component-'));
  try {
    const first = await startService({ dataDir });
    await first.userWith(['CONNECTION:READ'], 'Readers');
    await first.close();
    const before = await connectStore({ data: { dir: dataDir, mongodbUri: null } }, createLogger({ log: { level: 'silent' } }), { placement: 'inline', durability: 'test' });
    const { connection } = before.store;
    await connection.collection<any>('components').deleteOne({ _id: 10 });
    const groups = connection.collection<any>('groups');
    for (const { _id, components } of await groups.find().toArray()) await groups.updateOne({ _id }, { $set: { components: components.filter(({ componentId }: any) => componentId !== 10) } });
    expect((await connection.collection('migrations').deleteMany({ name: 'the component SECRET' })).deletedCount).toBe(1);
    await before.close();

    const service = await startService({ dataDir });
    try {
      expect((await service.data('{ components { databaseId name } }')).components).toContainEqual({ databaseId: 10, name: 'SECRET' });
      const { userGroups } = await service.data('{ userGroups { nodes { name version components { component { name } permissions { name } } } } }');
      const rights = Object.fromEntries(userGroups.nodes.map(({ name, components }: any) => [name, components.filter(({ component }: any) => component.name === 'SECRET').flatMap(({ permissions }: any) => permissions.map((one: any) => one.name))]));
      expect(rights.Admin.sort()).toEqual(['CREATE', 'DELETE', 'READ', 'UPDATE']);
      expect([rights.User, rights.Readers].flat()).toEqual([]);
      expect((await service.api('POST', '/api/secret', { body: { name: 'a', value: 'x', origins: ['https://a'] } })).status).toBe(201);
      expect((await service.api('GET', '/api/secret/all', { token: (await service.userWith(['SECRET:CREATE'])).token })).status).toBe(403);
    } finally {
      await service.close();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});
