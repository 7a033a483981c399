import type { EngineErrorCode } from '../error-codes';
import type { StepError } from '../events';
import type { RunContext } from './context';
import { failureOf } from './failure';
import type { StepTrace } from './step-executor';

/** Characters of the address of a call in a message. */
const MAX_ADDRESS = 500;

/**
 * The code and text of a failed step. If a request was made, the text names its method, address and status, so that lists of runs say which call
 * failed. The query string is left out, secrets are hidden; a path may hold values that the workflow put there.
 */
export function describeFailure(error: unknown, trace: StepTrace, context: RunContext): StepError {
  const { code, message } = failureOf(error);
  const { request, response } = trace;
  const address = request === null || code === ('RUN_FAULT' satisfies EngineErrorCode) ? null : addressOf(request.url, context);
  if (request === null || address === null) return { code, message };
  const call = `${request.method} ${address}`;
  if (response === null) return { code, message: `${call}: ${message}` };
  if (code === 'HTTP_STATUS_ERROR') return { code, message: `${call} answered ${response.status}.` };
  return { code, message: `${call} answered ${response.status}: ${message}` };
}

/** Returns null for what is no address of the web. */
function addressOf(url: string, context: RunContext): string | null {
  if (!URL.canParse(url)) return null;
  const { origin, pathname, protocol } = new URL(url);
  if (protocol !== 'http:' && protocol !== 'https:') return null;
  // What masking rules select in bodies is known of recorded runs only, and may have become part of the path.
  if (context.ports.ruledValues !== undefined && context.segments === null) return origin;
  const address = `${origin}${pathname}`;
  const isCut = address.length > MAX_ADDRESS;
  return context.secrets.url(address.slice(0, MAX_ADDRESS), isCut) + (isCut ? '…' : '');
}
