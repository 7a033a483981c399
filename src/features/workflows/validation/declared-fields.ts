import type { InvokerFacts, OperationBody, ReadReference } from '../../../engine';
import { isJsonObject } from '../document/json';
import { problemAt } from './problem';
import type { UnplacedProblem } from './problem';

/** Maximum number of names in a message. */
const MAX_NAMES = 20;

/**
 * Returns a problem if a reference names a field that the operation of its step does not declare.
 * An operation without declared fields at that place, or with another format than JSON, is not
 * checked.
 */
export function undeclaredField(
  { step, field, reference }: ReadReference,
  { name, operations }: Pick<InvokerFacts, 'name' | 'operations'>,
  operationName: string,
): UnplacedProblem | null {
  const operation = operations.find((each) => each.name === operationName);
  if (operation === undefined) return null;
  const { success, fail, fails = fail === null ? [] : [fail] } = operation;
  const results = {
    success: [success],
    fail: fails,
    body: [success, ...fails],
  }[reference.part];
  const bodies = results?.map((result) => result?.body ?? null) ?? [];
  const missing = bodies.map((body) => body && missingIn(body, reference.names));
  // One body that declares nothing, or that has the field, is enough.
  const [first] = missing;
  if (first == null || missing.includes(null)) return null;
  const names = first.names.slice(0, MAX_NAMES).join(', ');
  return problemAt(
    step,
    field,
    'REFERENCE_FIELD_UNKNOWN',
    `${reference.path}: the operation ${JSON.stringify(operationName.slice(0, 100))} of ${JSON.stringify(name.slice(0, 100))} declares no field ${JSON.stringify(first.name)}; it declares ${names}.`,
  );
}

/** Returns the first name that a body does not declare, and what it declares there. */
function missingIn(
  { format, value }: OperationBody,
  names: readonly (string | null)[],
): { readonly name: string; readonly names: readonly string[] } | null {
  if (format.trim().toLowerCase() !== 'json') return null;
  let declared: unknown = value;
  for (const name of names) {
    while (Array.isArray(declared)) declared = (declared as unknown[])[0];
    // Loop variables and keys depend on the data.
    if (!isJsonObject(declared) || Object.keys(declared).length === 0 || name === null) return null;
    if (!Object.hasOwn(declared, name)) return { name, names: Object.keys(declared) };
    declared = declared[name];
  }
  return null;
}
