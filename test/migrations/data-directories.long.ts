import { rmSync } from 'node:fs';
import { VERSION } from '../../src/platform/version';
import { codeOf } from '../support/calls/account-calls';
import { started } from '../support/documents/workflows';
import type { RemoteSystem } from '../support/peers/remote-system';
import { ADMIN_EMAIL, ADMIN_PASSWORD, startService } from '../support/service/harness';
import type { TestService } from '../support/service/harness';
import { startDateAt } from '../support/service/moving-clock';
import { ended } from '../support/service/watch';
import { unpackDataDirectory, writtenVersions } from '../support/store/data-directory';
import { remoteBehindProxy, settingsWith } from '../support/store/filled-data-directory';
import type { WrittenRecords } from '../support/store/filled-data-directory';
import { readRecords } from '../support/store/read-records';

it('the version of package.json has a data directory', () => {
  expect(writtenVersions()).toContain(VERSION);
});

/* The data directories that releases wrote. `scripts/fill-data-directory.mjs` adds one for each release. */
describe.each(writtenVersions())('a data directory of version %s', (version) => {
  let dataDir: string;
  let written: WrittenRecords;
  let remote: RemoteSystem;
  let service: TestService;
  const start = async (): Promise<void> => {
    service = await startService({ dataDir, env: { ...settingsWith(remote), MONGODB_URI: '' } });
  };

  beforeAll(async () => {
    ({ dataDir, written } = await unpackDataDirectory(version));
    startDateAt(new Date(written.writtenAt));
    remote = await remoteBehindProxy();
    await start();
  });
  afterAll(async () => {
    await service?.close();
    await remote?.close();
    jest.useRealTimers();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('shows all its records', async () => {
    expect(await readRecords(service, written.filled)).toMatchObject(written.records);
  });

  it('still has its passwords, second factors, API tokens and webhooks', async () => {
    const { user, apiToken, webhook, planted } = written.filled;
    const { sessionId } = await service.body('POST', '/login', {
      token: null,
      body: { email: user.email, password: user.password },
    });
    expect(sessionId).toEqual(expect.any(String));
    expect(
      await service.status('POST', '/totp-validate', {
        token: null,
        body: { sessionId, code: codeOf(planted['second factor'], Date.now() + 30_000) },
      }),
    ).toBe(200);
    expect(await service.status('GET', '/api/user/all', { token: `Bearer ${apiToken}` })).toBe(200);
    expect(await service.status('POST', webhook, { token: null, body: { name: 'Bob' } })).toBe(200);
  });

  it('has the credentials and secrets that a run sends', async () => {
    remote.forget();
    const run = await ended(service, await started(service, written.callingId, true));
    expect(run.state).toBe('SUCCEEDED');
    const { credential, 'named secret': secret } = written.filled.planted;
    const sent = remote.received.filter(({ path }) => /\/me$|\/echo$/.test(path));
    expect(sent.map(({ headers }) => headers.authorization ?? headers['x-secret'])).toEqual(
      expect.arrayContaining([`Bearer ${credential}`, secret]),
    );
  });

  it('keeps changes over a restart', async () => {
    const { workflowId } = written.filled;
    const path = `/api/connection/${workflowId}`;
    expect(await service.status('POST', `${path}/undo`)).toBe(200);
    const { description } = await service.body('GET', path);
    expect(description).toBeNull();
    await service.close();
    await start();
    expect(await service.body('GET', path)).toMatchObject({ description });
    expect(await service.login(ADMIN_EMAIL, ADMIN_PASSWORD)).toMatch(/^Bearer /);
  });
});
