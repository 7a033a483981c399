import { openBackend } from './backend';
import type { Backend } from './backend';

/** Starts a server over the data directory of the arguments, and reports its address to the parent process. */
export async function serve(start: (backend: Backend) => Promise<string>): Promise<void> {
  const backend = await openBackend(process.argv[2], process.argv[3] === 'lru');
  process.once('disconnect', () => void backend.close().finally(() => process.exit(0)));
  process.send?.(await start(backend));
}
