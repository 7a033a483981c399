import type { Need } from '../../platform/access/need';

/** Who may do what with connectors. */
export const connectorPolicy = {
  read: 'CONNECTOR:READ',
  create: 'CONNECTOR:CREATE',
  update: 'CONNECTOR:UPDATE',
  delete: 'CONNECTOR:DELETE',
} as const satisfies Record<string, Need>;

/** A check calls whatever address it is given: not for those who only read. With the stored secrets of a connector it takes the right to update. */
export const CHECK_NEED = {
  any: [connectorPolicy.create, connectorPolicy.update],
} as const satisfies Need;
