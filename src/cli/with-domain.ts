import type { Config } from '../config/config';
import { createDomain, UNUSED_SECRET } from '../domain';
import type { Domain } from '../domain';
import { systemClock } from '../platform/clock/clock';
import { createInProcessBus } from '../platform/events/bus';
import { createLogger } from '../platform/log/logger';
import { connectStore } from '../platform/store/startup/connect';
import type { EmbeddedPlacement } from '../platform/store/startup/connect';

/** How a command opens an embedded store. */
export type CommandPlacement = Omit<EmbeddedPlacement, 'brief'>;

const DURABLE: CommandPlacement = { placement: 'worker', durability: 'full' };

/**
 * Runs `work` in this process with the services on the store of the configuration, and closes both.
 * @param embedded tests run the store in this thread
 * @throws StoreError if another process holds the data directory
 */
export async function withDomain<R>(
  config: Config,
  work: (domain: Domain) => Promise<R>,
  embedded: CommandPlacement = DURABLE,
): Promise<R> {
  const log = createLogger({ log: { level: 'warn' } }, process.stderr);
  const bus = createInProcessBus((error) =>
    log.error({ err: error }, 'a listener of an event failed'),
  );
  const connected = await connectStore(config, log, { ...embedded, brief: true });
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
      return await work(domain);
    } finally {
      await domain.stop();
    }
  } finally {
    await connected.close();
    bus.close();
  }
}
