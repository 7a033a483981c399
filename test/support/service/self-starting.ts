import type { ReachedService } from './harness';
import { unique } from './harness';
import { ended } from './watch';
import { method, saved, workflow } from '../documents/workflows';

/** The request that starts a run of a workflow, by API. */
const STARTS = {
  rest: (id: number): { readonly endpoint: string; readonly body: object | null } => ({
    endpoint: `/api/connection/${id}/execution`,
    body: null,
  }),
  graphql: (id: number): { readonly endpoint: string; readonly body: object | null } => ({
    endpoint: '/graphql',
    body: {
      type: 'object',
      format: 'json',
      data: 'graphql',
      fields: {
        query: `mutation { workflowRun(input: { workflowId: "${id}" }) { run { databaseId } userErrors { code } } }`,
      },
    },
  }),
};

interface StartOptions {
  readonly transport?: keyof typeof STARTS;
  /** Sent in addition to the token. */
  readonly header?: Record<string, string>;
}

/** Creates a workflow that starts itself via an address of the service and then calls another system. Returns its id. */
export async function selfStarting(
  service: ReachedService,
  at: string,
  other: string,
  { transport = 'rest', header = {} }: StartOptions = {},
): Promise<number> {
  const id = await saved(service, workflow([]));
  const { endpoint, body } = STARTS[transport](id);
  const { status, text } = await service.api('PUT', `/api/connection/${id}`, {
    body: workflow([
      method('0', '', {
        request: {
          endpoint: at + endpoint,
          method: 'POST',
          header: { Authorization: service.adminToken, ...header },
          body,
        },
      }),
      method('1', other),
    ]),
  });
  if (status !== 200) throw new Error(`The workflow was not saved: ${text}`);
  return id;
}

/** Creates a workflow that starts itself via its webhook and then calls another system. Returns its id. */
export async function startingByWebhook(
  service: ReachedService,
  addressOf: (url: string) => string,
  other: string,
  methodType: 'WEBHOOK' | 'HTTP_REQUEST',
): Promise<number> {
  const id = await saved(service, workflow([]));
  const {
    body: { schedulerId },
  } = await service.api('POST', '/api/scheduler', {
    body: { title: unique('Itself '), connectionId: id },
  });
  const {
    webhookCreate: { webhook },
  } = await service.data(
    'mutation ($id: ID!) { webhookCreate(input: { scheduleId: $id }) { webhook { url } } }',
    { id: schedulerId },
  );
  const { status, text } = await service.api('PUT', `/api/connection/${id}`, {
    body: workflow([method('0', addressOf(webhook.url), { methodType }), method('1', other)]),
  });
  if (status !== 200) throw new Error(`The workflow was not saved: ${text}`);
  return id;
}

/** Starts a run over REST and returns its id. */
export async function startedOverRest(
  service: ReachedService,
  workflowId: number,
  headers: Record<string, string> = {},
): Promise<number> {
  const { status, body, text } = await service.api(
    'POST',
    `/api/connection/${workflowId}/execution`,
    { headers },
  );
  if (status !== 202) throw new Error(`The run was not queued: ${text}`);
  return body.executionId as number;
}

/** The ends of a chain of runs that started each other: state or error code. */
export async function endsOfChain(
  service: ReachedService,
  workflowId: number,
  first: number,
): Promise<string[]> {
  const ends: string[] = [];
  for (
    let last: number | undefined = first;
    last !== undefined;
    last = await runAfter(service, workflowId, last)
  ) {
    const { state, error } = await ended(service, last);
    ends.push(error?.code ?? state);
  }
  return ends;
}

async function runAfter(
  service: ReachedService,
  workflowId: number,
  runId: number,
): Promise<number | undefined> {
  const RUNS =
    'query($id: ID!) { runs(filter: { workflow: { eq: $id } }, first: 100) { nodes { databaseId } } }';
  const { runs } = await service.data(RUNS, { id: workflowId });
  const later = (runs.nodes as { databaseId: number }[])
    .map(({ databaseId }) => databaseId)
    .filter((id) => id > runId);
  return later.length === 0 ? undefined : Math.min(...later);
}
