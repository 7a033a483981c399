import { parentPort, workerData } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { ExitHandshake } from './exit-handshake';
import { runStore } from './running';
import type { RunningStore } from './running';
import { StoreError } from './semantics/errors';
import type { Answer, Request, WorkerStart } from './worker-protocol';

/** Worker thread with the store, so that sorts and fsync do not block the service. */
async function main(port: MessagePort, { options, exitMemory }: WorkerStart): Promise<void> {
  const tell = (answer: Answer): void => port.postMessage(answer);
  const handshake = new ExitHandshake(exitMemory);
  try {
    const store = await runStore(
      options,
      (level, message, detail) => tell({ kind: 'log', level, message, detail }),
      handshake.enter,
    );
    port.on('message', (request: Request) => void serve(store, request, port));
    store.failed.catch((error: unknown) => tell({ kind: 'lost', message: messageOf(error) }));
    tell({ kind: 'ready', uri: store.uri });
  } catch (error) {
    const known = error instanceof StoreError ? { code: error.code, codeName: error.codeName } : {};
    tell({ kind: 'failed', message: messageOf(error), ...known });
  }
}

/** After closing, the thread ends by itself. */
async function serve(store: RunningStore, request: Request, port: MessagePort): Promise<void> {
  let error: string | undefined;
  try {
    if (request.call === 'backup') await store.backup(request.targetDir);
    else await store.close();
  } catch (failure) {
    error = messageOf(failure);
  }
  port.postMessage({ kind: 'done', id: request.id, error } satisfies Answer);
  if (request.call === 'close') port.close();
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

if (parentPort !== null) void main(parentPort, workerData as WorkerStart);
