import { BadInput } from '../errors/errors';

/** What a list is ordered by. Null (or missing) comes before every value, as the store sorts. */
export interface Order {
  readonly field: string;
  readonly direction: 'asc' | 'desc';
  /** Nobody asked for it: a list of a range of another field comes in the order of that one. */
  readonly isDefault?: true;
}

/** A value that a list can be ordered by. */
export type KeyValue = string | number | boolean | Date | null;

/** The list that a cursor belongs to. */
export interface CursorList {
  /** What it is a list of, and below which object: `Run`, `Run workflowId 12`. */
  readonly name: string;
  readonly order: readonly Order[];
}

/** The document's place in the list: opaque to clients, valid only for the same list in the same order. */
export function encodeCursor({ name, order }: CursorList, values: readonly KeyValue[]): string {
  return Buffer.from(
    JSON.stringify([
      name,
      signature(order),
      ...values.map((value) => (value instanceof Date ? { at: value.getTime() } : value)),
    ]),
  ).toString('base64url');
}

/** @throws BadInput for garbage, and for the cursor of another list or another order */
export function decodeCursor(
  { name, order }: CursorList,
  cursor: string,
  argument: string,
): KeyValue[] {
  const refused = (message: string): BadInput =>
    new BadInput('BAD_REQUEST', message, { path: [argument] });
  const [list, signed, ...values] = parse(cursor);
  if (typeof list !== 'string' || typeof signed !== 'string')
    throw refused(`\`${argument}\` takes a cursor that this list gave; this is none.`);
  if (list !== name)
    throw refused(`\`${argument}\` takes a cursor of this list; this one is of another.`);
  if (signed !== signature(order))
    throw refused(
      `\`${argument}\` takes a cursor of this list in the order asked for; this one is of another order.`,
    );
  const read = values.map(keyValue);
  if (read.length !== order.length || read.includes(undefined))
    throw refused(`\`${argument}\` takes a cursor that this list gave; this is none.`);
  return read as KeyValue[];
}

const signature = (order: readonly Order[]): string =>
  order.map(({ field, direction }) => `${field} ${direction}`).join(',');

function parse(cursor: string): unknown[] {
  if (cursor.length > 4_000) return [];
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}

function keyValue(value: unknown): KeyValue | undefined {
  if (
    value === null ||
    typeof value === 'string' ||
    typeof value === 'number' ||
    typeof value === 'boolean'
  )
    return value;
  const at = typeof value === 'object' && 'at' in value ? value.at : undefined;
  return typeof at === 'number' && Number.isFinite(new Date(at).getTime())
    ? new Date(at)
    : undefined;
}
