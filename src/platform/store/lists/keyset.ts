import { BadInput } from '../../errors/errors';
import type { Collection } from '../collection';
import { allOf, NOTHING } from './filter';
import { decodeCursor, encodeCursor } from './keyset-cursor';
import type { CursorList, KeyValue, Order } from './keyset-cursor';
import { Page } from './page';
import type { Slice } from './page';
import { isUniqueField, orderOfRange, requireServed } from './served';
import type { ListRequest } from './served';

export { Page } from './page';
export type { Order } from './keyset-cursor';

/** Page size if neither `first` nor `last` is given. */
export const DEFAULT_PAGE = 20;

/** Upper bound for any page. The APIs enforce the configured limit. */
export const LARGEST_PAGE = 1_000;

/** Part of a list: the `first` rows after a cursor, or the `last` rows before one. */
export interface PageRequest {
  readonly first?: number | null;
  readonly after?: string | null;
  readonly last?: number | null;
  readonly before?: string | null;
}

export interface PageQuery extends PageRequest {
  /**
   * Filter of the caller; see `toQuery`. In a long list, an index must serve it (`requireServed`).
   */
  readonly filter?: Record<string, unknown>;
  /** Filter set by the service: the part of the collection that the caller may see. */
  readonly within?: Record<string, unknown>;
  /** Most significant first; `_id` is appended if missing. Each field has one type, or null. */
  readonly orderBy?: readonly Order[];
  /** Fields to read: `{ title: 1 }`. Fields of the order are added. */
  readonly projection?: Readonly<Record<string, 1>>;
  /** Maximum page size of this list. */
  readonly maxPage?: number;
  /** Parent object of the list; cursors are valid for that parent only. */
  readonly parent?: string;
  /** Source of rows and counts. Default: the collection itself. */
  readonly source?: PageSource<never>;
}

export interface RowsQuery {
  readonly filter: Record<string, unknown>;
  readonly projection?: Readonly<Record<string, 1>>;
  readonly sort: Readonly<Record<string, 1 | -1>>;
  /** Index to use. */
  readonly hint?: Readonly<Record<string, 1 | -1>>;
}

export interface PageSource<T> {
  /** Registers the query; the returned function reads up to `limit` rows. */
  readonly reader: (query: RowsQuery) => (limit: number) => Promise<T[]>;
  readonly count: (filter: Record<string, unknown>, hint?: RowsQuery['hint']) => Promise<number>;
}

/**
 * Returns one page by keyset pagination: it starts at the values of the last row, not at an offset,
 * so concurrent changes cause neither duplicates nor gaps. Documents are lean and read on demand.
 * @throws BadInput `first`/`last` outside 1..1000 (or the limit of the list), both given, a cursor
 *   of another list, or a query that no index serves in a long list
 */
export async function pageOf<T>(collection: Collection<T>, query: PageQuery): Promise<Page<T>> {
  const request = listRequestOf(collection, query);
  const { order } = request;
  const list: CursorList = {
    name: [collection.recordName, ...(query.parent === undefined ? [] : [query.parent])].join(' '),
    order,
  };
  const size = pageSize(query, query.maxPage ?? LARGEST_PAGE);
  const backwards = query.last != null;
  const filter = allOf([request.filter, request.within]);
  const following = (order: readonly Order[], cursor: string, argument: 'after' | 'before') =>
    conditionsAfter(collection, order, valuesOf(collection, list, cursor, argument));
  const past = query.after == null ? null : following(order, query.after, 'after');
  const before =
    query.before == null ? null : following(order.map(reversed), query.before, 'before');
  const [from, to] = backwards ? [before, past] : [past, before];
  const direction = (entry: Order): 1 | -1 => ((entry.direction === 'asc') !== backwards ? 1 : -1);
  const { reader, count } = (query.source as PageSource<T> | undefined) ?? collectionOf(collection);
  const [projection, sort] = [
    projectionWith(query.projection, order),
    Object.fromEntries(order.map((entry) => [entry.field, direction(entry)])),
  ];
  // For lists of many parents, `pagesOf` checks this for all of them together.
  const hint = query.source ? undefined : await requireServed(collection, request);
  // Parts are read one after another; a shared source reads once for each list.
  const parts = from === null ? [{}] : query.source ? [eitherOf(from)] : from;
  const readers = parts.map((part) =>
    reader({
      filter: allOf([filter, part, ...(to ? [eitherOf(to)] : [])]),
      projection,
      sort,
      hint,
    }),
  );

  async function slice(): Promise<Slice<T>> {
    const rows: T[] = [];
    for (const read of readers) {
      if (rows.length > size) break;
      rows.push(...(await read(size + 1 - rows.length)));
    }
    const further = rows.length > size;
    const nodes = backwards ? rows.slice(0, size).reverse() : rows.slice(0, size);
    const more = backwards
      ? { before: further, after: query.before != null }
      : { before: query.after != null, after: further };
    return {
      nodes,
      more,
      cursorAt: (index) =>
        encodeCursor(
          list,
          order.map(({ field }) => valueAt(nodes[index], field)),
        ),
    };
  }
  return new Page(slice, () => count(filter, hint));
}

