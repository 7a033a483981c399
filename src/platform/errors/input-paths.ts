import type { InputPath } from './errors';

/**
 * Pairs of path prefixes: that of the service and that of an API, where they differ. `*` matches an
 * array index in both. The first matching row applies; other paths are the same in both.
 */
export type PathTable = readonly (readonly [ours: InputPath, theirs: InputPath])[];

/** Returns the path in the terms of the API. */
export function translated(path: InputPath, table: PathTable): InputPath {
  const row = table.find(
    ([ours]) =>
      ours.length <= path.length &&
      ours.every((part, at) => part === path[at] || (part === '*' && typeof path[at] === 'number')),
  );
  if (!row) return path;
  const [ours, theirs] = row;
  const positions = path.filter((_, at) => ours[at] === '*');
  return [
    ...theirs.map((part) => (part === '*' ? (positions.shift() ?? part) : part)),
    ...path.slice(ours.length),
  ];
}
