import type { Need } from '../../platform/access/need';

/** Who may change groups may change the permissions that they grant. */
export const permissionPolicy = {
  read: 'USERGROUP:READ',
  create: 'USERGROUP:CREATE',
  update: 'USERGROUP:UPDATE',
  delete: 'USERGROUP:DELETE',
} as const satisfies Record<string, Need>;
