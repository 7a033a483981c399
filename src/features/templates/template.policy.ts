import type { Need } from '../../platform/access/need';

/** Who may do what with templates. What is made of a workflow, and made into one, asks for the right to that as well: the service does. */
export const templatePolicy = {
  read: 'SCHEDULE:READ',
  /** Titles and invokers of connectors are put in. */
  readWithConnectors: { all: ['SCHEDULE:READ', 'CONNECTOR:READ'] },
  create: 'SCHEDULE:CREATE',
  update: 'SCHEDULE:UPDATE',
  delete: 'SCHEDULE:DELETE',
} as const satisfies Record<string, Need>;
