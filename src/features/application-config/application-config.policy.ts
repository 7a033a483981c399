import type { Need } from '../../platform/access/need';

export const applicationConfigPolicy = {
  read: 'admin',
  update: 'admin',
  restart: 'admin',
} as const satisfies Record<string, Need>;
