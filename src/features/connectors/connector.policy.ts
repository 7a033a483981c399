import type { Need } from '../../platform/access/need';

export const connectorPolicy = {
  read: 'CONNECTOR:READ',
  create: 'CONNECTOR:CREATE',
  update: 'CONNECTOR:UPDATE',
  delete: 'CONNECTOR:DELETE',
} as const satisfies Record<string, Need>;

/**
 * A check calls any given address, so reading is not enough. Stored secrets of a connector also
 * require permission to update.
 */
export const CHECK_NEED = {
  any: [connectorPolicy.create, connectorPolicy.update],
} as const satisfies Need;
