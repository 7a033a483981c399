import type { Need } from '../../platform/access/need';

/**
 * Permissions for named secrets. Using one in a workflow requires only permission to update the
 * workflow.
 */
export const secretPolicy = {
  read: 'SECRET:READ',
  create: 'SECRET:CREATE',
  update: 'SECRET:UPDATE',
  delete: 'SECRET:DELETE',
} as const satisfies Record<string, Need>;
