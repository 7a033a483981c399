import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openBackend } from './backend';
import type { Backend } from './backend';

/** Starts a server over the data directory of the arguments, and reports its address to the parent process. */
export async function serve(start: (backend: Backend) => Promise<string>): Promise<void> {
  const backend = await openBackend(process.argv[2], process.argv[3] === 'lru');
  process.once('disconnect', () => void backend.close().finally(() => process.exit(0)));
  process.send?.(await start(backend));
}

/** Listens on a free port. Returns the address. */
export async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
