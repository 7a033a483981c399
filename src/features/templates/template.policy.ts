import type { Need } from '../../platform/access/need';

/**
 * Permissions of templates. To convert from or to a workflow, the service checks the workflow
 * permission too.
 */
export const templatePolicy = {
  read: 'SCHEDULE:READ',
  /** The response contains titles and invokers of connectors. */
  readWithConnectors: { all: ['SCHEDULE:READ', 'CONNECTOR:READ'] },
  create: 'SCHEDULE:CREATE',
  update: 'SCHEDULE:UPDATE',
  delete: 'SCHEDULE:DELETE',
} as const satisfies Record<string, Need>;
