import type { Need } from '../../access/need';
import { fold } from '../../text/fold';
import type { Collection } from '../collection';
import { foldedPattern } from './filter';
import { MOST_SEARCHED } from './served';

/** A record found by its title. */
export interface Titled {
  readonly id: number;
  readonly title: string;
}

/** Finds up to `limit` records whose title contains the text; titles that start with it first. */
export type TitleSearch = (text: string, limit: number) => Promise<Titled[]>;

/** A searchable type: its GraphQL name, the permission to read it, and its search. */
export interface SearchSource {
  readonly type: string;
  readonly need: Need;
  readonly find: TitleSearch;
}

interface SearchedTitles {
  /** Field of the title, and its folded form, indexed after the fields of `within`. */
  readonly title: string;
  readonly key: string;
  /** Restricts the search. Default: the whole collection. */
  readonly within?: Readonly<Record<string, unknown>>;
}

/**
 * Searches titles, ignoring case, compatibility forms and invisible characters. Prefix matches use
 * an index; other matches are searched only in collections short enough for a scan
 * (`requireServed`).
 * @throws BadInput the text is too long, or has characters that no title contains
 */
export function titleSearch<R>(
  collection: Collection<R>,
  { title, key, within = {} }: SearchedTitles,
): TitleSearch {
  const find = async (condition: object, limit: number): Promise<Titled[]> => {
    const rows = await collection.find<Readonly<Record<string, unknown>>>(
      { ...within, [key]: condition },
      { fields: { [title]: 1 }, sort: { [key]: 1 }, limit },
    );
    return rows.map((row) => ({ id: row._id as number, title: row[title] as string }));
  };
  return async (text, limit) => {
    const pattern = foldedPattern('text', text);
    const begin = fold(text);
    if (begin === '' || limit <= 0) return [];
    const first = await find({ $gte: begin, $lt: `${begin}\u{10ffff}` }, limit);
    if (first.length >= limit || (await collection.size()) > MOST_SEARCHED) return first;
    const firstIds = new Set(first.map(({ id }) => id));
    const others = await find({ $regex: pattern }, limit);
    return [...first, ...others.filter(({ id }) => !firstIds.has(id))].slice(0, limit);
  };
}
