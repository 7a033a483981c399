export const RUN_EVENTS = `subscription($runId: ID!, $after: Int!) { runEvents(runId: $runId, afterSequence: $after) { __typename sequence at
  ... on StepFinished { stepId index loopIndex state statusCode durationMs error { code message } } } }`;

export const DASHBOARD =
  'subscription { dashboard { timeline { date executions failures } topWorkflows { executions } runningNow { startedAt } } }';

/** A step that went well, as the event of a run. */
export const stepFinished = (nth: number) => ({
  kind: 'StepFinished',
  stepId: `m${nth}`,
  index: `${nth}`,
  loopIndex: [],
  name: `call ${nth}`,
  methodType: 'HTTP_REQUEST',
  attempt: 1,
  state: 'SUCCEEDED',
  statusCode: 200,
  durationMs: 12,
  error: null,
});
