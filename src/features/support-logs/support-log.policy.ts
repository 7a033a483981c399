import type { Need } from '../../platform/access/need';

/**
 * Permissions for support files. The files contain requests and responses of runs, so they require
 * the permission to read those.
 * Executing the workflow for a support file also requires the permission to execute it.
 */
export const supportLogPolicy = {
  read: { all: ['APP:READ', 'CONNECTION:READ'] },
  create: { all: ['APP:CREATE', 'CONNECTION:READ'] },
  delete: 'APP:DELETE',
} as const satisfies Record<string, Need>;
