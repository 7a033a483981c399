import { aggregate } from './aggregators/aggregate';
import type { EngineErrorCode } from './error-codes';
import { EngineError, failureOf } from './errors';
import type { RunError } from './events';
import { planOf } from './plan/build';
import { cleanMethod, listOf } from './plan/clean';
import type { StepProblem, StepProblemCode } from './plan/problems';
import { describeStep, nameField, operatorMessage } from './plan/step-name';
import type { Ports, RunOptions, RunResult } from './ports';
import { rounded } from './run/attempts';
import { createContext } from './run/context';
import { learnEverything } from './run/step-executor';
import type { RunContext } from './run/context';
import type { CurrentStep } from './run/current-step';
import { replaceInError } from './run/event-texts';
import { unfit } from './run/journal';
import { EventsRefused, RunStopped, StepFailed, StopSwitch } from './run/stop';
import { walk } from './run/walk';
import type { MethodDoc, WorkflowSnapshot } from './snapshot';
import { inspect } from 'node:util';
import { isNativeError } from 'node:util/types';
import { exchangesOf } from './samples/sample';
import type { RunSecrets } from './secrets/run-secrets';

const DEEPEST = 5;

/**
 * Copies the cause of a failed run for the log: name, code, message and stack, without secrets.
 * Other properties are dropped: the error of `new URL`, for example, contains the URL.
 */
function causeWithoutSecrets(cause: unknown, secrets: RunSecrets, depth = 0): unknown {
  if (secrets.isEmpty || cause === undefined || cause === null) return cause;
  if (!isNativeError(cause) || depth > DEEPEST) return secrets.hide(inspect(cause, { depth: 1 }));
  const shown = new Error(
    secrets.hide(cause.message),
    cause.cause === undefined
      ? undefined
      : { cause: causeWithoutSecrets(cause.cause, secrets, depth + 1) },
  );
  shown.name = cause.name;
  shown.stack = secrets.hide(cause.stack ?? '');
  return 'code' in cause && typeof cause.code === 'string'
    ? Object.assign(shown, { code: cause.code })
    : shown;
}

/**
 * Problems that do not prevent a run: an unknown reference is null, and a 4.x operator may have a
 * condition instead of an expression; without either, the run ends when it reaches the operator.
 */
const HARMLESS: ReadonlySet<StepProblemCode> = new Set<StepProblemCode>([
  'REFERENCE_COLOR_UNKNOWN',
  'REFERENCE_FIELD_UNKNOWN',
  'OPERATOR_EXPRESSION_IS_EMPTY',
]);

/**
 * Runs a workflow. Never rejects: failures are in the result and the events, of which `RunStarted`
 * is the first and `RunFinished` the last. A workflow that does not parse fails before any call.
 */
export async function runWorkflow(
  snapshot: WorkflowSnapshot,
  ports: Ports,
  options: RunOptions,
): Promise<RunResult> {
  using stop = new StopSwitch(options.signal, options.runTimeoutMs);
  const started = performance.now();
  const context = createContext(ports, options, stop);
  if (options.parameters !== undefined) {
    context.secrets.learn.tree(options.parameters);
    context.segments?.learnRuledIn(options.parameters);
  }
  if (context.segments !== null) context.secrets.learn.document(snapshot);
  const result = unlessUnfit(await outcomeOf(snapshot, context), context);
  try {
    const durationMs = rounded(performance.now() - started);
    await context.events.emit({
      kind: 'RunFinished',
      state: result.state,
      error: result.error ?? null,
      steps: result.steps,
      durationMs,
    });
    return result;
  } catch (error) {
    return resultOf(error, context);
  }
}

async function outcomeOf(snapshot: WorkflowSnapshot, context: RunContext): Promise<RunResult> {
  try {
    const { methods, operators } = snapshot.fromConnector ?? {};
    await context.events.emit({
      kind: 'RunStarted',
      methods: listOf(methods).length,
      operators: listOf(operators).length,
    });
    const { roots, problems } = planOf(snapshot, context.ports.connectors ?? new Map());
    refuse(problems, snapshot);
    if (context.part !== null) context.answers.samples = await exchangesOf(context.part.samples);
    await walk(roots, context);
    context.current = null;
    await context.events.settle();
    const values = await aggregate(context);
    await context.events.settle();
    return { state: 'SUCCEEDED', steps: context.steps, warnings: context.events.warnings, values };
  } catch (error) {
    context.secrets.learn.document(snapshot);
    await learnEverything(context, null);
    return resultOf(await unlessRefused(error, context), context);
  }
}

