import type { Need } from '../../platform/access/need';

export const ldapPolicy = {
  readConfig: 'admin',
  test: 'admin',
} as const satisfies Record<string, Need>;
