import { existsSync } from 'node:fs';

/**
 * A program of `dist/`, for tests that start it: without it they would wait for what never comes.
 * @throws Error when nobody has built it
 */
export function built(program: string): string {
  if (!existsSync(program)) throw new Error('dist/ is not built: run `npm run build`.');
  return program;
}
