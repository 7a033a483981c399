import type { InputPath } from './errors';

/**
 * Where a door has what the services call otherwise: pairs of beginnings of paths, the service's and the door's. `*` stands for a position
 * in a list, in both. The first row that fits counts; a path that none fits is the same in both.
 */
export type PathTable = readonly (readonly [ours: InputPath, theirs: InputPath])[];

/** The path as the door knows it. */
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
