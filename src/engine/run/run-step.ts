import { collectCall } from '../aggregators/collect';
import { EngineError } from '../errors';
import type { RecordedExchange, StepError, StepFinished, StepStarted, StepState } from '../events';
import type { MethodNode } from '../plan/plan';
import { isFailure } from '../reference/scope';
import type { Exchange } from '../reference/scope';
import type { RetryPolicy } from '../ports';
import type { StepType } from '../step-types';
import { endStep, pause, pauseBefore, policyOf } from './attempts';
import type { RunContext } from './context';
import type { CurrentStep } from './current-step';
import { enterStep } from './context';
import { emitWarnings, emptyTrace, exchangeRenewing, learnEverything } from './step-executor';
import { EventsRefused, RunStopped } from './stop';
import { TimeBudget } from './time-budget';
import { evaluateScripts } from '../scripts/evaluate-scripts';
import type { StepExecutor, StepTrace } from './step-executor';
import { race } from './race';
import { describeFailure, stepFailed } from './step-failure';
import { exchangeWith, executeHttpRequest, executeWebhook } from './http-step';
import { hasFailed } from '../connector/remote-answer';
import { executePages } from './paged-call';
import { isInRanges } from '../response/status-ranges';

/**
 * Calls an operation of an invoker with the credentials of the connector.
 * @throws EngineError CONNECTOR_NOT_FOUND, INVOKER_NOT_FOUND, OPERATION_NOT_FOUND,
 *   CREDENTIALS_NOT_COMPUTED, and errors of a free-form call
 */
async function executeCall(
  { call, request, readsFields }: MethodNode,
  context: RunContext,
  trace: StepTrace,
  time: TimeBudget,
): Promise<Exchange> {
  if (call === null || request === null)
    throw new EngineError('CONNECTOR_NOT_FOUND', 'The step calls a connector and names none.');
  if (call instanceof EngineError) throw call;
  const { connector, operation, given: sources, pagination } = call;
  if (pagination.length > 0) return executePages(call, request, context, trace, time);
  const cookies = context.credentials.cookiesOf(connector);
  const exchange = await exchangeRenewing(
    sources,
    () => null,
    context,
    trace,
    time,
    (credentials) =>
      exchangeWith(request, context, trace, {
        time,
        credentials,
        verifyTls: connector.verifyTls,
        cookies,
        readsFields,
      }),
  );
  return { ...exchange, failed: hasFailed(operation, exchange.status, exchange.body) };
}

/** Executors by method type; other types end the run with METHOD_TYPE_UNKNOWN. */
const executors: Readonly<Record<StepType, StepExecutor>> = {
  CONNECTOR: executeCall,
  HTTP_REQUEST: executeHttpRequest,
  WEBHOOK: executeWebhook,
};
const executorsByName = new Map<string, StepExecutor>(Object.entries(executors));

/**
 * Slower steps are reported immediately, at little relative cost, so that users see the progress.
 */
const QUICK_MS = 5;

const timeOf = ({ timeoutMs, timeoutOf }: MethodNode, { stepTimeoutMs }: RunContext): TimeBudget =>
  timeoutMs === null
    ? new TimeBudget(stepTimeoutMs, 'the setting step.timeout')
    : new TimeBudget(timeoutMs, `the timeout of the ${timeoutOf}`);

interface Attempt extends Pick<CurrentStep, 'attempt' | 'loopIndex'> {
  readonly policy: RetryPolicy;
  /** Time of the step, for all attempts and the pauses between them. */
  readonly time: TimeBudget;
}

/**
 * Executes a method and retries temporary failures within its timeout.
 * @throws StepFailed, RunStopped, EventsRefused
 */
export async function runStep(node: MethodNode, context: RunContext): Promise<void> {
  context.steps += 1;
  const current = enterStep(node, context);
  const { loopIndex } = current;
  const policy = policyOf(node, context);
  if (node.scripts.length > 0)
    await context.ports.scripts.ready?.(
      node.scripts.map(({ language }) => language),
      context.stop.signal,
    );
  const time = timeOf(node, context);
  for (let attempt = 1; ; attempt += 1) {
    context.ports.steps?.started(
      { index: node.index, methodType: node.executedAs, attempt },
      (text) => context.secrets.hide(text),
    );
    current.attempt = attempt;
    const pauseMs = await tryStep(node, context, { attempt, loopIndex, policy, time });
    if (pauseMs === null) return;
    time.spend(pauseMs);
    if (context.journal?.isReplaying !== true) await pause(pauseMs, context.stop.signal);
  }
}

/**
 * Executes one attempt between its two events.
 * @returns the delay before the next attempt, or null if the step is done
 * @throws StepFailed, RunStopped, EventsRefused
 */
