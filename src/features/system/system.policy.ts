import type { Need } from '../../platform/access/need';

export const systemPolicy = {
  /** Clients of the released versions read it for every user. Only administrators see details. */
  readHealth: 'authenticated',
  read: 'APP:READ',
  readProcesses: 'admin',
} as const satisfies Record<string, Need>;
