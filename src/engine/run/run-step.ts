import { collectCall } from '../aggregators/collect';
import { EngineError } from '../errors';
import type { StepError, StepFinished, StepState } from '../events';
import type { MethodNode } from '../plan/plan';
import { isFailure } from '../reference/scope';
import type { Exchange } from '../reference/scope';
import type { RetryPolicy } from '../ports';
import { pause, pauseBefore, policyOf } from './attempts';
import type { RunContext } from './context';
import { turnsOf } from './context';
import { executors } from './executors';
import { timeLeft } from './deadline';
import { learnEverything } from './learn-everything';
import { evaluateScripts } from '../scripts/evaluate-scripts';
import { emptyTrace } from './step-executor';
import type { StepTrace } from './step-executor';
import { describeFailure } from './describe-failure';
import { race } from './race';
import { EventsRefused, RunStopped, StepFailed } from './stop';

/** A step that took longer is told of at once: what that costs is little beside it, and whoever watches the run sees how far it is. */
const QUICK_MS = 5;

/** One try of a step. */
interface Attempt {
  /** From 1. */
  readonly attempt: number;
  readonly policy: RetryPolicy;
  /** Of the step, all its tries and pauses together. */
  readonly deadline: number;
}

/**
 * Executes one method, and again while what goes wrong may pass, in the time that it has.
 * @throws StepFailed, RunStopped, EventsRefused
 */
export async function runStep(node: MethodNode, context: RunContext): Promise<void> {
  context.steps += 1;
  const policy = policyOf(node, context);
  if (node.scripts.length > 0) await context.ports.scripts.ready?.(node.scripts.map(({ language }) => language), context.stop.signal);
  const deadline = performance.now() + (node.timeoutMs ?? context.stepTimeoutMs);
  for (let attempt = 1; ; attempt += 1) {
    const pauseMs = await tryStep(node, context, { attempt, policy, deadline });
    if (pauseMs === null) return;
    await pause(pauseMs, context.stop.signal);
  }
}

/**
 * Executes it once, between its two events.
 * @returns how long to wait before it is tried again; null when it is done
 * @throws StepFailed, RunStopped, EventsRefused
 */
async function tryStep(node: MethodNode, context: RunContext, { attempt, policy, deadline }: Attempt): Promise<number | null> {
  // Every field is named: V8 takes ten times as long for an object that is spread together, and a run has two of them for each step.
  const { stepId, index, name, label, connector, methodType } = node;
  const loopIndex = turnsOf(context);
  const begun = context.events.later({ kind: 'StepStarted', stepId, index, loopIndex, name, label, connector, methodType, attempt });
  if (begun !== undefined) await begun;
  const started = performance.now();
  const trace = emptyTrace();
  const finished = (state: StepState, error: StepError | null): (() => StepFinished) => {
    const durationMs = rounded(performance.now() - started);
    return () => {
      const statusCode = trace.response?.status ?? null;
      const event: StepFinished = { kind: 'StepFinished', stepId, index, loopIndex, name, methodType, attempt, state, statusCode, durationMs, error };
      return context.segments === null ? event : Object.assign(event, segmentsOf(trace, durationMs, context));
    };
  };
  const pauseAfter = (code: string) => pauseBefore(code, attempt, trace, policy, deadline - performance.now());
  let pauseMs: number | null | undefined;
  try {
    const exchange = await execute(node, context, trace, deadline);
    if (isFailure(exchange)) {
      pauseMs = pauseAfter('HTTP_STATUS_ERROR');
      // For who reads the status, that of the last try is the value.
      if (pauseMs !== null || !node.statusIsValue) throw failureOfAnswer(exchange);
    }
    context.answers.keep(node, context.loops, exchange, (trace.response?.body.length ?? 0) + trace.moreBytes + (trace.request?.body?.length ?? 0));
    if (node.aggregator !== null) collectCall(node, context, trace, exchange);
    // A try that failed may have learned what was there before.
    context.hasLearned = false;
  } catch (error) {
    if (error instanceof EventsRefused) throw error;
    if (error instanceof RunStopped) {
      await context.events.emit(finished('CANCELLED', null));
      throw error;
    }
    await learnEverything(context, trace);
    // A recorded run learns the secrets of a call from its segments.
    segmentsOf(trace, 0, context);
    const failure = describeFailure(error, trace, context);
    await context.events.emit(finished('FAILED', failure));
    pauseMs = pauseMs === undefined ? pauseAfter(failure.code) : pauseMs;
    if (pauseMs !== null) return pauseMs;
    throw new StepFailed({ step: node.stepId, index: node.index, loopIndex, attempt, ...failure }, error);
  }
  for (const message of trace.warnings) {
    await context.events.emit({ kind: 'RunLog', level: 'WARN', stepId: node.stepId, index: node.index, message });
  }
  const isQuick = performance.now() - started < QUICK_MS;
  const told = isQuick ? context.events.later(finished('SUCCEEDED', null)) : context.events.emit(finished('SUCCEEDED', null));
  if (told !== undefined) await told;
  return null;
}

function execute(node: MethodNode, context: RunContext, trace: StepTrace, deadline: number): Promise<Exchange> {
  const executor = executors.get(node.executedAs);
  if (executor === undefined) throw new EngineError('METHOD_TYPE_UNKNOWN', `There are no steps of the type ${node.methodType}.`);
  if (node.jumps) throw new EngineError('JUMP_NOT_AVAILABLE', 'This step says where the run goes on after it; jumps are not available yet.');
  const call = (): Promise<Exchange> => race(executor(node, context, trace, deadline), context.stop, timeLeft(deadline), 'OUTBOUND_TIMEOUT');
  // Scripts are part of the step: their time is its time.
  return node.scripts.length === 0 ? call() : race(evaluateScripts(node, context), context.stop, timeLeft(deadline), 'SCRIPT_TIMEOUT').then(call);
}

function failureOfAnswer({ status }: Exchange): EngineError {
  if (status < 400) return new EngineError('OPERATION_FAILED', 'The operation defines this answer as a failure.');
  return new EngineError('HTTP_STATUS_ERROR', `The remote system answered ${status}.`);
}

function segmentsOf(trace: StepTrace, durationMs: number, { segments }: RunContext): Pick<StepFinished, 'request' | 'response'> {
  if (segments === null || trace.request === null) return {};
  const { request, sent, response, body } = trace;
  return segments.exchange(request, sent, response && { response, body, durationMs });
}

const rounded = (milliseconds: number): number => Math.round(milliseconds * 100) / 100;
