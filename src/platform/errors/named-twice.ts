import type { InputPath, Problem } from './errors';

/**
 * Returns a problem for each name that occurred before in the list.
 * @param placeOf path of the entry with this index
 */
export function namedTwice(
  names: readonly string[],
  placeOf: (at: number) => InputPath,
): Problem[] {
  const before = new Set<string>();
  return names.flatMap((name, at) => {
    if (!before.has(name)) {
      before.add(name);
      return [];
    }
    return [
      {
        code: 'NAMED_TWICE' as const,
        path: placeOf(at),
        message: `${JSON.stringify(name.slice(0, 100))} is there already.`,
      },
    ];
  });
}
