import { randomUUID } from 'node:crypto';
import type { Config } from '../config/config';
import { createDomain, UNUSED_SECRET } from '../domain';
import { systemClock } from '../platform/clock/clock';
import { perform } from '../platform/control/command';
import type { ControlAnswer, ControlRequest, Report } from '../platform/control/command';
import { createInProcessBus } from '../platform/events/bus';
import { createLogger } from '../platform/log/logger';
import { connectStore } from '../platform/store/connect';
import type { EmbeddedPlacement } from '../platform/store/connect';

/**
 * Runs a command in this process on the store of the service, with the rules of the service.
 * @param embedded tests run the store in this thread
 * @throws StoreError if another process holds the data directory
 */
export async function performHere(
  config: Config,
  asked: ControlRequest,
  report?: Report,
  embedded: Omit<EmbeddedPlacement, 'brief'> = { placement: 'worker', durability: 'full' },
): Promise<ControlAnswer> {
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
      if (!(await domain.prepareForCommands()))
        throw new Error(
          'The service was never started with this store. Start it once, then run the command again.',
        );
      return await perform(domain.commands, asked, randomUUID(), report);
    } finally {
      await domain.stop();
    }
  } finally {
    await connected.close();
    bus.close();
  }
}
