import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../src/config/load';
import { createDomain } from '../../src/domain';
import type { Domain } from '../../src/domain';
import { createConnectorSealing } from '../../src/features/connectors/connector-sealing';
import { connectorModel } from '../../src/features/connectors/connector.model';
import type { ConnectorRecord } from '../../src/features/connectors/connector.model';
import { createCredentials } from '../../src/features/connectors/credentials';
import { commandActor } from '../../src/platform/access/actor';
import { systemClock } from '../../src/platform/clock/clock';
import { rekey } from '../../src/platform/crypto/rekey';
import type { SealedValues } from '../../src/platform/crypto/rekey';
import { createVault } from '../../src/platform/crypto/vault';
import type { VaultKeys } from '../../src/platform/crypto/vault';
import { createInProcessBus } from '../../src/platform/events/bus';
import { createLogger } from '../../src/platform/log/logger';
import { connectStore } from '../../src/platform/store/connect';
import type { ConnectedStore } from '../../src/platform/store/connect';
import { ADMIN_EMAIL, ADMIN_PASSWORD, startService, unique } from '../support/harness';
import { imported } from '../support/connector-invokers';

const CONNECTORS = 7;
const tokenOf = (at: number): string => `the-token-of-${at}`;
const silent = createLogger({ log: { level: 'silent' } });
let dataDir: string;
let connected: ConnectedStore;

/** The data of a service with connectors, and nobody at it. */
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'hypha-rekey-'));
  const service = await startService({ dataDir, env: { MONGODB_URI: '', HYPHA_CONNECTOR_MASTER_PASSWORD: 'one' } });
  const invoker = await imported(service);
  for (let at = 0; at < CONNECTORS; at += 1) {
    const made = await service.api('POST', '/api/connector', { body: { title: unique('Tickets '), invoker: { name: invoker }, requestData: { url: `https://${at}.example`, token: tokenOf(at) } } });
    expect(made.status).toBe(201);
  }
  await service.close();
  connected = await connectStore({ data: { dir: dataDir, mongodbUri: null } }, silent, { placement: 'inline', durability: 'test' });
});
afterEach(async () => {
  await connected.close();
  rmSync(dataDir, { recursive: true, force: true });
});

/** What a process with this password finds. */
async function opened(masterPassword: string | null): Promise<{ vault: VaultKeys; sealing: SealedValues; tokens: () => Promise<string[]> }> {
  const { store } = connected;
  const vault = createVault({ store, dir: dataDir, masterPassword });
  const credentials = createCredentials(vault);
  const connectors = connectorModel(store);
  const sealing = createConnectorSealing({ store, connectors, credentials });
  await vault.unlock(() => sealing.keysInUse());
  const tokens = async (): Promise<string[]> => (await connectors.find().sort({ _id: 1 }).lean<ConnectorRecord[]>()).map((record) => credentials.opened(record).token);
  return { vault, sealing, tokens };
}
const all = Array.from({ length: CONNECTORS }, (_, at) => tokenOf(at));

/** Dies before it seals record number `records`. */
const dyingAt = (sealing: SealedValues, records: number): SealedValues => {
  let done = 0;
  return {
    keysInUse: () => sealing.keysInUse(),
    resealNext(keyId) {
      if (done === records) throw new Error('died');
      done += 1;
      return sealing.resealNext(keyId);
    },
  };
};

it.each([0, 1, 4, CONNECTORS])('loses nothing when it dies before record %d, whichever password is configured then, and goes on', async (records) => {
  const first = await opened('one');
  await expect(rekey(first.vault, [dyingAt(first.sealing, records)], 'two')).rejects.toThrow('died');
  expect(await first.tokens()).toEqual(all);
  for (const password of ['one', 'two']) {
    const started = await opened(password);
    expect(await started.tokens()).toEqual(all);
  }
  const again = await opened(records % 2 === 0 ? 'one' : 'two');
  expect(await rekey(again.vault, [again.sealing], 'two')).toBe(CONNECTORS - records);
  expect(await again.tokens()).toEqual(all);
  expect(await (await opened('two')).tokens()).toEqual(all);
  await expect(opened('one')).rejects.toThrow('Start with the master password they were stored with');
});

it('does not end while another process still seals with the key before', async () => {
  const [here, there] = [await opened('one'), await opened('one')];
  const late: SealedValues = { keysInUse: async () => [there.vault.keyId], resealNext: async () => false };
  await expect(rekey(here.vault, [here.sealing, late], 'two')).rejects.toThrow('another process still uses it');
  expect(await (await opened('one')).tokens()).toEqual(all);
});

describe('the service of it', () => {
  async function domainWith(password: string): Promise<Domain> {
    const { config } = loadConfig({ ADMIN_EMAIL, ADMIN_PASSWORD, DATA_DIR: dataDir, HYPHA_CONNECTOR_MASTER_PASSWORD: password }, dataDir);
    const domain = await createDomain({ config, log: silent, clock: systemClock, bus: createInProcessBus(() => undefined), store: connected.store });
    await domain.prepare();
    return domain;
  }

  it('seals everything anew, while the service goes on, and records it', async () => {
    const domain = await domainWith('one');
    const { services } = domain;
    expect(await services.rekeying.change(commandActor('root', 'r1'), 'two')).toBe(CONNECTORS);
    expect(await services.rekeying.change(commandActor('root', 'r2'), 'two')).toBe(0);
    const { nodes: [event] } = await services.audit.page({ action: 'master-password.change', requestId: 'r1' }, {});
    expect([event?.before, event?.after]).toEqual([{ keyId: 'password-1' }, { keyId: 'password-2', records: CONNECTORS }]);
    await domain.stop();
    const next = await domainWith('two');
    await next.stop();
    expect(await (await opened('two')).tokens()).toEqual(all);
    await expect(domainWith('one')).rejects.toThrow('Stored credentials are sealed with password-2');
  });

  it('leaves no value and no password on the disk', async () => {
    const domain = await domainWith('one');
    await domain.services.rekeying.change(commandActor('root', 'r1'), 'a-password-to-look-for');
    await domain.stop();
    const files = readdirSync(dataDir, { recursive: true, encoding: 'utf8' }).map((name) => join(dataDir, name)).filter((path) => statSync(path).isFile());
    for (const file of files) expect([file, /the-token-of-|a-password-to-look-for/.test(readFileSync(file, 'latin1'))]).toEqual([file, false]);
  });
});
