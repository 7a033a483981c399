import type { Need } from '../../platform/access/need';

export const workflowPolicy = {
  read: 'CONNECTION:READ',
  create: 'CONNECTION:CREATE',
  update: 'CONNECTION:UPDATE',
  delete: 'CONNECTION:DELETE',
} as const satisfies Record<string, Need>;

/** A copy reveals the content of the original, so reading is needed too. */
export const DUPLICATE_NEED = {
  all: [workflowPolicy.create, workflowPolicy.read],
} as const satisfies Need;
