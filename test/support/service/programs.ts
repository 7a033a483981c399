import { join } from 'node:path';

const compiled = (path: string): string => join(__dirname, '../../../dist', path);

/** Compiled programs and threads, since the tests run sources that cannot be started as files. */
export const RUN_PROGRAM = compiled('run-process.js');
export const SANDBOX_PROGRAM = compiled('platform/scripts/sandbox-worker.js');
export const PROGRAMS = {
  run: RUN_PROGRAM,
  sandbox: SANDBOX_PROGRAM,
  input: compiled('input-process.js'),
};
/** Sandboxes that simulate slow machines. */
export const SLOW_SANDBOXES = {
  memory: join(__dirname, 'slow-memory-sandbox.cjs'),
  start: join(__dirname, 'slow-start-sandbox.cjs'),
};