async function tryStep(
  node: MethodNode,
  context: RunContext,
  { attempt, loopIndex, policy, time }: Attempt,
): Promise<number | null> {
  const begun = context.events.later(startedEvent(node, loopIndex, attempt));
  if (begun !== undefined) await begun;
  const started = performance.now();
  const trace = emptyTrace();
  const finished = (state: StepState, error: StepError | null): (() => StepFinished) => {
    const durationMs = endStep(context, started, state, error);
    return () =>
      finishedEvent(node, context, trace, { loopIndex, attempt, state, durationMs, error });
  };
  const pauseAfter = (code: string) =>
    pauseBefore(context, code, attempt, trace, policy, time.leftMs);
  let pauseMs: number | null | undefined;
  try {
    const exchange = checkStatus(await execute(node, context, trace, time), node);
    if (isFailure(exchange)) {
      pauseMs = pauseAfter('HTTP_STATUS_ERROR');
      // If a later step reads the status, the last attempt's response is its value.
      if (pauseMs !== null || !node.statusIsValue) throw failureOfAnswer(exchange, node);
    }
    context.answers.keep(
      node,
      context.loops,
      exchange,
      (trace.response?.body.length ?? 0) + trace.moreBytes + (trace.request?.body?.length ?? 0),
    );
    if (node.aggregator !== null) collectCall(node, context, trace, exchange);
    // A failed attempt may have searched before this response was kept.
    context.hasLearned = false;
  } catch (error) {
    if (error instanceof EventsRefused) throw error;
    if (error instanceof RunStopped) {
      await context.events.emit(finished('CANCELLED', null));
      throw error;
    }
    await learnEverything(context, trace);
    const failure = describeFailure(error, trace, context);
    if (!context.empties.isEmpty) await emitWarnings(context);
    await context.events.emit(finished('FAILED', failure));
    pauseMs = pauseMs === undefined ? pauseAfter(failure.code) : pauseMs;
    if (pauseMs !== null) return pauseMs;
    throw await stepFailed(node, context, trace, { loopIndex, attempt, started, failure, error });
  }
  const { stepId, index } = node;
  for (const message of trace.warnings)
    await context.events.emit({
      kind: 'RunLog',
      level: 'WARN',
      stepId,
      index,
      loopIndex,
      message,
    });
  if (!context.empties.isEmpty) await emitWarnings(context);
  const isQuick = performance.now() - started < QUICK_MS;
  const sent = context.events[isQuick ? 'later' : 'emit'](finished('SUCCEEDED', null));
  if (sent !== undefined) await sent;
  return null;
}

// List all fields of events: V8 takes ten times as long for a spread object, and each step creates
// two events.

const startedEvent = (
  { stepId, index, name, label, connector, methodType }: MethodNode,
  loopIndex: number[],
  attempt: number,
): StepStarted => ({
  kind: 'StepStarted',
  stepId,
  index,
  loopIndex,
  name,
  label,
  connector,
  methodType,
  attempt,
});

function finishedEvent(
  { stepId, index, name, methodType }: MethodNode,
  context: RunContext,
  trace: StepTrace,
  {
    loopIndex,
    attempt,
    state,
    durationMs,
    error,
  }: Pick<StepFinished, 'loopIndex' | 'attempt' | 'state' | 'durationMs' | 'error'>,
): StepFinished {
  const event: StepFinished = {
    kind: 'StepFinished',
    stepId,
    index,
    loopIndex,
    name,
    methodType,
    attempt,
    state,
    statusCode: trace.response?.status ?? null,
    durationMs,
    error,
  };
  return context.segments === null
    ? event
    : Object.assign(event, segmentsOf(trace, durationMs, context));
}

function execute(
  node: MethodNode,
  context: RunContext,
  trace: StepTrace,
  time: TimeBudget,
): Promise<Exchange> {
  const executor = executorsByName.get(node.executedAs);
  if (executor === undefined)
    throw new EngineError(
      'METHOD_TYPE_UNKNOWN',
      `There are no steps of the type ${node.methodType}.`,
    );
  if (node.jumps)
    throw new EngineError(
      'JUMP_NOT_AVAILABLE',
      'This step says where the run goes on after it; jumps are not available yet.',
    );
  const call = (): Promise<Exchange> => race(executor(node, context, trace, time), context.stop);
  return node.scripts.length === 0
    ? call()
    : race(evaluateScripts(node, context), context.stop).then(call);
}

/** The failure of an operation has been decided: see `hasFailed`. */
const checkStatus = (exchange: Exchange, { call, successStatus }: MethodNode): Exchange =>
  successStatus === null || call !== null
    ? exchange
    : { ...exchange, failed: !isInRanges(successStatus, exchange.status) };

function failureOfAnswer({ status }: Exchange, { successStatus }: MethodNode): EngineError {
  if (status < 400 && successStatus === null)
    return new EngineError('OPERATION_FAILED', 'The operation defines this answer as a failure.');
  return new EngineError('HTTP_STATUS_ERROR', `The remote system answered ${status}.`);
}

function segmentsOf(
  trace: StepTrace,
  durationMs: number,
  { segments }: RunContext,
): Partial<RecordedExchange> {
  if (segments === null || trace.request === null) return {};
  const { request, sent, response, body } = trace;
  return segments.exchange(request, sent, response && { response, body, durationMs });
}
