import { fork } from 'node:child_process';
import { once } from 'node:events';

/** A remote system in a separate process, so that its load is not counted for the service. */
interface RemoteProcess {
  readonly url: string;
  close(): void;
}

/** @param program reports its address when it listens, and exits with its parent */
export async function remoteProcess(program: string): Promise<RemoteProcess> {
  const child = fork(program);
  const [url] = (await once(child, 'message')) as [string];
  return { url, close: () => void child.kill('SIGTERM') };
}
