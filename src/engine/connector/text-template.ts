import { AS_IT_IS } from '../text/template';
import type { ValueWriter } from '../text/template';

/** Yields all strings in a value of any type and depth. */
export function* textsIn(root: unknown): Generator<string, void> {
  const open = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === 'string') yield value;
    else if (typeof value === 'object' && value !== null)
      for (const inner of Object.values(value)) open.push(inner ?? null);
  }
}

/** `{token}`: a field of the connector. */
const FIELD = /\{([^{}%#]+)\}/g;

/** `{#7.token}`: a field of another connector. */
const FIELD_OF_ANOTHER = /\{#(\d{1,9})\.([^{}%#]+)\}/g;
const JSON_ESCAPE = /\\(?:u([0-9A-Fa-f]{4})|(.))/gs;

/** Returns the names of the fields that a text uses. */
export const fieldsIn = (text: string): string[] =>
  [...text.matchAll(FIELD)].map(([, name]) => name);

/**
 * Returns the value of a field, encoded for its position; undefined if the field does not exist.
 */
export type FieldValue = (name: string) => Promise<string | undefined>;

/** Fills in the fields of a text; leaves unknown names unchanged. */
export async function filled(
  text: string,
  valueOf: FieldValue,
  writer: ValueWriter = AS_IT_IS,
): Promise<string> {
  let done = '';
  let from = 0;
  for (const match of text.matchAll(FIELD)) {
    const value = await valueOf(match[1]);
    if (value === undefined) continue;
    const between = text.slice(from, match.index);
    writer.pass(between);
    done += between + writer.write(value);
    from = match.index + match[0].length;
  }
  return done + text.slice(from);
}

/** Synchronous variant for known values. */
export function filledWith(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(FIELD, (mark, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? mark) : mark,
  );
}

/**
 * Returns the fields that a text may use; `connectorId` is null for the own connector. Also scans
 * the text without JSON escapes. May return names that are no fields.
 */
export function fieldsAskedBy(
  text: string,
): { readonly connectorId: number | null; readonly name: string }[] {
  if (!text.includes('{') && !text.includes('\\')) return [];
  const readings = text.includes('\\')
    ? [
        text,
        text.replace(JSON_ESCAPE, (_mark, code: string | undefined, letter: string | undefined) =>
          code === undefined ? (letter ?? '') : String.fromCharCode(parseInt(code, 16)),
        ),
      ]
    : [text];
  return readings.flatMap((reading) => [
    ...fieldsIn(reading).map((name) => ({ connectorId: null, name })),
    ...[...reading.matchAll(FIELD_OF_ANOTHER)].map(([, id, name]) => ({
      connectorId: Number(id),
      name,
    })),
  ]);
}
