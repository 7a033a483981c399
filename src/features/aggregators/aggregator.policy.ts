import type { Need } from '../../platform/access/need';

/** Aggregators have the permissions of workflows. */
export const aggregatorPolicy = {
  read: 'CONNECTION:READ',
  create: 'CONNECTION:CREATE',
  update: 'CONNECTION:UPDATE',
  delete: 'CONNECTION:DELETE',
} as const satisfies Record<string, Need>;

/** One REST route creates and changes; the service checks which permission is needed. */
export const SAVE_AGGREGATOR_NEED = {
  any: [aggregatorPolicy.create, aggregatorPolicy.update],
} as const satisfies Need;
