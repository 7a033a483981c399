import type { Model, QueryFilter } from 'mongoose';
import { BadInput } from '../errors/errors';
import { allOf, NOTHING } from './conjuncts';
import { decodeCursor, encodeCursor } from './keyset-cursor';
import type { CursorList, KeyValue, Order } from './keyset-cursor';
import { Page } from './page';
import type { Slice } from './page';
import { isUniqueField, orderOfRange, requireServed } from './served';
import type { Asked } from './served';

export { Page } from './page';
export type { Order } from './keyset-cursor';

/** The page when neither `first` nor `last` says how many. */
export const DEFAULT_PAGE = 20;

/** What no page may exceed, whatever is configured. The doors enforce the configured limit. */
export const LARGEST_PAGE = 1_000;

/** Which part of a list: `first` after a cursor, or `last` before one. */
export interface PageRequest {
  readonly first?: number | null;
  readonly after?: string | null;
  readonly last?: number | null;
  readonly before?: string | null;
}

export interface PageQuery extends PageRequest {
  /** MongoDB filter; see `toQuery`. What it asks of a long list must be served by an index; see `requireServed`. */
  readonly filter?: Record<string, unknown>;
  /** What the list is of, whoever asks for whatever in it: the part he may see. */
  readonly within?: Record<string, unknown>;
  /** Most significant first; `_id` closes it where it is not in there. Fields hold one type each, or null. */
  readonly orderBy?: readonly Order[];
  /** Fields to read: `{ title: 1 }`. Those of the order are added. */
  readonly projection?: Readonly<Record<string, 1>>;
  /** The largest page of this list. */
  readonly maxPage?: number;
  /** The object whose list it is: its cursors are for no other list. */
  readonly parent?: string;
  /** Where rows and their number come from: the collection of the model, unless they are read together with others. Asked for the rows of a page once. */
  readonly source?: PageSource<never>;
}

/** What reading a page asks of the store. */
export interface RowsQuery {
  readonly filter: Record<string, unknown>;
  readonly projection?: Readonly<Record<string, 1>>;
  readonly sort: Readonly<Record<string, 1 | -1>>;
  /** The index to use. */
  readonly hint?: Readonly<Record<string, 1 | -1>>;
}

export interface PageSource<T> {
  /** Takes the question; what it answers with asks the store for up to so many rows. */
  readonly reader: (query: RowsQuery) => (limit: number) => Promise<T[]>;
  readonly count: (filter: Record<string, unknown>, hint?: RowsQuery['hint']) => Promise<number>;
}

/**
 * One page by keyset: by the values of the last row seen and not by an offset, so rows that come and go meanwhile neither
 * repeat nor hide others. Documents are lean, and read when somebody asks the page for them.
 * @throws BadInput `first`/`last` outside 1..1000 (or the list's own limit), both at once, a cursor of another list, or what no index serves in a long list
 */