/** A run that did not use all that its earlier processes kept has not gone the same way. */
function unlessUnfit(result: RunResult, { journal, stop, current }: RunContext): RunResult {
  const expected = journal?.nextPlace ?? null;
  const { error = { step: null, index: null, attempt: 1, code: '', message: '' } } = result;
  const isCutOff =
    stop.signal.aborted || error.code === ('RUN_EVENTS_REFUSED' satisfies EngineErrorCode);
  if (expected === null || isCutOff) return result;
  const { code, message } = unfit(expected, current?.node.index ?? null);
  return {
    ...result,
    state: 'FAILED',
    values: [],
    error: { ...error, code, message: `${message} ${error.message}`.trim() },
  };
}

/** Returns the error of refused events, if there is one, in preference to the given error. */
async function unlessRefused(error: unknown, { events }: RunContext): Promise<unknown> {
  try {
    await events.settle();
    return error;
  } catch (refusal) {
    return refusal;
  }
}

/** @throws StepFailed for the first problem that prevents a run */
function refuse(problems: readonly StepProblem[], snapshot: WorkflowSnapshot): void {
  const problem = problems.find(({ code }) => !HARMLESS.has(code));
  if (problem === undefined) return;
  const { stepId, index, code } = problem;
  const method = listOf(snapshot.fromConnector?.methods)
    .map(cleanMethod)
    .find((step) => step.id === stepId && step.index === index);
  throw new StepFailed(
    {
      step: stepId,
      ...(method && nameField(method)),
      index,
      attempt: 1,
      code,
      message: messageOf(problem, method),
    },
    problem,
  );
}

function messageOf({ index, type, message }: StepProblem, method: MethodDoc | undefined): string {
  if (method !== undefined) return `${describeStep({ ...method, index })}: ${message}`;
  return type === 'if' || type === 'loop' ? operatorMessage(index, type, message) : message;
}

function resultOf(error: unknown, { steps, secrets, events, current }: RunContext): RunResult {
  const { warnings } = events;
  const hide = (text: string): string => secrets.hide(text);
  if (error instanceof RunStopped && error.reason === 'CANCELLED')
    return { state: 'CANCELLED', steps, warnings, values: [] };
  if (error instanceof StepFailed)
    return {
      state: 'FAILED',
      error: replaceInError(error.failure, hide),
      ...(error.exchange && { exchange: error.exchange }),
      steps,
      warnings,
      values: [],
      cause: causeWithoutSecrets(error.cause, secrets),
    };
  return {
    state: 'FAILED',
    error: replaceInError(runError(error, current), hide),
    steps,
    warnings,
    values: [],
    cause: causeWithoutSecrets(error, secrets),
  };
}

/** Converts an error that no step caused. */
function runError(error: unknown, current: CurrentStep | null): RunError {
  const noStep = { step: null, index: null, attempt: 1 };
  if (error instanceof RunStopped) return { ...noStep, ...timeoutAt(current) };
  if (error instanceof EventsRefused)
    return {
      ...noStep,
      code: 'RUN_EVENTS_REFUSED' satisfies EngineErrorCode,
      message: error.message,
    };
  if (error instanceof EngineError) return { ...noStep, code: error.code, message: error.message };
  return { ...noStep, ...failureOf(error), message: 'An unexpected fault ended the run.' };
}

/** The error of a run that took too long, at the step that it was executing. */
function timeoutAt(
  current: CurrentStep | null,
): Pick<RunError, 'code' | 'message'> & Partial<RunError> {
  const code = 'RUN_TIMEOUT' satisfies EngineErrorCode;
  const message = 'The run took longer than it may.';
  if (current === null) return { code, message };
  const { node, loopIndex, attempt } = current;
  const { stepId: step, index } = node;
  const place = { step, index, loopIndex, attempt, code };
  return node.kind === 'method'
    ? { ...place, ...nameField(node), message: `${describeStep(node)}: ${message}` }
    : { ...place, message: operatorMessage(index, node.kind, message) };
}
