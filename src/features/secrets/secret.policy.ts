import type { Need } from '../../platform/access/need';

/** Who may do what with named secrets. To use one in a workflow takes the right to update the workflow, and none of these. */
export const secretPolicy = {
  read: 'SECRET:READ',
  create: 'SECRET:CREATE',
  update: 'SECRET:UPDATE',
  delete: 'SECRET:DELETE',
} as const satisfies Record<string, Need>;
