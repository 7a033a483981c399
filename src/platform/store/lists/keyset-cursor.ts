import { BadInput } from '../../errors/errors';

/** Sort order of a list. Null or missing sorts before every value. */
export interface Order {
  readonly field: string;
  readonly direction: 'asc' | 'desc';
  /** The caller did not request it, so a range filter on another field may replace it. */
  readonly isDefault?: true;
}

export type KeyValue = string | number | boolean | Date | null;

export interface CursorList {
  /** Model and parent of the list: `Run`, `Run workflowId 12`. */
  readonly name: string;
  readonly order: readonly Order[];
}

/** Position of a document in the list: opaque, valid only for the same list and order. */
export function encodeCursor({ name, order }: CursorList, values: readonly KeyValue[]): string {
  return Buffer.from(
    JSON.stringify([
      name,
      signature(order),
      ...values.map((value) => (value instanceof Date ? { at: value.getTime() } : value)),
    ]),
  ).toString('base64url');
}

/** @throws BadInput malformed, or a cursor of another list or order */
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
