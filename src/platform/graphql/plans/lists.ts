import { GraphQLError } from 'graphql';
import { isIterableObject } from 'graphql/jsutils/isIterableObject';
import type { SelectedField } from './run';
import { EventualTexts, joinList } from './text';
import type { EventualText } from './text';

/**
 * Writes a list.
 * @throws GraphQLError it is no list, or what `writeItem` throws
 */
export function writeList(
  values: unknown,
  { parentType, definition }: SelectedField,
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
  const all = texts.all();
  return all instanceof Promise ? all.then(joinList) : joinList(all);
}
