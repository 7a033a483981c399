import type { Need } from '../../platform/access/need';

/** Who may do what with support files. They hold what runs have sent and been answered, so they are for who may read that. Having a workflow executed for one needs its right, too. */
export const supportLogPolicy = {
  read: { all: ['APP:READ', 'CONNECTION:READ'] },
  create: { all: ['APP:CREATE', 'CONNECTION:READ'] },
  delete: 'APP:DELETE',
} as const satisfies Record<string, Need>;
