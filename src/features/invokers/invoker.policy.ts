import type { Need } from '../../platform/access/need';

/** Who may do what with invokers. */
export const invokerPolicy = {
  read: 'INVOKER:READ',
  create: 'INVOKER:CREATE',
  update: 'INVOKER:UPDATE',
  delete: 'INVOKER:DELETE',
} as const satisfies Record<string, Need>;

/** An import adds and replaces; the service asks for what it comes to. */
export const IMPORT_NEED = { any: ['INVOKER:CREATE', 'INVOKER:UPDATE'] } as const satisfies Need;
