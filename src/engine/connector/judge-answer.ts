import type { Value } from '../value';
import { failsOf } from './invoker-facts';
import type { Operation, OperationResult } from './invoker-facts';
import { hasProperties, hasShape } from './remote-answer';

/**
 * Did the operation fail? It says so itself: by the status of its `fail` or `success`, or, where both are the same, by the body, of which `fail`
 * then names properties. Any other status counts as it does everywhere.
 */
export function hasFailed(
  operation: Pick<Operation, 'success' | 'fail' | 'fails'>,
  status: number,
  body: Value,
): boolean {
  const { success } = operation;
  const succeeds = success !== null && Number(success.status) === status;
  const fail = failsOf(operation).find((one) => Number(one.status) === status);
  if (succeeds && fail) return looksLike(fail, body) && !looksLike(success, body);
  return fail !== undefined || (!succeeds && status >= 400);
}

const looksLike = (result: OperationResult, body: Value): boolean =>
  hasProperties(result.body?.value) && hasShape(result.body?.value, body);
