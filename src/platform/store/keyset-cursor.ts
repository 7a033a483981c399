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

/** The document's place in the order: opaque to clients, valid only for the same order. */
export function encodeCursor(order: readonly Order[], values: readonly KeyValue[]): string {
  return Buffer.from(JSON.stringify([signature(order), ...values.map((value) => (value instanceof Date ? { at: value.getTime() } : value))])).toString('base64url');
}

/** @throws BadInput for garbage and for the cursor of another order */
export function decodeCursor(order: readonly Order[], cursor: string, argument: string): KeyValue[] {
  const [signed, ...values] = parse(cursor);
  if (signed !== signature(order) || values.length !== order.length) {
    throw new BadInput('BAD_REQUEST', 'This is not a cursor of this list in this order.', { path: [argument] });
  }
  return values.map((value) => {
    const read = keyValue(value);
    if (read === undefined) throw new BadInput('BAD_REQUEST', 'This is not a cursor of this list.', { path: [argument] });
    return read;
  });
}

const signature = (order: readonly Order[]): string => order.map(({ field, direction }) => `${field} ${direction}`).join(',');

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
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  const at = typeof value === 'object' && 'at' in value ? value.at : undefined;
  return typeof at === 'number' && Number.isFinite(new Date(at).getTime()) ? new Date(at) : undefined;
}
