import { existsSync } from 'node:fs';

/**
 * A program of `dist/` that a test starts.
 * @throws Error if it is not built
 */
export function built(program: string): string {
  if (!existsSync(program)) throw new Error('dist/ is not built: run `npm run build`.');
  return program;
}
