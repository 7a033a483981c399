import type { Need } from '../../platform/access/need';

export const invokerPolicy = {
  read: 'INVOKER:READ',
  create: 'INVOKER:CREATE',
  update: 'INVOKER:UPDATE',
  delete: 'INVOKER:DELETE',
} as const satisfies Record<string, Need>;

/** An import may add and replace; the service checks the permissions for what it does. */
export const IMPORT_NEED = { any: ['INVOKER:CREATE', 'INVOKER:UPDATE'] } as const satisfies Need;