/** Filter and order of a page, for the index check and for reading. */
export function listRequestOf<T>(
  collection: Collection<T>,
  { filter = {}, within = {}, orderBy = [] }: PageQuery,
): ListRequest {
  const request = { filter, within, order: closed(collection, orderBy) };
  return orderBy[0]?.isDefault
    ? { ...request, order: closed(collection, orderOfRange(collection, request)) }
    : request;
}

const collectionOf = <T>(collection: Collection<T>): PageSource<T> => ({
  reader:
    ({ filter, projection, sort, hint }) =>
    (limit) =>
      collection.find(filter, { fields: projection, sort, limit, ...(hint && { hint }) }),
  // The store knows the size of a whole collection; otherwise it counts index keys.
  count: (filter, hint) =>
    Object.keys(filter).length === 0
      ? collection.size()
      : collection.count(filter, hint && { hint }),
});

/** @throws BadInput malformed, a cursor of another list or order, or values of the wrong type */
function valuesOf<T>(
  collection: Collection<T>,
  list: CursorList,
  cursor: string,
  argument: string,
): KeyValue[] {
  const values = decodeCursor(list, cursor, argument);
  list.order.forEach(({ field }, index) => {
    const type = collection.schema.path(field) as { cast(value: unknown): unknown } | undefined;
    try {
      type?.cast(values[index]);
    } catch {
      throw new BadInput(
        'BAD_REQUEST',
        `\`${argument}\` takes a cursor that this list gave; this is none.`,
        { path: [argument] },
      );
    }
  });
  return values;
}

/** @throws BadInput outside 1..max, or both given */
function pageSize({ first, last }: PageRequest, max: number): number {
  if (first != null && last != null)
    throw new BadInput('BAD_REQUEST', 'Give `first` or `last`, not both.', { path: ['last'] });
  const size = first ?? last ?? Math.min(DEFAULT_PAGE, max);
  const argument = last == null ? 'first' : 'last';
  if (!Number.isInteger(size) || size < 1 || size > max)
    throw new BadInput('BAD_REQUEST', `\`${argument}\` is a whole number from 1 to ${max}.`, {
      path: [argument],
    });
  return size;
}

/** Appends the id, unless a field of the order is unique. */
const closed = <T>(collection: Collection<T>, order: readonly Order[]): readonly Order[] =>
  order.some(({ field }) => isUniqueField(collection, field))
    ? order
    : [...order, { field: '_id', direction: order.at(-1)?.direction ?? 'asc' }];

const reversed = ({ field, direction }: Order): Order => ({
  field,
  direction: direction === 'asc' ? 'desc' : 'asc',
});

/**
 * Conditions for rows after `values`: equal in all fields but the last and greater in that one,
 * then equal in one field less and greater in the next, and so on. Each part is one index range. An
 * order by time is a single part: few records share a moment, but many may share a name or have
 * none.
 */
function conditionsAfter<T>(
  collection: Collection<T>,
  order: readonly Order[],
  values: readonly KeyValue[],
): Record<string, unknown>[] {
  const parts = order
    .map((entry, index) => {
      const equal = Object.fromEntries(
        order.slice(0, index).map(({ field }, at) => [field, values[at]]),
      );
      return further(entry, values[index] ?? null, isNeverNull(collection, entry.field)).map(
        (condition) => ({ ...equal, ...condition }),
      );
    })
    .reverse()
    .flat();
  const [first] = order;
  if (parts.length < 2 || !first || !isMoment(collection, first.field)) return parts;
  return [
    { [first.field]: { [first.direction === 'asc' ? '$gte' : '$lte']: values[0] }, $or: parts },
  ];
}

/** Without parts, no row can follow. */
const eitherOf = (parts: readonly Record<string, unknown>[]): Record<string, unknown> =>
  parts.length === 1 && parts[0] ? parts[0] : parts.length === 0 ? NOTHING : { $or: parts };

/** Comparisons do not match other types, so null (the lowest value) needs separate branches. */
function further(
  { field, direction }: Order,
  value: KeyValue,
  isNeverNull: boolean,
): Record<string, unknown>[] {
  if (direction === 'asc') return [{ [field]: value === null ? { $ne: null } : { $gt: value } }];
  if (value === null) return [];
  return isNeverNull
    ? [{ [field]: { $lt: value } }]
    : [{ [field]: { $lt: value } }, { [field]: null }];
}

const isNeverNull = <T>(collection: Collection<T>, field: string): boolean =>
  field === '_id' ||
  (collection.schema.path(field) as { isRequired?: boolean } | undefined)?.isRequired === true;

const isMoment = <T>(collection: Collection<T>, field: string): boolean =>
  collection.schema.path(field)?.instance === 'Date' && isNeverNull(collection, field);

function projectionWith(
  projection: PageQuery['projection'],
  order: readonly Order[],
): Record<string, 1> | undefined {
  return (
    projection && {
      ...projection,
      ...Object.fromEntries(order.map(({ field }) => [field, 1 as const])),
    }
  );
}

/** Returns the value at a path such as `detail.name`. */
export const fieldAt = (document: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (at, key) => (at as Record<string, unknown> | null | undefined)?.[key],
      document,
    );

const valueAt = (document: unknown, path: string): KeyValue =>
  (fieldAt(document, path) ?? null) as KeyValue;
