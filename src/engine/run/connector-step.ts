import { hasFailed } from '../connector/judge-answer';
import { EngineError } from '../errors';
import type { MethodNode } from '../plan/plan';
import type { Exchange } from '../reference/scope';
import type { RunContext } from './context';
import { exchangeWith } from './http-step';
import { executePages } from './paged-call';
import { exchangeRenewing } from './renewed-credentials';
import type { StepTrace } from './step-executor';

/**
 * An operation of an invoker, with the credentials of the connector.
 * @throws EngineError CONNECTOR_NOT_FOUND, INVOKER_NOT_FOUND, OPERATION_NOT_FOUND, CREDENTIALS_NOT_COMPUTED, and what a free-form call throws
 */
export async function executeCall({ call, request, readsFields }: MethodNode, context: RunContext, trace: StepTrace, deadline: number): Promise<Exchange> {
  if (call === null || request === null) throw new EngineError('CONNECTOR_NOT_FOUND', 'The step calls a connector and names none.');
  if (call instanceof EngineError) throw call;
  const { connector, operation, given, pagination } = call;
  if (pagination.length > 0) return executePages(call, request, context, trace, deadline);
  const cookies = context.credentials.cookiesOf(connector);
  const exchange = await exchangeRenewing(given, () => null, context, trace, deadline, (credentials) =>
    exchangeWith(request, context, trace, { deadline, credentials, verifyTls: connector.verifyTls, cookies, readsFields }));
  return { ...exchange, failed: hasFailed(operation, exchange.status, exchange.body) };
}
