/**
 * The id of a record, as a number or, from old clients, as text. Null for anything else; -1 and 0
 * mean none.
 */
export function idOf(value: unknown): number | null {
  const id = typeof value === 'string' && /^[1-9]\d{0,9}$/.test(value) ? Number(value) : value;
  return typeof id === 'number' && Number.isInteger(id) && id > 0 && id <= 2_147_483_647
    ? id
    : null;
}

const NONE: ReadonlySet<unknown> = new Set([undefined, null, '', 0, -1, '0', '-1']);

/**
 * Returns whether a value names a record, including ids that cannot exist (out of range, other
 * text).
 */
export const namesRecord = (value: unknown): boolean => !NONE.has(value);
