import { fork } from 'node:child_process';
import { once } from 'node:events';

/** What a peer is asked over its channel; it answers each with one message. */
type Question =
  | { readonly ask: 'processor' | 'memory' }
  | { readonly ask: 'event'; readonly of: Topic; readonly nth: number };

/** Events that the sockets subscribe to: of a run, or of the dashboard. */
export type Topic = 'run' | 'dashboard';

/** What a peer tells when it is up. */
export interface Address {
  readonly url: string;
  /** Of all sessions; a socket takes the next. */
  readonly tokens: readonly string[];
  /** Id of the run that is followed, and the last of its events so far. */
  readonly runId: string;
  readonly sequence: number;
}

/** One of the servers that are compared, in a process of its own. */
export interface Peer extends Address {
  /** User and system time of all its threads so far, ms. */
  processor(): Promise<number>;
  /** Bytes that are alive, after a collection. */
  memory(): Promise<number>;
  publish(topic: Topic, nth: number): Promise<void>;
  close(): Promise<void>;
}

export async function startPeer(program: string): Promise<Peer> {
  const child = fork(program, { execArgv: ['--expose-gc'] });
  const [address] = (await once(child, 'message')) as [Address];
  const ask = async (question: Question): Promise<number> => {
    child.send(question);
    const [answer] = (await once(child, 'message')) as [number];
    return answer;
  };
  return {
    ...address,
    processor: () => ask({ ask: 'processor' }),
    memory: () => ask({ ask: 'memory' }),
    publish: async (of, nth) => void (await ask({ ask: 'event', of, nth })),
    async close() {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

/** The server side: answers requests until the parent process disconnects. */
export function answerAs(
  address: Address,
  publish: (topic: Topic, nth: number) => void,
  close: () => Promise<void>,
): void {
  process.on('message', (question: Question) => {
    if (question.ask === 'event') publish(question.of, question.nth);
    process.send?.(question.ask === 'memory' ? alive() : processorMs());
  });
  process.once('disconnect', () => void close().finally(() => process.exit(0)));
  process.send?.(address);
}

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function alive(): number {
  for (let time = 0; time < 3; time += 1) globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
