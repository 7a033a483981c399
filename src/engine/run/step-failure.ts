import type { EngineErrorCode } from '../error-codes';
import { failureOf } from '../errors';
import type { StepError, StepFinished } from '../events';
import type { MethodNode } from '../plan/plan';
import { describeStep, nameField } from '../plan/step-name';
import { explainRefusal } from '../response/explain-refusal';
import { rounded } from './attempts';
import type { RunContext } from './context';
import type { StepTrace } from './step-executor';
import { StepFailed } from './stop';

/** Maximum length of a URL in a message, in characters. */
const MAX_ADDRESS = 500;

/**
 * Returns code and message of a failed step. If a request was made, the message contains method,
 * URL and status, so that lists of runs show which call failed. The query is omitted and secrets
 * are hidden; the path may contain workflow data.
 */
export function describeFailure(error: unknown, trace: StepTrace, context: RunContext): StepError {
  const { code, message } = failureOf(error);
  const { request, response } = trace;
  const address =
    request === null || code === ('RUN_FAULT' satisfies EngineErrorCode)
      ? null
      : addressOf(request.url, context);
  if (request === null || address === null) return { code, message };
  const call = `${request.method} ${address}`;
  if (response === null) return { code, message: `${call}: ${message}` };
  if (code === 'HTTP_STATUS_ERROR')
    return { code, message: `${call} answered ${response.status}.${explainRefusal(response)}` };
  return { code, message: `${call} answered ${response.status}: ${message}` };
}

/** Returns null if the URL is not http(s). */
function addressOf(url: string, context: RunContext): string | null {
  if (!URL.canParse(url)) return null;
  const { origin, pathname, protocol } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') return null;
  // Without recording, values selected by masking rules are unknown and may be part of the path.
  if (context.ports.ruledValues !== undefined && context.segments === null) return origin;
  const address = `${origin}${pathname}`;
  const isCut = address.length > MAX_ADDRESS;
  return context.secrets.url(address.slice(0, MAX_ADDRESS), isCut) + (isCut ? '…' : '');
}

/** Returns the error that ends the run, with what the step sent and received. */
export async function stepFailed(
  node: MethodNode,
  context: RunContext,
  trace: StepTrace,
  {
    loopIndex,
    attempt,
    started,
    failure: { code, message },
    error,
  }: Pick<StepFinished, 'loopIndex' | 'attempt'> & {
    readonly started: number;
    readonly failure: StepError;
    readonly error: unknown;
  },
): Promise<StepFailed> {
  const { stepId: step, index } = node;
  const durationMs = rounded(performance.now() - started);
  const exchange = (await context.failures?.exchange(trace, durationMs)) ?? null;
  return new StepFailed(
    {
      step,
      ...nameField(node),
      index,
      loopIndex,
      attempt,
      code,
      message: `${describeStep(node)}: ${message}`,
    },
    error,
    exchange,
  );
}
