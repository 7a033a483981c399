/* What most would build: `graphql-ws` with graphql-js and ws, a queue for each subscriber, no sessions and no rights. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buildSchema } from 'graphql';
import { useServer } from 'graphql-ws/use/ws';
import { sign } from 'jsonwebtoken';
import { WebSocketServer } from 'ws';
import { stepFinished } from './events';
import { answerAs } from './peer';
import type { Topic } from './peer';

const schema = buildSchema(`
  type Query { open: String }
  interface RunEvent { runId: ID! sequence: Int! at: String! }
  type StepError { code: String! message: String! }
  type StepFinished implements RunEvent {
    runId: ID! sequence: Int! at: String! stepId: ID index: String! loopIndex: [Int!]! state: String! statusCode: Int durationMs: Int! error: StepError
  }
  type TimelinePoint { date: String! executions: Int! failures: Int! }
  type TopWorkflow { executions: Int! }
  type RunningRun { startedAt: String! }
  type Dashboard { timeline: [TimelinePoint!]! topWorkflows: [TopWorkflow!]! runningNow: [RunningRun!]! }
  type Subscription { runEvents(runId: ID!, afterSequence: Int!): RunEvent! dashboard: Dashboard! }
`);

const queues: Record<Topic, Set<Queue>> = { run: new Set(), dashboard: new Set() };

/** The events of one subscriber. */
class Queue implements AsyncIterableIterator<object> {
  private readonly waiting: object[] = [];
  private reader: ((result: IteratorResult<object>) => void) | null = null;

  constructor(private readonly topic: Topic) {
    queues[topic].add(this);
  }

  push(event: object): void {
    if (this.reader) this.reader({ done: false, value: event });
    else this.waiting.push(event);
    this.reader = null;
  }

  next(): Promise<IteratorResult<object>> {
    const event = this.waiting.shift();
    return event
      ? Promise.resolve({ done: false, value: event })
      : new Promise((resolve) => {
          this.reader = resolve;
        });
  }

  return(): Promise<IteratorResult<object>> {
    queues[this.topic].delete(this);
    this.reader?.({ done: true, value: undefined });
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

const DAYS = [
  '2026-05-01',
  '2026-05-02',
  '2026-05-03',
  '2026-05-04',
  '2026-05-05',
  '2026-05-06',
  '2026-05-07',
];
const snapshot = () => ({
  timeline: DAYS.map((date) => ({ date, executions: 0, failures: 0 })),
  topWorkflows: [],
  runningNow: [{ startedAt: new Date().toISOString() }],
});

/** Not checked; its clients send it so that they send as many bytes as signed-in ones. */
const TOKEN = sign(
  { sub: 'admin@hypha.test', userId: 1, role: 'Admin', sessionTime: 1_800_000, jti: randomUUID() },
  'a secret of thirty-two bytes or more',
  { expiresIn: '1h' },
);

const server = createServer();
const roots = { runEvents: () => new Queue('run'), dashboard: () => new Queue('dashboard') };
useServer(
  { schema, roots: { subscription: roots } },
  new WebSocketServer({ server, path: '/graphql' }),
);
server.listen(0, '127.0.0.1', () =>
  answerAs(
    {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      tokens: [TOKEN],
      runId: '1',
      sequence: 0,
    },
    (topic, nth) => {
      const event =
        topic === 'dashboard'
          ? { dashboard: snapshot() }
          : {
              runEvents: {
                __typename: 'StepFinished',
                runId: '1',
                sequence: nth,
                at: new Date().toISOString(),
                ...stepFinished(nth),
              },
            };
      for (const queue of queues[topic]) queue.push(event);
    },
    async () => server.closeAllConnections(),
  ),
);
