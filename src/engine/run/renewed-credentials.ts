import type { RequestCredentials } from '../connector/credentials';
import type { Exchange } from '../reference/scope';
import type { GivenSource } from '../text/template';
import type { Value } from '../value';
import type { RunContext } from './context';
import type { StepTrace } from './step-executor';

/**
 * Makes a call with the values of its connector, and once more if it is answered with 401 and a value was computed by an operation for an earlier
 * call: a token may have expired in the middle of a run. A 401 says that nothing was done, so any method may be repeated.
 * @param parameterOf a parameter of the pages
 * @throws EngineError CREDENTIALS_NOT_COMPUTED, and what `send` throws
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
