import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../src/config/load';
import { createDomain } from '../../src/domain';
import type { Domain } from '../../src/domain';
import { commandActor } from '../../src/platform/access/actor';
import { systemClock } from '../../src/platform/clock/clock';
import { rekey } from '../../src/platform/crypto/sealed-records';
import type { SealedValues } from '../../src/platform/crypto/sealed-records';
import { createInProcessBus } from '../../src/platform/events/bus';
import { createLogger } from '../../src/platform/log/logger';
import { connectStore } from '../../src/platform/store/startup/connect';
import type { ConnectedStore } from '../../src/platform/store/startup/connect';
import { ADMIN_EMAIL, ADMIN_PASSWORD, startService } from '../support/service/harness';
import { everyValue, openedWith, sealedThings } from '../support/documents/sealed-values';
import type { OpenedStore } from '../support/documents/sealed-values';

/** Number of connectors, and of named secrets. */
const EACH = 2;
const ALL = 2 * EACH;
const silent = createLogger({ log: { level: 'silent' } });
let dataDir: string;
let connected: ConnectedStore;

/** The data of a stopped service with connectors and named secrets. */
let original: string;
beforeAll(async () => {
  original = mkdtempSync(join(tmpdir(), 'hypha-rekey-'));
  const service = await startService({
    dataDir: original,
    env: { MONGODB_URI: '', HYPHA_CONNECTOR_MASTER_PASSWORD: 'one' },
  });
  await sealedThings(service, EACH);
  await service.close();
});
afterAll(() => rmSync(original, { recursive: true, force: true }));

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'hypha-rekey-'));
  cpSync(original, dataDir, { recursive: true });
  connected = await connectStore(
    { data: { dir: dataDir, mongodbUri: null, shareStore: false } },
    silent,
    {
      placement: 'inline',
      durability: 'test',
    },
  );
});
afterEach(async () => {
  await connected.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const opened = (masterPassword: string | null): Promise<OpenedStore> =>
  openedWith(connected.store, dataDir, masterPassword);
const all = everyValue(EACH);

it('a key change does not end while another process still seals with the previous key', async () => {
  const [first, second] = [await opened('one'), await opened('one')];
  const late: SealedValues = {
    keysInUse: async () => [second.vault.keyId],
    countOthers: async () => 1,
    resealNext: async () => false,
  };
  await expect(rekey(first.vault, [...first.sealed, late], 'two')).rejects.toThrow(
    'another process still uses it',
  );
  expect(await (await opened('one')).values()).toEqual(all);
});

describe('the command that changes the key', () => {
  async function domainWith(password: string): Promise<Domain> {
    const { config } = loadConfig(
      { ADMIN_EMAIL, ADMIN_PASSWORD, DATA_DIR: dataDir, HYPHA_CONNECTOR_MASTER_PASSWORD: password },
      dataDir,
    );
    const domain = await createDomain({
      config,
      log: silent,
      clock: systemClock,
      bus: createInProcessBus(() => undefined),
      store: connected.store,
    });
    await domain.prepare();
    return domain;
  }

  it('seals everything with the new key, audits it, and leaves no value and no password on the disk', async () => {
    const domain = await domainWith('one');
    const { services } = domain;
    expect(
      await services.rekeying.change(commandActor('root', 'r1'), 'a-password-to-look-for'),
    ).toBe(ALL);
    expect(
      await services.rekeying.change(commandActor('root', 'r2'), 'a-password-to-look-for'),
    ).toBe(0);
    const [event] = await (
      await services.audit.page({ action: 'master-password.change', requestId: 'r1' }, {})
    ).nodes;
    expect([event?.before, event?.after]).toEqual([
      { keyId: 'password-1' },
      { keyId: 'password-2', records: ALL },
    ]);
    await domain.stop();
    const files = readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
      .map((name) => join(dataDir, name))
      .filter((path) => statSync(path).isFile());
    for (const file of files)
      expect([
        file,
        /the-token-of-|the-secret-of-|a-password-to-look-for/.test(readFileSync(file, 'latin1')),
      ]).toEqual([file, false]);
    const next = await domainWith('a-password-to-look-for');
    await next.stop();
    expect(await (await opened('a-password-to-look-for')).values()).toEqual(all);
    await expect(domainWith('one')).rejects.toThrow(
      'Stored credentials are sealed with password-2',
    );
  });
});
