import { BadInput } from '../errors/errors';

/** What no JSON value may hold, whichever way it comes in: a REST body, a variable or a literal. */
const PROTO = '__proto__';
const NO_DOUBLE =
  'A number in JSON is larger, smaller or longer than a double holds. Send it as text.';

/** @throws BadInput the name `__proto__`, which would change an object instead of filling it */
export function requireHarmlessName(name: string): void {
  if (name === PROTO)
    throw new BadInput('BAD_REQUEST', 'The name __proto__ is not allowed in JSON.');
}

/**
 * @param token a number as JSON and GraphQL write it
 * @throws BadInput a number that would become another one: beyond what a double reaches, or an integer of more digits than it keeps
 */
export function requireExactNumber(token: string): void {
  if (!isExact(token)) throw new BadInput('BAD_REQUEST', NO_DOUBLE);
}

function isExact(token: string): boolean {
  const value = Number(token);
  if (!Number.isFinite(value)) return false;
  if (/[.eE]/.test(token)) return value !== 0 || !/[1-9]/.test(token.split(/[eE]/, 1)[0] ?? '');
  // As JavaScript writes it, or digit by digit: what a client was told he may send back.
  return Number.isSafeInteger(value) || String(value) === token || BigInt(token) === BigInt(value);
}

/**
 * Judges a value that somebody else has parsed already.
 * @throws BadInput the name `__proto__`, or a number that became none
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

/** Could a name in this text be `__proto__`, written plainly or with escapes? */
export const mayNameProto = (text: string): boolean =>
  text.includes(PROTO) || /\\u00(?:5f|70|72|6f|74)/i.test(text);
