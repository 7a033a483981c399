import { fork } from 'node:child_process';
import { once } from 'node:events';

/** A remote system in a process of its own: what it takes is nobody else's. */
export interface RemoteProcess {
  readonly url: string;
  close(): void;
}

/** @param program tells its address when it is up, and lives as long as whoever started it */
export async function remoteProcess(program: string): Promise<RemoteProcess> {
  const child = fork(program);
  const [url] = (await once(child, 'message')) as [string];
  return { url, close: () => void child.kill('SIGTERM') };
}
