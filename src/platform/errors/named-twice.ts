import type { InputPath, Problem } from './errors';

/**
 * What to say of a list whose entries say something by name: each entry with a name that an entry before it has. Which of the two is meant is
 * nothing to guess.
 * @param placeOf where the name of an entry stands
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
