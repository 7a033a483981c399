import { SECRET_NAME, secretKey, secretMarkAt } from './named-secret';

/** Values and marks between two looks at the clock. */
const AT_ONCE = 256;

/** The parts of a workflow that are executed; beside them stand titles and layout, which send nothing. */
const EXECUTED = ['fromConnector', 'toConnector', 'fieldBinding'] as const;

/**
 * The keys (`secretKey`) of all secrets that a workflow names with `{%secret.NAME%}`, in whatever place of what is executed. Takes documents
 * of any shape, in turns: yields when `turn.over`.
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

/** The same of all texts in these, however deep. */
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
