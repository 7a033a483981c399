import { GraphQLError } from 'graphql';
import { isIterableObject } from 'graphql/jsutils/isIterableObject';
import type { SelectedField } from './run';
import { EventualTexts, requireLength } from './text';
import type { EventualText } from './text';

/**
 * Writes a list.
 * @throws GraphQLError it is no list, or what `writeItem` throws
 * @throws NotWritable it has more than `maxBytes`
 */
export function writeList(
  values: unknown,
  { parentType, definition }: SelectedField,
  maxBytes: number,
  writeItem: (value: unknown, index: number) => EventualText,
): EventualText {
  if (!isIterableObject(values))
    throw new GraphQLError(
      `Expected Iterable, but did not find one for field "${parentType.name}.${definition.name}".`,
    );
  const texts = new EventualTexts();
  try {
    for (const value of values) texts.add(writeItem(value, texts.length));
  } catch (error) {
    texts.ignoreRejections();
    throw error;
  }
  const join = (items: readonly string[]): string => {
    let text = '[';
    for (const [index, item] of items.entries())
      text = requireLength(index === 0 ? text + item : `${text},${item}`, maxBytes);
    return `${text}]`;
  };
  const all = texts.all();
  return all instanceof Promise ? all.then(join) : join(all);
}
