import type { Need } from '../../platform/access/need';

/**
 * Categories have the permissions of workflows, so deleting a category with its workflows needs no
 * other one.
 */
export const categoryPolicy = {
  read: 'CONNECTION:READ',
  create: 'CONNECTION:CREATE',
  update: 'CONNECTION:UPDATE',
  delete: 'CONNECTION:DELETE',
} as const satisfies Record<string, Need>;
