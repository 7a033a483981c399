import type { Path } from 'graphql/jsutils/Path';
import type { Run } from './run';
import { EventualTexts, requireLength } from './text';
import type { EventualText } from './text';

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
): readonly string[] | Promise<readonly string[]> {
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
): Promise<readonly string[]> {
  const texts: string[] = [];
  for (const field of fields) texts.push(await field.write(object, run, undefined));
  return texts;
}

/**
 * Joins the texts of fields to that of an object, which may have begun already.
 * @throws NotWritable it has more than `maxBytes`
 */
export function joinFields(
  fields: readonly WritableField[],
  texts: readonly string[],
  maxBytes: number,
  begun = '{',
): string {
  let text = begun;
  for (const [index, { label }] of fields.entries()) {
    const separator = text === '{' ? '' : ',';
    text = requireLength(`${text}${separator}${label}${texts[index] ?? 'null'}`, maxBytes);
  }
  return `${text}}`;
}
