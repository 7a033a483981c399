import type { Space } from '@hypha/embedded-mongo';
import { readDiskSpace } from '../../files/disk-space';
import type { Gauge } from '../../metrics/metrics';
import type { ConnectedStore } from './connect';

const embeddedGauges = (space: () => Space): readonly Gauge[] => [
  {
    name: 'hypha_store_used_bytes',
    help: 'Bytes in use in the file of the embedded store; the rest of it is reused.',
    read: () => [{ value: space().usedBytes }],
  },
  {
    name: 'hypha_store_full',
    help: '1 while most writes are refused because the disk is full.',
    read: () => [{ value: space().level === 'enough' ? 0 : 1 }],
  },
];

/** Metrics of the store: what this process commits, and the size of the database. */
export const storeGauges = (
  { store, size, space }: ConnectedStore,
  dataDir: string,
): readonly Gauge[] => [
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
  {
    name: 'hypha_disk_free_bytes',
    help: 'Free space on the disk of DATA_DIR.',
    read: async () => [{ value: (await readDiskSpace(dataDir)).freeBytes }],
  },
  ...(space === null ? [] : embeddedGauges(space)),
];
