import { MASK } from '../../platform/redaction';
import type { ComputingCall, RequestCredentials } from '../connector/credentials';
import type { MethodNode } from '../plan/plan';
import type { OutboundRequest, OutboundResponse } from '../ports';
import type { Exchange } from '../reference/scope';
import { readBody } from '../response/read-body';
import type { GivenSource } from '../text/template';
import type { Value } from '../value';
import type { RunContext } from './context';
import type { TimeBudget } from './time-budget';

/** Maximum bytes of a response whose names are shown without their values. */
const MAX_SHAPE_BYTES = 64 * 1024;

/** Filled in by an executor while it works, so that a failed step can report what it sent. */
export interface StepTrace {
  request: OutboundRequest | null;
  sent: Value;
  response: OutboundResponse | null;
  body: Value;
  /** Bytes of further responses that are part of the exchange. */
  moreBytes: number;
  /** For users; each becomes a `RunLog` event. */
  readonly warnings: string[];
}

export const emptyTrace = (): StepTrace => ({
  request: null,
  sent: null,
  response: null,
  body: null,
  moreBytes: 0,
  warnings: [],
});

/**
 * Executes one attempt of a method and returns its exchange. Rejects with an Error that has a
 * `code`.
 */
export type StepExecutor = (
  node: MethodNode,
  context: RunContext,
  trace: StepTrace,
  time: TimeBudget,
) => Promise<Exchange>;

/**
 * Makes a call with connector values. If the response is 401 and a value was computed for an
 * earlier call, computes it again and repeats the call: a token may have expired. This is safe for
 * any method, since 401 means that nothing was done.
 * @param parameterOf returns a page parameter
 * @throws EngineError CREDENTIALS_NOT_COMPUTED, and errors of `send`
 */
export async function exchangeRenewing(
  sources: readonly GivenSource[],
  parameterOf: (name: string) => Value,
  { credentials, journal }: RunContext,
  trace: StepTrace,
  time: TimeBudget,
  send: (credentials: RequestCredentials) => Promise<Exchange>,
): Promise<Exchange> {
  const compute = async (): Promise<RequestCredentials> => {
    try {
      return await credentials.forRequest(sources, parameterOf, time);
    } catch (error) {
      const call = credentials.callOf(error);
      if (call !== null) Object.assign(trace, computingTrace(call));
      throw error;
    }
  };
  const wasReplaying = journal?.isReplaying === true;
  const first = await compute();
  const exchange = await send(first);
  // A value that an earlier process computed may have expired.
  const isFresh = first.isFresh && (!wasReplaying || journal.isReplaying);
  if (exchange.status !== 401 || isFresh || !credentials.renew(sources)) return exchange;
  trace.warnings.push(
    'The remote system answered 401: the values that the invoker computes were computed again, and the call was repeated.',
  );
  return send(await compute());
}

/** What a step that failed for want of a value shows: the call that should have returned it. */
function computingTrace({ request, sent, response }: ComputingCall): Partial<StepTrace> {
  const shown = response && (response.status < 300 ? withoutValues(response) : response);
  return { request, sent, response: shown, body: shown && readBody(shown, false).value };
}

/**
 * Hides all values of a successful response: it has credentials, perhaps under names that do not
 * look secret, since the expected one is missing.
 */
function withoutValues({ status, headers, body }: OutboundResponse): OutboundResponse {
  const { value } = readBody({ status, headers, body }, false);
  const type = headers['content-type'];
  return {
    status,
    headers: {
      ...Object.fromEntries(Object.keys(headers).map((name) => [name, MASK])),
      ...(type !== undefined && { 'content-type': type }),
    },
    body:
      body.length > MAX_SHAPE_BYTES || !isTree(value)
        ? Buffer.from(body.length === 0 ? '' : MASK)
        : Buffer.from(JSON.stringify(value, (_, one: unknown) => (isTree(one) ? one : MASK))),
  };
}

const isTree = (value: unknown): boolean => typeof value === 'object' && value !== null;

/**
 * Emits the warnings about empty references that were found since the last call. They follow the
 * event that begins their step or operator: the log shows them there.
 */
export async function emitWarnings({ empties, events, failures }: RunContext): Promise<void> {
  // The names of fields are masked by the rules of the workflow.
  await failures?.load();
  for (const warning of empties.take()) await events.emit(warning);
}

/**
 * Finds the secrets of everything that an error message may contain; call before reporting it.
 * Recorded runs know earlier ones already; others do it only on failure, since most runs succeed.
 */
export async function learnEverything(context: RunContext, trace: StepTrace | null): Promise<void> {
  const { segments, failures } = context;
  const answer = trace?.response ? { response: trace.response, body: trace.body } : null;
  if (segments !== null) {
    if (trace?.request) segments.learn(trace.request, trace.sent, answer);
    return;
  }
  const { learn } = context.secrets;
  if (trace?.request) learn.request(trace.request, trace.sent);
  if (trace?.response) learn.response(trace.response, trace.body);
  const recorder = await failures?.recorder();
  if (trace?.request) recorder?.learn(trace.request, trace.sent, answer);
  if (context.hasLearned) return;
  context.hasLearned = true;
  recorder?.learnRuledIn(context.parameters);
  for (const exchange of context.answers.all()) {
    const { request, headers, body } = exchange;
    await context.pause.yieldToEventLoop();
    recorder?.learnKept(exchange);
    learn.headers(headers);
    learn.tree([request, body]);
  }
}
