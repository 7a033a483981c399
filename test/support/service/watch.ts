import { createClient } from 'graphql-ws';
import type { Client } from 'graphql-ws';
import WebSocket from 'ws';
import type { ReachedService } from './harness';

export const RUN_EVENTS = `subscription($runId: ID!, $after: Int!) {
  runEvents(runId: $runId, afterSequence: $after) {
    __typename sequence at runId
    ... on StepEvent { stepId index loopIndex }
    ... on StepStarted { methodType }
    ... on StepFinished { name methodType state statusCode error { code message } request { url method header payload } response { status header payload } }
    ... on RunLog { message }
    ... on ConditionEvaluated { expression result }
    ... on OperatorFailed { operator expression error { code message } }
    ... on LoopStarted { iterator size }
    ... on LoopIteration { iterator turn size value }
    ... on LoopFinished { turns }
    ... on RunFinished { state stepCount error { stepId index attempt code message } }
  }
}`;

/** A socket, by default of the administrator. */
export function socketOf(
  service: Pick<ReachedService, 'url' | 'adminToken'>,
  token = service.adminToken,
): Client {
  return createClient({
    url: `${service.url.replace(/^http/, 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: 0,
    lazy: true,
    connectionParams: { Authorization: token },
  });
}

async function* eventsAfter(
  service: ReachedService,
  runId: number,
  after: number,
  query: string,
): AsyncGenerator<any> {
  const client = socketOf(service);
  try {
    for await (const { data, errors } of client.iterate<any>({
      query,
      variables: { runId, after },
    })) {
      if (errors)
        throw Object.assign(new Error(errors[0]?.message), {
          code: errors[0]?.extensions?.code,
          reason: errors[0]?.extensions?.reason,
          errors,
        });
      yield Object.values(data)[0];
    }
  } finally {
    await client.dispose();
  }
}

/** All events of a run after a sequence until its end. */
export async function runEvents(
  service: ReachedService,
  runId: number,
  after = 0,
  query = RUN_EVENTS,
): Promise<any[]> {
  const events: any[] = [];
  for await (const event of eventsAfter(service, runId, after, query)) events.push(event);
  return events;
}

/** Resolves when a run has a stored event of this kind. */
export async function untilEvent(
  service: ReachedService,
  runId: number,
  kind: string,
): Promise<void> {
  for await (const { __typename } of eventsAfter(service, runId, 0, RUN_EVENTS)) {
    if (__typename === kind) return;
  }
  throw new Error(`Run ${runId} ended without ${kind}.`);
}

/** Waits for the end of a run. */
export async function ended(service: ReachedService, runId: number): Promise<any> {
  await runEvents(service, runId);
  const { run } = await service.data(
    `query($id: ID!) { run(id: $id) { id databaseId state test logging stepCount lastSequence queuedAt startedAt finishedAt
       error { stepId index attempt code message } workflow { databaseId title } } }`,
    { id: runId },
  );
  return run;
}
