import type { ReachedService } from '../support/service/harness';
import { imported } from '../support/documents/connector-invokers';
import { hypha } from '../support/service/hypha';
import type { Ended } from '../support/service/hypha';
import { folderOfServices } from '../support/service/folder-of-services';
import { readyUrl } from '../support/process';

describe('hypha secrets rekey', () => {
  const services = folderOfServices('hypha-cli-secrets-');
  const { folder, path, stop, reach } = services;
  const env = (password: string | null): Record<string, string> =>
    password === null ? {} : { HYPHA_CONNECTOR_MASTER_PASSWORD: password };
  const start = (password: string | null) => services.start('data', env(password));
  const rekey = (password: string | null, input: string, ...more: string[]): Promise<Ended> =>
    hypha(['secrets', 'rekey', ...more], {
      cwd: folder,
      env: { DATA_DIR: path('data'), ...env(password) },
      input,
    });
  const tokenOf = async (service: ReachedService, password: string): Promise<unknown> =>
    (
      await service.api('GET', '/api/connector/all', {
        headers: { 'X-Master-Password': password },
      })
    ).body.map(({ requestData }: any) => requestData.token);

  it('changes the key of a running and of a stopped service, and shows its progress', async () => {
    const first = start('one');
    const service = await reach(first);
    const body = {
      title: 'Tickets',
      invoker: { name: await imported(service) },
      requestData: { url: 'https://a.example', token: 'the-token' },
    };
    expect((await service.api('POST', '/api/connector', { body })).status).toBe(201);

    expect(await rekey('one', 'no\u00e9\n')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('A master password has 1 to 256 printable ASCII characters'),
    });
    expect(await rekey('one', 'two\n')).toMatchObject({
      code: 0,
      stdout: 're-encrypted: 1 records with the new master password\n',
      stderr: expect.stringMatching(/^1 of 1 records\n.*HYPHA_CONNECTOR_MASTER_PASSWORD/),
    });
    // The running service opens and stores values with the new key.
    expect(await tokenOf(service, 'one')).toEqual(['the-token']);
    await stop(first);

    const refused = start('one');
    expect((await refused.exit).code).toBe(69);
    const second = start('two');
    expect(await tokenOf(await reach(second), 'two')).toEqual(['the-token']);
    await stop(second);

    expect(await rekey('one', 'three\n')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Start with the master password they were stored with'),
    });
    expect(await rekey('two', 'three\n')).toMatchObject({ code: 0 });
    expect(await rekey('three', '', '--key-file')).toMatchObject({
      code: 0,
      stdout: 're-encrypted: 1 records with the key file\n',
    });
    const third = start(null);
    await readyUrl(third);
    await stop(third);
  });
});
