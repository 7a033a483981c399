import { AS_IT_IS } from '../text/template';
import type { ValueWriter } from '../text/template';

/** `{token}` in a text: a field of the credentials. */
const FIELD = /\{([^{}%#]+)\}/g;

/** `{#7.token}`: a field of another connector. */
const FIELD_OF_ANOTHER = /\{#(\d{1,9})\.([^{}%#]+)\}/g;
const JSON_ESCAPE = /\\(?:u([0-9A-Fa-f]{4})|(.))/gs;

/** Names of the fields a text asks for. */
export const fieldsIn = (text: string): string[] =>
  [...text.matchAll(FIELD)].map(([, name]) => name);

/** What a field has, and how it is written at its place. Undefined: there is no such field. */
export type FieldValue = (name: string) => Promise<string | undefined>;

/** The text with its fields filled in; what is no field stays as it stands there. */
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

/** The same where all values are known. */
export function filledWith(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(FIELD, (mark, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? mark) : mark,
  );
}

/**
 * The fields that a text of a request may ask for; those of another connector with its id, null for its own. A body that is written as JSON
 * may have escapes in a mark, so it is read without them, too. What is no field at all in the end is named here all the same.
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
