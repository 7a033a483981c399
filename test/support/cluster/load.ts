import { setTimeout as pause } from 'node:timers/promises';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';
import { method, saved, started, workflow } from '../documents/workflows';
import type { Received } from '../peers/remote-system';
import { ADMIN_EMAIL, ADMIN_PASSWORD, loginAt, reached, unique } from '../service/harness';
import type { Cluster } from './cluster';

const EVENTS =
  'subscription($runId: ID!, $after: Int!) { runEvents(runId: $runId, afterSequence: $after) { __typename sequence } }';
/** A failed request to a process that was just killed is sent again after this time, ms. */
const AGAIN_MS = 100;
const REQUEST_MS = 90_000;

/** What the clients of a cluster have seen. Everything in `faults` must not have happened. */
export interface Seen {
  /** Numbers of webhook calls that were accepted. */
  readonly accepted: Set<number>;
  /** Numbers of calls without an answer: their run may exist. */
  readonly unknown: Set<number>;
  saves: number;
  unknownSaves: number;
  signIns: number;
  followed: number;
  readonly faults: string[];
}

export interface Load {
  readonly seen: Seen;
  readonly webhookWorkflow: number;
  readonly editedWorkflow: number;
  readonly scheduleIds: readonly number[];
  /** Stops the clients; resolves when all have an answer. */
  stop(): Promise<void>;
}

interface LoadOptions {
  /** The address that steps call; its handler sees the paths `/unsafe?n=…`, `/due/…`, `/slow`. */
  readonly remoteUrl: string;
  readonly callers: number;
  readonly subscribers: number;
  readonly schedules: number;
}

/** Works on a cluster as its clients do: webhooks, schedules, edits, sign-ins and subscriptions. */
export async function startLoad(
  cluster: Cluster,
  { remoteUrl, callers, subscribers, schedules }: LoadOptions,
): Promise<Load> {
  const seen: Seen = {
    accepted: new Set(),
    unknown: new Set(),
    saves: 0,
    unknownSaves: 0,
    signIns: 0,
    followed: 0,
    faults: [],
  };
  const service = cluster.any();
  const post = method('0', `${remoteUrl}/unsafe`, {
    request: { endpoint: `${remoteUrl}/unsafe?n=\${n}`, method: 'POST', header: {}, body: null },
  });
  const webhookWorkflow = await saved(service, workflow([post]));
  const webhook = await scheduledWebhook(service, webhookWorkflow);
  const editedWorkflow = await saved(service, workflow([method('0', `${remoteUrl}/fast`)]));
  const followedWorkflow = await saved(
    service,
    workflow(Array.from({ length: 4 }, (_, nth) => method(String(nth), `${remoteUrl}/slow`))),
  );
  const scheduleIds: number[] = [];
  for (let nth = 0; nth < schedules; nth += 1) {
    const due = await saved(service, workflow([method('0', `${remoteUrl}/due/${nth}`)]));
    scheduleIds.push(await scheduled(service, due, '* * * * * ?'));
  }

  const stopping = new AbortController();
  const { signal } = stopping;
  const repeated = async (work: () => Promise<void>): Promise<void> => {
    while (!signal.aborted) await work();
  };
  let calls = 0;
  const call = async (): Promise<void> => {
    const n = (calls += 1);
    const { status } = await answerOf(`${cluster.any().url}${webhook}`, { n });
    if (status === 200) seen.accepted.add(n);
    // A proxy does not know either.
    else if (status === null || status === 502 || status === 504) seen.unknown.add(n);
    else if (status !== 503) seen.faults.push(`a webhook call was answered ${status}`);
    await pause(status === 200 ? 5 : AGAIN_MS);
  };
  const edit = async (): Promise<void> => {
    const { id, data } = { id: editedWorkflow, data: cluster.any() };
    try {
      const { workflowUpdate } = await data.data(
        'mutation ($id: ID!, $title: String!) { workflowUpdate(input: { id: $id, title: $title }) { userErrors { code } } }',
        { id, title: unique('edited ') },
      );
      if (workflowUpdate.userErrors.length === 0) seen.saves += 1;
    } catch {
      seen.unknownSaves += 1;
      await pause(AGAIN_MS);
    }
    await pause(20);
  };
  const signIn = async (): Promise<void> => {
    const [first, second] = [cluster.any(), cluster.any()];
    try {
      const token = await loginAt(first.url, ADMIN_EMAIL, ADMIN_PASSWORD);
      const isSignedIn = async ({ url }: { url: string }): Promise<boolean> =>
        (await reached(url, token).gql('{ me { email } }')).errors === undefined;
      if (!(await isSignedIn(second))) seen.faults.push('a new session was refused');
      await reached(first.url, token).data('mutation { logout { userErrors { code } } }');
      if (await isSignedIn(second)) seen.faults.push('an ended session was accepted');
      seen.signIns += 1;
    } catch {
      // The process was killed meanwhile, or the store did not answer.
    }
    await pause(AGAIN_MS);
  };
  const follow = async (): Promise<void> => {
    const runId = await started(cluster.any(), followedWorkflow).catch(() => null);
    if (runId === null) {
      await pause(AGAIN_MS);
      return;
    }
    const sequences = await Promise.all(
      Array.from({ length: Math.ceil(subscribers / 5) }, () => eventsOf(cluster, runId)),
    );
    seen.followed += sequences.length;
    for (const each of sequences)
      if (each.some((sequence, nth) => sequence !== nth + 1))
        seen.faults.push(`events of run ${runId}: ${each.join(' ')}`);
    if (new Set(sequences.map(String)).size > 1)
      seen.faults.push(`subscribers of run ${runId} have seen different events`);
  };
  const working = Promise.all([
    ...Array.from({ length: callers }, () => repeated(call)),
    repeated(edit),
    repeated(signIn),
    ...(subscribers > 0 ? Array.from({ length: 5 }, () => repeated(follow)) : []),
  ]);
  return {
    seen,
    webhookWorkflow,
    editedWorkflow,
    scheduleIds,
    async stop() {
      stopping.abort();
      await working;
    },
  };
}

