import { conflictingUpdate, dollarPrefixed, StoreError, unsupported } from '../errors';

const emptyFieldName = (message: string): StoreError =>
  new StoreError(56, 'EmptyFieldName', message);

/**
 * The names of the path of an update operator.
 * @throws StoreError 56 for empty names, 52 for names starting with `$`, 115 for positional components
 */
export function parseUpdatePath(text: string): readonly string[] {
  if (text === '') throw emptyFieldName('An empty update path is not valid.');
  const names = text.split('.');
  if (names.includes(''))
    throw emptyFieldName(
      `The update path '${text}' contains an empty field name, which is not allowed.`,
    );
  const dollar = names.find((name) => name.startsWith('$'));
  if (dollar === '$' || dollar?.startsWith('$['))
    throw unsupported(`the positional component ${dollar} of an update path is`);
  if (dollar !== undefined)
    throw dollarPrefixed(
      `The dollar ($) prefixed field '${dollar}' in '${text}' is not valid for storage.`,
    );
  return names;
}

/** Order in which MongoDB applies updates and adds fields: names by bytes, indexes by value. */
export function comparePaths(a: readonly string[], b: readonly string[]): number {
  for (let index = 0; index < a.length && index < b.length; index++) {
    if (a[index] !== b[index]) return compareNames(a[index], b[index]);
  }
  return a.length - b.length;
}

const isNumber = (name: string): boolean => /^\d+$/.test(name);

function compareNames(a: string, b: string): number {
  if (isNumber(a) && isNumber(b)) return Number(a) - Number(b) || a.length - b.length;
  return a < b ? -1 : 1;
}

interface Branch {
  readonly children: Map<string, Branch>;
  taken: boolean;
}

const newBranch = (): Branch => ({ children: new Map(), taken: false });

/** @throws StoreError 40 two paths are equal or one contains the other */
export function requireDisjoint(paths: Iterable<readonly string[]>): void {
  const root = newBranch();
  for (const parts of paths) {
    let branch = root;
    parts.forEach((part, index) => {
      let next = branch.children.get(part);
      if (next === undefined) branch.children.set(part, (next = newBranch()));
      else if (next.taken || index === parts.length - 1)
        throw conflictingUpdate(parts.join('.'), parts.slice(0, index + 1).join('.'));
      branch = next;
    });
    branch.taken = true;
  }
}
