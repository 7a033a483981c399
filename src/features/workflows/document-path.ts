/**
 * A path in a document as a linked list: the last name, and the path before it. A walk creates one
 * for each value, and most are never converted to an array.
 */
export type DocumentPath = { readonly name: string | number; readonly before: DocumentPath } | null;

/** The names of a path, the outermost first. */
export function namesOf(path: DocumentPath): (string | number)[] {
  const names: (string | number)[] = [];
  for (let part = path; part !== null; part = part.before) names.unshift(part.name);
  return names;
}
