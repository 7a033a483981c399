import { SECRET_NAME, secretKey, secretMarkAt } from './named-secret';

/** Values and marks between two checks of the time. */
const AT_ONCE = 256;

/** Parts of a workflow that are executed; titles and layout are not. */
const EXECUTED = ['fromConnector', 'toConnector', 'fieldBinding'] as const;

/**
 * Returns the keys (`secretKey`) of all secrets that the executed parts of a workflow use with
 * `{%secret.NAME%}`. Accepts documents of any shape; yields when `turn.over`.
 */
export function secretsNamedIn(
  document: object,
  turn: { readonly over: boolean },
): Generator<void, Set<string>, void> {
  return secretsIn(
    EXECUTED.map((part) => (document as Record<string, unknown>)[part]),
    turn,
  );
}

/** The same for all texts in these values, at any depth. */
export function* secretsIn(
  parts: readonly unknown[],
  turn: { readonly over: boolean },
): Generator<void, Set<string>, void> {
  const found = new Set<string>();
  const open: unknown[] = [...parts];
  for (let looked = 1; open.length > 0; looked += 1) {
    const value = open.pop();
    if (typeof value === 'string') yield* namesIn(value, found, turn);
    else if (Array.isArray(value)) for (const item of value as unknown[]) open.push(item);
    else if (typeof value === 'object' && value !== null)
      for (const [name, field] of Object.entries(value)) open.push(name, field);
    if (looked % AT_ONCE === 0 && turn.over) yield;
  }
  return found;
}

function* namesIn(
  text: string,
  found: Set<string>,
  turn: { readonly over: boolean },
): Generator<void, void, void> {
  let looked = 0;
  for (let at = text.indexOf('{%'); at >= 0; at = text.indexOf('{%', at)) {
    const mark = secretMarkAt(text, at);
    if (mark !== null && SECRET_NAME.test(mark.name)) found.add(secretKey(mark.name));
    at = mark?.end ?? at + 2;
    looked += 1;
    if (looked % AT_ONCE === 0 && turn.over) yield;
  }
}
