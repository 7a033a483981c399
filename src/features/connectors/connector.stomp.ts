import type { Services } from '../../platform/context';
import type { Presenters } from '../../platform/http/presenters';
import type { Destination } from '../../platform/http/dialects/destination';
import { connectorPolicy } from './connector.policy';

/** The state of each connector that was checked or changed. */
export const connectorDestinations = (
  { connectorStates }: Pick<Services, 'connectorStates'>,
  { connectors: shown }: Presenters,
): Destination[] => [
  {
    path: '/connector/status',
    needs: connectorPolicy.read,
    async *messages({ signal, baseUrl }) {
      for await (const record of connectorStates.changes(signal))
        yield shown.state(record, baseUrl);
    },
  },
];
