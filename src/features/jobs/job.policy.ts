import type { Need } from '../../platform/access/need';

/** Who may do what with jobs. Whose jobs somebody sees, `maySeeJob` says: his own, and administrators all. */
export const jobPolicy = {
  read: 'authenticated',
  cancel: 'authenticated',
} as const satisfies Record<string, Need>;
