import { BadInput } from '../errors/errors';

/** Rejected in JSON of any origin: REST bodies, GraphQL variables and literals. */
const PROTO = '__proto__';
const NO_DOUBLE =
  'A number in JSON is larger, smaller or longer than a double holds. Send it as text.';

/** @throws BadInput the name is `__proto__`, which would set the prototype of an object */
export function requireHarmlessName(name: string): void {
  if (name === PROTO)
    throw new BadInput('BAD_REQUEST', 'The name __proto__ is not allowed in JSON.');
}

/**
 * @param token a number as written in JSON or GraphQL
 * @throws BadInput a double cannot hold the number: out of range, or an integer with too many
 *   digits
 */
export function requireExactNumber(token: string): void {
  if (!isExact(token)) throw new BadInput('BAD_REQUEST', NO_DOUBLE);
}

function isExact(token: string): boolean {
  const value = Number(token);
  if (!Number.isFinite(value)) return false;
  if (/[.eE]/.test(token)) return value !== 0 || !/[1-9]/.test(token.split(/[eE]/, 1)[0] ?? '');
  // Accept what JavaScript prints for the double, so that clients can send back received numbers.
  return Number.isSafeInteger(value) || String(value) === token || BigInt(token) === BigInt(value);
}

/**
 * Checks a value that was parsed elsewhere.
 * @throws BadInput the name `__proto__`, or a number that is not finite
 */
export function requireFitValue(value: unknown): void {
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === 'number' && !Number.isFinite(next))
      throw new BadInput('BAD_REQUEST', NO_DOUBLE);
    if (next === null || typeof next !== 'object') continue;
    if (Object.hasOwn(next, PROTO)) requireHarmlessName(PROTO);
    for (const child of Array.isArray(next) ? (next as unknown[]) : Object.values(next)) {
      if (typeof child === 'number' || (typeof child === 'object' && child !== null))
        waiting.push(child);
    }
  }
}

/** Returns whether the text may contain the name `__proto__`, plain or escaped. */
export const mayNameProto = (text: string): boolean =>
  text.includes(PROTO) || /\\u00(?:5f|70|72|6f|74)/i.test(text);
