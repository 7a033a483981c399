/** The id of a record, as a number or, from old clients, as text; null for everything else. -1 and 0 stand for none. */
export function idOf(value: unknown): number | null {
  const id = typeof value === 'string' && /^[1-9]\d{0,9}$/.test(value) ? Number(value) : value;
  return typeof id === 'number' && Number.isInteger(id) && id > 0 && id <= 2_147_483_647
    ? id
    : null;
}

/** What stands for no record. */
const NONE: ReadonlySet<unknown> = new Set([undefined, null, '', 0, -1, '0', '-1']);

/** Does a value name a record, be it one that can be there or not: too great a number, another text? */
export const namesRecord = (value: unknown): boolean => !NONE.has(value);
