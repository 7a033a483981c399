import { randomUUID } from 'node:crypto';
import { systemUser } from './operate';
import { isInUse } from './running-service';
import type { Config } from '../config/config';
import { createDomain, UNUSED_SECRET } from '../domain';
import type { ImportRequest, ImportResult } from '../features/moving/import.service';
import { commandActor } from '../platform/access/actor';
import { systemClock } from '../platform/clock/clock';
import { createInProcessBus } from '../platform/events/bus';
import { createLogger } from '../platform/log/logger';
import { connectStore } from '../platform/store/connect';
import type { ConnectedStore, EmbeddedPlacement } from '../platform/store/connect';

/**
 * Imports an archive in this process.
 * @param embedded tests run the store in this thread
 * @throws Error with a message for the operator
 */
export async function importHere(
  config: Config,
  request: Omit<ImportRequest, 'prepare'>,
  embedded: Omit<EmbeddedPlacement, 'brief'> = { placement: 'worker', durability: 'full' },
): Promise<ImportResult> {
  const log = createLogger({ log: { level: 'warn' } }, process.stderr);
  const bus = createInProcessBus((error) =>
    log.error({ err: error }, 'a listener of an event failed'),
  );
  const connected = await openStore(config, log, embedded);
  try {
    // No token is read or created here.
    const token = { ...config.token, secret: UNUSED_SECRET };
    const domain = await createDomain({
      config: { ...config, token },
      log,
      clock: systemClock,
      bus,
      store: connected.store,
    });
    try {
      return await domain.services.importing.import(commandActor(systemUser(), randomUUID()), {
        ...request,
        prepare: () => domain.prepareImported(),
      });
    } finally {
      await domain.stop();
    }
  } finally {
    await connected.close();
    bus.close();
  }
}

async function openStore(
  config: Config,
  log: ReturnType<typeof createLogger>,
  embedded: Omit<EmbeddedPlacement, 'brief'>,
): Promise<ConnectedStore> {
  try {
    return await connectStore(config, log, { ...embedded, brief: true });
  } catch (error) {
    if (!isInUse(error)) throw error;
    throw new Error(`${error.message.split(';')[0]}. Stop it before \`hypha import\`.`, {
      cause: error,
    });
  }
}
