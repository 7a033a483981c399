import { join } from 'node:path';

const compiled = (path: string): string => join(__dirname, '../../dist', path);

/** Compiled programs and threads: what the tests compile themselves is no file that could be started. */
export const RUN_PROGRAM = compiled('features/runs/execution/pool/run-child.js');
export const SANDBOX_PROGRAM = compiled('platform/scripts/sandbox-worker.js');
export const PROGRAMS = {
  run: RUN_PROGRAM,
  sandbox: SANDBOX_PROGRAM,
  input: compiled('input-process.js'),
};
/** Sandboxes on slow machines. */
export const SLOW_SANDBOXES = {
  memory: join(__dirname, 'slow-memory-sandbox.cjs'),
  start: join(__dirname, 'slow-start-sandbox.cjs'),
};
