import type { Path } from 'graphql/jsutils/Path';
import type { Run } from './run';
import { EventualTexts, TextBuilder } from './text';
import type { EventualText, Text } from './text';

/** A field of an object that can be written. */
interface WritableField {
  /** Name and colon. */
  readonly label: string;
  readonly write: (object: unknown, run: Run, parentPath: Path | undefined) => EventualText;
}

/**
 * Writes fields of an object at the same time.
 * @param begun the texts of the first fields, if they are written already
 */
export function writeAll(
  fields: readonly WritableField[],
  object: unknown,
  run: Run,
  path: Path | undefined,
  begun: readonly EventualText[] = [],
): readonly Text[] | Promise<readonly Text[]> {
  const texts = new EventualTexts(begun);
  try {
    for (const field of fields.slice(begun.length)) texts.add(field.write(object, run, path));
  } catch (error) {
    return texts.rejectAfterAll(error);
  }
  return texts.all();
}

/** Writes root fields one after the other. */
export async function writeSerially(
  fields: readonly WritableField[],
  object: unknown,
  run: Run,
): Promise<readonly Text[]> {
  const texts: Text[] = [];
  for (const field of fields) texts.push(await field.write(object, run, undefined));
  return texts;
}

/** Joins the texts of fields to that of an object, which may have begun already. */
export function joinFields(
  fields: readonly WritableField[],
  texts: readonly Text[],
  begun = '',
): Text {
  const builder = new TextBuilder(begun === '' ? '{' : begun);
  for (const [index, { label }] of fields.entries()) {
    builder.add(index === 0 && begun === '' ? label : `,${label}`);
    builder.add(texts[index] ?? 'null');
  }
  return builder.end('}');
}
