import type { Need } from '../../platform/access/need';

/** Who may do what with categories: they belong to workflows. A deletion with everything in it needs no more, since its right deletes workflows too. */
export const categoryPolicy = {
  read: 'CONNECTION:READ',
  create: 'CONNECTION:CREATE',
  update: 'CONNECTION:UPDATE',
  delete: 'CONNECTION:DELETE',
} as const satisfies Record<string, Need>;
