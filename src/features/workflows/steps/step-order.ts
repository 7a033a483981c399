/**
 * The execution order of steps: index parts compared as numbers, a prefix before its extensions
 * (`1` before `1_0` before `10`). Invalid and missing indexes come last.
 */
export function compareIndexes(a: string | null | undefined, b: string | null | undefined): number {
  return compareParts(partsOf(a), partsOf(b));
}

/** Sorts a list by index; stable, and each index is parsed once. */
export function inIndexOrder<T>(list: readonly T[], indexOf: (item: T) => string | null): T[] {
  return list
    .map((item) => ({ item, parts: partsOf(indexOf(item)) }))
    .sort((a, b) => compareParts(a.parts, b.parts))
    .map(({ item }) => item);
}

type Parts = readonly number[] | null;

function compareParts(left: Parts, right: Parts): number {
  if (!left || !right) return Number(!left) - Number(!right);
  for (const [position, part] of left.entries()) {
    const other = right[position];
    if (other === undefined) return 1;
    if (part !== other) return part - other;
  }
  return left.length - right.length;
}

const partsOf = (index: string | null | undefined): Parts =>
  typeof index === 'string' && /^\d{1,9}(_\d{1,9})*$/.test(index)
    ? index.split('_').map(Number)
    : null;
