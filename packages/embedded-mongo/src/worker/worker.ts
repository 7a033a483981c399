import { parentPort, workerData } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import { SpaceReport } from '../directory/space-report';
import { StoreError } from '../errors';
import { openStore } from '../open-store';
import type { EmbeddedStore } from '../open-store';
import { ChangeCounters } from '../storage/change-counters';
import { ExitGuard } from './exit-guard';
import type { Answer, Request, WorkerStart } from './worker-protocol';

/** Worker thread with the store, so that sorts and fsync do not block the service. */
async function main(
  port: MessagePort,
  { options, exitMemory, changeMemory, spaceMemory }: WorkerStart,
): Promise<void> {
  const post = (answer: Answer): void => port.postMessage(answer);
  try {
    const store = await openStore(
      options,
      (level, message, detail) => post({ kind: 'log', level, message, detail }),
      {
        enter: new ExitGuard(exitMemory).enter,
        changes: new ChangeCounters(changeMemory),
        space: new SpaceReport(spaceMemory),
      },
    );
    port.on('message', (request: Request) => {
      void execute(store, request).then((error) => {
        post({ kind: 'done', id: request.id, error });
        // The thread ends when the port is closed.
        if (request.call === 'close') port.close();
      });
    });
    store.failed.catch((error: unknown) => post({ kind: 'lost', message: messageOf(error) }));
    post({ kind: 'ready', uri: store.uri });
  } catch (error) {
    const code = error instanceof StoreError ? error.code : undefined;
    post({ kind: 'failed', message: messageOf(error), code });
  }
}

/** Returns the message of an error. */
async function execute(store: EmbeddedStore, request: Request): Promise<string | undefined> {
  try {
    await (request.call === 'backup' ? store.backup(request.targetDir) : store.close());
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

if (parentPort !== null) void main(parentPort, workerData as WorkerStart);
