import type { Need } from '../../platform/access/need';

export const assistantPolicy = {
  /** The 4.x client reads the version all the time, for every user. */
  read: 'authenticated',
  update: 'admin',
} as const satisfies Record<string, Need>;
