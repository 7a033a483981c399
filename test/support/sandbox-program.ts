import { join } from 'node:path';

/** The thread of a script is compiled, also where the service is not: `npm test` builds it. */
export const SANDBOX_PROGRAM = join(__dirname, '../../dist/platform/scripts/sandbox-worker.js');
