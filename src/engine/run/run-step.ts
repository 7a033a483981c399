import { EngineError } from '../errors';
import type { StepError, StepFinished, StepState } from '../events';
import type { MethodNode } from '../plan/plan';
import type { Exchange } from '../reference/scope';
import type { RunContext } from './context';
import { turnsOf } from './context';
import { executors } from './executors';
import { learnEverything } from './learn-everything';
import type { StepTrace } from './step-executor';
import { failureOf } from './failure';
import { race } from './race';
import { EventsRefused, RunStopped, StepFailed } from './stop';

/** Steps are tried once; retries come with a later release and count up here. */
const FIRST_ATTEMPT = 1;

/**
 * Executes one method between its two events.
 * @throws StepFailed, RunStopped, EventsRefused
 */
export async function runStep(node: MethodNode, context: RunContext): Promise<void> {
  const about = {
    stepId: node.stepId, index: node.index, loopIndex: turnsOf(context), name: node.name, methodType: node.methodType, attempt: FIRST_ATTEMPT,
  };
  await context.events.emit({ kind: 'StepStarted', ...about });
  context.steps += 1;
  const started = performance.now();
  const trace: StepTrace = { request: null, sent: null, response: null, body: null, warnings: [] };
  const finish = (state: StepState, error: StepError | null) => {
    const durationMs = rounded(performance.now() - started);
    const statusCode = trace.response?.status ?? null;
    const event: StepFinished = { kind: 'StepFinished', ...about, state, statusCode, durationMs, error, ...segmentsOf(trace, durationMs, context) };
    return context.events.emit(event);
  };
  try {
    const exchange = await execute(node, context, trace);
    context.answers.keep(node, context.loops, exchange, (trace.response?.body.length ?? 0) + (trace.request?.body?.length ?? 0));
  } catch (error) {
    if (error instanceof EventsRefused) throw error;
    if (error instanceof RunStopped) {
      await finish('CANCELLED', null);
      throw error;
    }
    await learnEverything(context, trace);
    const failure = failureOf(error);
    await finish('FAILED', failure);
    throw new StepFailed({ step: node.stepId, index: node.index, attempt: FIRST_ATTEMPT, ...failure }, error);
  }
  for (const message of trace.warnings) {
    await context.events.emit({ kind: 'RunLog', level: 'WARN', stepId: node.stepId, index: node.index, message });
  }
  await finish('SUCCEEDED', null);
}

async function execute(node: MethodNode, context: RunContext, trace: StepTrace): Promise<Exchange> {
  const executor = executors.get(node.executedAs ?? '');
  if (executor === undefined) {
    const what = node.methodType === null ? 'that call a connector' : `of the method type ${node.methodType}`;
    throw new EngineError('METHOD_TYPE_NOT_AVAILABLE', `Steps ${what} cannot be executed yet.`);
  }
  if (node.needsScript) throw new EngineError('SCRIPT_NOT_AVAILABLE', 'A field binding of this step runs a script; scripts are not available yet.');
  if (node.jumps) throw new EngineError('JUMP_NOT_AVAILABLE', 'This step says where the run goes on after it; jumps are not available yet.');
  const exchange = await stoppable(executor(node, context, trace), context);
  if (exchange.status >= 400 && !node.statusIsValue) {
    throw new EngineError('HTTP_STATUS_ERROR', `${trace.request?.method ?? 'The call'} ${placeOf(trace.request?.url)} answered ${exchange.status}.`);
  }
  return exchange;
}

/** A port may answer an aborted call with any error of its own; what counts is that the run was stopped. */
async function stoppable<Result>(work: Promise<Result>, context: RunContext): Promise<Result> {
  try {
    return await race(work, context.stop.signal, context.stepTimeoutMs);
  } catch (error) {
    context.stop.check();
    throw error;
  }
}

function segmentsOf(trace: StepTrace, durationMs: number, { segments }: RunContext): Pick<StepFinished, 'request' | 'response'> {
  if (segments === null || trace.request === null) return {};
  const { request, sent, response, body } = trace;
  return segments.exchange(request, sent, response && { response, body, durationMs });
}

/** Scheme and host: paths and parameters may hold secrets or values of responses. */
function placeOf(url: string | undefined): string {
  return url === undefined || !URL.canParse(url) ? 'the remote system' : new URL(url).origin;
}

const rounded = (milliseconds: number): number => Math.round(milliseconds * 100) / 100;
