import mongoose from 'mongoose';
import { loadConfig } from '../../../src/config/load';
import { createDomain } from '../../../src/domain';
import type { Domain } from '../../../src/domain';
import { openEmbeddedStore } from '@hypha/embedded-mongo';
import { systemClock } from '../../../src/platform/clock/clock';
import { createInProcessBus } from '../../../src/platform/events/bus';
import { createLogger } from '../../../src/platform/log/logger';
import { connectStore } from '../../../src/platform/store/startup/connect';
import type { ConnectedStore } from '../../../src/platform/store/startup/connect';
import { Store } from '../../../src/platform/store/store';
import { PROGRAMS } from '../service/programs';
import { quickHashes } from '../service/quick-hashes';

interface DomainFixture {
  readonly domain: Domain;
  readonly connection: mongoose.Connection;
  readonly close: () => Promise<void>;
}

/** The domain of a service on its own store, without transports. Its database commands can be observed. */
export async function openDomain(dir: string, isolation: string): Promise<DomainFixture> {
  const server = await openEmbeddedStore({ dir, placement: 'inline', durability: 'test' });
  const connection = await mongoose
    .createConnection(server.uri, { autoIndex: false, autoCreate: false, monitorCommands: true })
    .asPromise();
  const { config } = loadConfig(
    {
      DATA_DIR: dir,
      HYPHA_RUN_ISOLATION: isolation,
      ADMIN_EMAIL: 'admin@hypha.test',
      ADMIN_PASSWORD: 'correct horse battery',
    },
    dir,
  );
  const domain = await createDomain({
    config,
    hashes: quickHashes,
    clock: systemClock,
    bus: createInProcessBus(() => undefined),
    store: new Store(connection, true),
    programs: PROGRAMS,
    log: createLogger({ log: { level: 'silent' } }),
  });
  await domain.prepare();
  return {
    domain,
    connection,
    async close() {
      await domain.stop();
      await connection.close();
      await server.close();
    },
  };
}

/** The domain of a service without its server on a data directory; it is not prepared yet. */
export async function connectDomain(
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
): Promise<{ readonly domain: Domain; readonly connected: ConnectedStore }> {
  const { config } = loadConfig({ DATA_DIR: dataDir, ...env }, dataDir);
  const log = createLogger({ log: { level: 'silent' } });
  const connected = await connectStore(config, log, { placement: 'inline', durability: 'test' });
  const domain = await createDomain({
    config,
    log,
    hashes: quickHashes,
    clock: systemClock,
    bus: createInProcessBus(() => undefined),
    store: connected.store,
  });
  return { domain, connected };
}

/** Settings of a domain that executes runs in its own process, with an administrator. */
export const ONE_PROCESS = {
  HYPHA_RUN_ISOLATION: 'none',
  ADMIN_PASSWORD: 'correct horse battery',
  ADMIN_EMAIL: 'admin@hypha.test',
} as const;