export async function pageOf<T>(model: Model<T>, query: PageQuery): Promise<Page<T>> {
  const asked = askedOf(model, query);
  const { order } = asked;
  const list: CursorList = {
    name: [model.modelName, ...(query.parent === undefined ? [] : [query.parent])].join(' '),
    order,
  };
  const size = pageSize(query, query.maxPage ?? LARGEST_PAGE);
  const backwards = query.last != null;
  const filter = allOf([asked.filter, asked.within]);
  const past =
    query.after == null ? null : beyond(model, order, valuesOf(model, list, query.after, 'after'));
  const before =
    query.before == null
      ? null
      : beyond(model, order.map(reversed), valuesOf(model, list, query.before, 'before'));
  const [from, to] = backwards ? [before, past] : [past, before];
  const direction = (entry: Order): 1 | -1 => ((entry.direction === 'asc') !== backwards ? 1 : -1);
  const { reader, count } = (query.source as PageSource<T> | undefined) ?? collectionOf(model);
  const [projection, sort] = [
    projectionWith(query.projection, order),
    Object.fromEntries(order.map((entry) => [entry.field, direction(entry)])),
  ];
  // Lists of many parents are judged together, by who reads them together.
  const hint = query.source ? undefined : await requireServed(model, asked);
  // Parts are asked for one after the other; who reads lists together asks once for each.
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

/** What a page is of, for the judgement whether it is served, and for reading it. */
export function askedOf<T>(
  model: Model<T>,
  { filter = {}, within = {}, orderBy = [] }: PageQuery,
): Asked {
  const asked = { filter, within, order: closed(model, orderBy) };
  return orderBy[0]?.isDefault
    ? { ...asked, order: closed(model, orderOfRange(model, asked)) }
    : asked;
}

const collectionOf = <T>(model: Model<T>): PageSource<T> => ({
  reader:
    ({ filter, projection, sort, hint }) =>
    (limit) =>
      model
        .find(filter as QueryFilter<T>, projection, hint && { hint })
        .sort(sort)
        .limit(limit)
        .lean<T[]>(),
  // Of a whole collection the store knows it; of everything else it counts keys.
  count: (filter, hint) =>
    Object.keys(filter).length === 0
      ? model.estimatedDocumentCount()
      : model.countDocuments(filter as QueryFilter<T>, hint && { hint }),
});

/** @throws BadInput garbage, the cursor of another list or order, or values that the fields of this order cannot have */
function valuesOf<T>(
  model: Model<T>,
  list: CursorList,
  cursor: string,
  argument: string,
): KeyValue[] {
  const values = decodeCursor(list, cursor, argument);
  list.order.forEach(({ field }, index) => {
    const type = model.schema.path(field) as { cast(value: unknown): unknown } | undefined;
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

/** With the id at the end, unless no two records are the same before it. */
const closed = <T>(model: Model<T>, order: readonly Order[]): readonly Order[] =>
  order.some(({ field }) => isUniqueField(model, field))
    ? order
    : [...order, { field: '_id', direction: order.at(-1)?.direction ?? 'asc' }];

const reversed = ({ field, direction }: Order): Order => ({
  field,
  direction: direction === 'asc' ? 'desc' : 'asc',
});

/**
 * Rows after `values`: equal in all fields but the last and greater there, then equal in fewer and greater in the next, and so on: parts that
 * follow each other, each one range of the index. By time they are one part: few records share a moment, but many may share a name, or have
 * none.
 */
function beyond<T>(
  model: Model<T>,
  order: readonly Order[],
  values: readonly KeyValue[],
): Record<string, unknown>[] {
  const parts = order
    .map((entry, index) => {
      const equal = Object.fromEntries(
        order.slice(0, index).map(({ field }, at) => [field, values[at]]),
      );
      return further(entry, values[index] ?? null, isNeverNull(model, entry.field)).map(
        (condition) => ({ ...equal, ...condition }),
      );
    })
    .reverse()
    .flat();
  const [first] = order;
  if (parts.length < 2 || !first || !isMoment(model, first.field)) return parts;
  return [
    { [first.field]: { [first.direction === 'asc' ? '$gte' : '$lte']: values[0] }, $or: parts },
  ];
}

/** No part: nothing can come after. */
const eitherOf = (parts: readonly Record<string, unknown>[]): Record<string, unknown> =>
  parts.length === 1 && parts[0] ? parts[0] : parts.length === 0 ? NOTHING : { $or: parts };

/** Comparisons do not cross types, so null, the least of all, needs branches of its own. */
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

const isNeverNull = <T>(model: Model<T>, field: string): boolean =>
  field === '_id' ||
  (model.schema.path(field) as { isRequired?: boolean } | undefined)?.isRequired === true;

const isMoment = <T>(model: Model<T>, field: string): boolean =>
  model.schema.path(field)?.instance === 'Date' && isNeverNull(model, field);

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

function valueAt(document: unknown, path: string): KeyValue {
  const value = path
    .split('.')
    .reduce<unknown>(
      (at, key) => (at as Record<string, unknown> | null | undefined)?.[key],
      document,
    );
  return (value ?? null) as KeyValue;
}
