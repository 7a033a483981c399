import type { Value } from '../value';
import { failsOf } from './invoker-facts';
import type { Operation, OperationResult } from './invoker-facts';
import { hasProperties, hasShape } from './remote-answer';

/**
 * Returns whether the operation failed: by the declared statuses of `fail` and `success`, or, if
 * they are equal, by the properties that `fail` declares for the body. For other statuses, 400 and
 * above is a failure.
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