/** The status of the answer; null if there was none. */
async function answerOf(url: string, body: object): Promise<{ readonly status: number | null }> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(REQUEST_MS),
    });
    await answer.arrayBuffer();
    return { status: answer.status };
  } catch {
    return { status: null };
  }
}

type AnyService = ReturnType<Cluster['any']>;

async function scheduled(
  service: AnyService,
  connectionId: number,
  cronExp: string | null,
): Promise<number> {
  const { schedulerId } = await service.body('POST', '/api/scheduler', {
    body: { connectionId, title: unique('schedule '), cronExp, status: 1, debugMode: false },
  });
  return schedulerId as number;
}

/** Makes a schedule that only its webhook starts. Returns the path of the webhook. */
export async function scheduledWebhook(service: AnyService, workflowId: number): Promise<string> {
  const scheduleId = await scheduled(service, workflowId, null);
  const me = (await service.data('{ me { databaseId } }')).me.databaseId as number;
  const { url } = await service.body('GET', `/api/webhook/url/${me}/${scheduleId}`);
  return new URL(url as string).pathname;
}

/** The sequences of all events of a run, as a client sees them that resumes wherever it can. */
async function eventsOf(cluster: Cluster, runId: number): Promise<number[]> {
  const sequences: number[] = [];
  for (let isOver = false; !isOver;) {
    const client = createClient({
      url: `${cluster.any().url.replace(/^http/, 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: 0,
      keepAlive: 5_000,
      connectionParams: { Authorization: cluster.adminToken },
    });
    try {
      for await (const { data } of client.iterate<any>({
        query: EVENTS,
        variables: { runId, after: sequences.length },
      })) {
        sequences.push(data.runEvents.sequence);
        isOver = data.runEvents.__typename === 'RunFinished';
      }
      if (!isOver) await pause(AGAIN_MS);
    } catch {
      await pause(AGAIN_MS);
    }
    void client.dispose();
  }
  return sequences;
}

/** The numbers of the webhook calls whose request has reached the other system, by count. */
export function sentNumbers(received: readonly Received[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { path } of received) {
    const n = Number(new URL(path, 'http://x').searchParams.get('n'));
    if (path.startsWith('/unsafe')) counts.set(n, (counts.get(n) ?? 0) + 1);
  }
  return counts;
}
