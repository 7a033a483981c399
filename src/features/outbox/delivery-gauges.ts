import type { Gauge } from '../../platform/metrics/metrics';
import type { DeliveryState } from './delivery.events';
import { DELIVERY_STATES } from './delivery.events';
import type { Outbox } from './outbox';

/** Metrics of the messages in the outbox, of all processes on this store. */
export const deliveryGauges = ({ deliveries }: Pick<Outbox, 'deliveries'>): readonly Gauge[] => [
  {
    name: 'hypha_outbox_messages',
    help: 'Messages in the outbox, by state. Sent and failed ones are kept for 30 days.',
    labels: ['state'],
    read: () =>
      Promise.all(
        (Object.keys(DELIVERY_STATES) as DeliveryState[]).map(async (state) => ({
          labels: { state },
          value: await deliveries.count({ state }),
        })),
      ),
  },
];
