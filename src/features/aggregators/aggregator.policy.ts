import type { Need } from '../../platform/access/need';

/** Who may do what with aggregators: they belong to workflows. */
export const aggregatorPolicy = {
  read: 'CONNECTION:READ',
  create: 'CONNECTION:CREATE',
  update: 'CONNECTION:UPDATE',
  delete: 'CONNECTION:DELETE',
} as const satisfies Record<string, Need>;

/** One address of REST adds and changes; the service asks for the one it is. */
export const SAVE_AGGREGATOR_NEED = {
  any: [aggregatorPolicy.create, aggregatorPolicy.update],
} as const satisfies Need;
