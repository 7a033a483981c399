import type { Need } from '../../platform/access/need';

export const systemSettingPolicy = {
  /** Clients apply them for every user. */
  read: 'authenticated',
  change: 'admin',
} as const satisfies Record<string, Need>;
