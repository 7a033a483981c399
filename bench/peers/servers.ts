import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { startProbedService } from '../service/probed-service';
import { megabytes, processorMs } from '../service/processes';
import { WITH_LRU } from './cases';
import type { ServerName } from './cases';
import { copyDirectory, TOKEN_SECRET } from './data';
import type { LoadOrder, LoadReport, LoadRequest, SendOrder } from './load';

/** A server under test, in a process of its own with its own copy of the data. */
export interface RunningServer {
  readonly url: string;
  /** User and system time of all its threads so far, ms. */
  processor(): number;
  /** Resident memory, 10^6 bytes. */
  memory(): number;
  /** Keeps an answer, if it is the server that only sends prepared bytes. */
  prepare(request: LoadRequest, text: string): Promise<void>;
  close(): Promise<void>;
}

/** Starts a program of this folder. */
export const forked = (program: string, args: readonly string[] = []): ChildProcess =>
  fork(join(__dirname, program), args, { env: { ...process.env, NODE_ENV: 'production' } });

/** Returns the next message of a process; rejects if the process ends first. */
export async function firstMessage<T>(child: ChildProcess): Promise<T> {
  const over = new AbortController();
  const message = once(child, 'message', over) as Promise<[T]>;
  const ended = once(child, 'exit', over).then(([code]) => {
    throw new Error(`The process ended with ${code}.`);
  });
  try {
    const [first] = await Promise.race([message, ended]);
    return first;
  } finally {
    over.abort();
  }
}

const measured = (pid: number) => ({
  processor: () => processorMs(pid),
  memory: () => megabytes(pid).resident,
});

/** @param template the data directory, which is copied to `dataDir` */
export async function startServer(
  name: ServerName,
  template: string,
  dataDir: string,
): Promise<RunningServer> {
  copyDirectory(template, dataDir);
  if (name === 'hypha') {
    const service = await startProbedService({
      DATA_DIR: dataDir,
      HYPHA_TOKEN_SECRET: TOKEN_SECRET,
    });
    return {
      url: service.url,
      ...measured(service.pid),
      prepare: () => Promise.resolve(),
      close: () => service.close(),
    };
  }
  const child = forked(`servers/${WITH_LRU[name] ?? name}.js`, [
    dataDir,
    ...(name in WITH_LRU ? ['lru'] : []),
  ]);
  const url = await firstMessage<string>(child);
  return {
    url,
    ...measured(child.pid ?? 0),
    async prepare({ path, body = '' }, text) {
      if (name !== 'ceiling') return;
      child.send([`${path} ${body}`, text]);
      await firstMessage(child);
    },
    async close() {
      const exit = once(child, 'exit');
      child.disconnect();
      await exit;
    },
  };
}

/** The process that sends the requests. */
export function startLoad() {
  const child = forked('load.js');
  const order = (message: LoadOrder): void => void child.send(message);
  return {
    define: (name: string, requests: readonly LoadRequest[]) => order({ define: name, requests }),

    /** Sends the requests of a name for a time, beginning with one of them. Returns how many were sent. */
    async send({ send: name, origin, ...more }: SendOrder): Promise<number> {
      order({ send: name, origin, ...more });
      const report = await firstMessage<LoadReport>(child);
      if ('failure' in report) throw new Error(`${name} at ${origin}: ${report.failure}`);
      return report.sent;
    },

    close: () => child.disconnect(),
  };
}

export type Load = ReturnType<typeof startLoad>;
