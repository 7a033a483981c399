import type { Need } from '../../platform/access/need';

/** Who may do what with workflows. */
export const workflowPolicy = {
  read: 'CONNECTION:READ',
  create: 'CONNECTION:CREATE',
  update: 'CONNECTION:UPDATE',
  delete: 'CONNECTION:DELETE',
} as const satisfies Record<string, Need>;

/** One mutation creates and updates; the service asks for the one it is. */
export const SAVE_NEED = {
  any: ['CONNECTION:CREATE', 'CONNECTION:UPDATE'],
} as const satisfies Need;

/** A copy shows what was copied. */
export const DUPLICATE_NEED = {
  all: [workflowPolicy.create, workflowPolicy.read],
} as const satisfies Need;
