import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedStore } from '@hypha/embedded-mongo';
import { startService } from '../../support/service/harness';

const PATH = '/api/application-config';
const FILE = 'hypha:\n  log:\n    level: info\n';

it('with a MongoDB, changes the file only if all processes read it, and never restarts one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hypha-shared-config-'));
  const file = join(folder, 'application.yml');
  writeFileSync(file, FILE);
  const read = (): string => readFileSync(file, 'utf8');
  const dir = join(folder, 'mongodb');
  const server = await openEmbeddedStore({ dir, placement: 'inline', durability: 'test' });
  const change = { fields: [{ path: 'hypha.log.level', value: 'debug' }] };
  const attempts = async (env: Record<string, string>): Promise<unknown[]> => {
    const one = await startService({
      dataDir: join(folder, 'one'),
      env: {
        CONFIG_FILE: file,
        HYPHA_CONFIG_BACKUP_DIRECTORY: join(folder, 'of-mongodb'),
        MONGODB_URI: server.uri,
        HYPHA_SUPERVISED: 'true',
        ...env,
      },
    });
    try {
      const { applicationConfig } = await one.data(
        '{ applicationConfig { canRestart writeProblems } }',
      );
      const restart = await one.mutate('serviceRestart', {}, 'restarting userErrors { code }');
      return [
        (await one.api('PATCH', PATH, { body: change })).body.message,
        await one.status('GET', `${PATH}/backups`),
        applicationConfig,
        restart.userErrors,
      ];
    } finally {
      await one.close();
    }
  };
  const noRestart = [{ code: 'RESTART_NOT_SUPPORTED' }];
  try {
    expect(await attempts({})).toEqual([
      'CONFIG_FILE_NOT_SHARED',
      200,
      { canRestart: false, writeProblems: [expect.stringContaining('hypha.config.shared')] },
      noRestart,
    ]);
    expect(read()).toBe(FILE);
    expect(await attempts({ HYPHA_CONFIG_SHARED: '1' })).toEqual([
      'The configuration was saved. 1 change waits for a restart of the service.',
      200,
      { canRestart: false, writeProblems: [] },
      noRestart,
    ]);
    expect(read()).not.toBe(FILE);
  } finally {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
