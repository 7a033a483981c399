import type { RequestCredentials } from '../connector/credentials';
import type { Exchange } from '../reference/scope';
import type { GivenSource } from '../text/template';
import type { Value } from '../value';
import type { RunContext } from './context';
import type { StepTrace } from './step-executor';

/**
 * Makes a call with connector values. If the response is 401 and a value was computed for an
 * earlier call, computes it again and repeats the call: a token may have expired. This is safe for
 * any method, since 401 means that nothing was done.
 * @param parameterOf returns a page parameter
 * @throws EngineError CREDENTIALS_NOT_COMPUTED, and errors of `send`
 */
export async function exchangeRenewing(
  given: readonly GivenSource[],
  parameterOf: (name: string) => Value,
  { credentials }: RunContext,
  trace: StepTrace,
  deadline: number,
  send: (credentials: RequestCredentials) => Promise<Exchange>,
): Promise<Exchange> {
  const first = await credentials.forRequest(given, parameterOf, deadline);
  const exchange = await send(first);
  if (exchange.status !== 401 || first.isFresh || !credentials.renew(given)) return exchange;
  trace.warnings.push(
    'The remote system answered 401: the values that the invoker computes were computed again, and the call was repeated.',
  );
  return send(await credentials.forRequest(given, parameterOf, deadline));
}
