import type { Need } from '../../platform/access/need';

/** Who may do what with runs. */
export const runPolicy = {
  read: 'CONNECTION:READ',
  start: 'CONNECTION:UPDATE',
  cancel: 'CONNECTION:UPDATE',
} as const satisfies Record<string, Need>;
