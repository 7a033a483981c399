import { randomUUID } from 'node:crypto';
import { withDomain } from './with-domain';
import type { CommandPlacement } from './with-domain';
import type { Config } from '../config/config';
import { perform } from '../platform/control/command';
import type { ControlAnswer, ControlRequest, Report } from '../platform/control/command';

/**
 * Runs a command in this process on the store of the service, with the rules of the service.
 * @throws StoreError if another process holds the data directory
 */
export const performHere = (
  config: Config,
  request: ControlRequest,
  report?: Report,
  embedded?: CommandPlacement,
): Promise<ControlAnswer> =>
  withDomain(
    config,
    async (domain) => {
      if (!(await domain.prepareForCommands()))
        throw new Error(
          'The service was never started with this store. Start it once, then run the command again.',
        );
      return perform(domain.commands, request, randomUUID(), report);
    },
    embedded,
  );
