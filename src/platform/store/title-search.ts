import type { Model } from 'mongoose';
import { fold } from '../text/fold';
import { foldedPattern } from './filter';
import { MOST_SEARCHED } from './served';

/** A record that was found by what it is called. */
export interface Titled {
  readonly id: number;
  readonly title: string;
}

/** Records whose title has a text in it, `limit` at most; those that begin with it first. */
export type TitleSearch = (text: string, limit: number) => Promise<Titled[]>;

export interface SearchedTitles {
  /** Field of the title, and that of its folded form, which has an index behind the fields of `within`. */
  readonly title: string;
  readonly key: string;
  /** What is searched of the collection: everything, unless said otherwise. */
  readonly within?: Readonly<Record<string, unknown>>;
}

/**
 * Searches titles without regard to case, compatibility forms and what cannot be seen. An index has those that begin with the text; the
 * others are looked for in collections that may be looked through (`requireServed`), and left out of larger ones.
 * @throws BadInput the text is too long, or none a title could have
 */
export function titleSearch<R>(
  model: Model<R>,
  { title, key, within = {} }: SearchedTitles,
): TitleSearch {
  const find = async (condition: object, limit: number): Promise<Titled[]> => {
    const rows = await model
      .find({ ...within, [key]: condition } as never, { [title]: 1 })
      .sort({ [key]: 1 })
      .limit(limit)
      .lean<Readonly<Record<string, unknown>>[]>();
    return rows.map((row) => ({ id: row._id as number, title: row[title] as string }));
  };
  return async (text, limit) => {
    const pattern = foldedPattern('text', text);
    const begin = fold(text);
    if (begin === '' || limit <= 0) return [];
    const first = await find({ $gte: begin, $lt: `${begin}\u{10ffff}` }, limit);
    if (first.length >= limit || (await model.estimatedDocumentCount()) > MOST_SEARCHED)
      return first;
    const known = new Set(first.map(({ id }) => id));
    const others = await find({ $regex: pattern }, limit);
    return [...first, ...others.filter(({ id }) => !known.has(id))].slice(0, limit);
  };
}
