import type { Gauge } from '../metrics/metrics';
import type { ConnectedStore } from './connect';

/** Metrics of the store: what this process commits, and the size of the database. */
export const storeGauges = ({ store, size }: ConnectedStore): readonly Gauge[] => [
  {
    name: 'hypha_store_transactions_total',
    help: 'Transactions of this process, by outcome. Repeated after a conflict, one counts once.',
    labels: ['outcome'],
    type: 'counter',
    read: () =>
      Object.entries(store.transactions).map(([outcome, value]) => ({
        labels: { outcome },
        value,
      })),
  },
  {
    name: 'hypha_store_size_bytes',
    help: 'Size of the database on the disk.',
    read: async () => [{ value: await size() }],
  },
];
