import type { Model } from 'mongoose';
import { allOf } from './conjuncts';
import type { Order } from './keyset';
import { pageOf } from './keyset';
import { serialize } from 'node:v8';

/** How long what was read may serve others who ask the same, ms: about as far apart are those who look on hearing of one change. */
const SHARED_MS = 100;
/** Reads remembered at once; more are made by each for himself. */
const MOST = 100;

/** Reads that many make at about the same time: one for all who ask the same. What was begun before a change is given to nobody who asks after it. */
class SharedReads {
  private readonly reads = new Map<string, Promise<unknown>>();

  /** @param question everything that the answer depends on beside the store */
  take<T>(question: readonly unknown[], read: () => Promise<T>): Promise<T> {
    // Unlike JSON it tells patterns and dates apart.
    const name = serialize(question).toString('latin1');
    const known = this.reads.get(name);
    if (known) return known as Promise<T>;
    // Once, also where what `read` answers begins anew for each that waits for it.
    const made = (async () => read())();
    if (this.reads.size >= MOST) return made;
    this.reads.set(name, made);
    const forget = (): void => {
      if (this.reads.get(name) === made) this.reads.delete(name);
    };
    made.then(() => setTimeout(forget, SHARED_MS).unref(), forget);
    return made;
  }

  /** Something has changed. */
  readonly forget = (): void => this.reads.clear();
}

/** Ids one reader may have missed before he looks through the whole list instead. */
const MOST_NOTED = 1_000;

/** Which records of a list have changed since a reader looked last: a set of ids of bounded size, whatever he is doing meanwhile. */
export class NotedChanges {
  private ids = new Set<number>();
  private overflown = false;
  private wake = (): void => undefined;

  readonly note = (ids: readonly number[]): void => {
    for (const id of ids) this.ids.add(id);
    if (this.ids.size > MOST_NOTED) {
      this.ids.clear();
      this.overflown = true;
    }
    this.wake();
  };

  /** What was noted, which is forgotten here; null when it was too much to remember. */
  take(): ReadonlySet<number> | null {
    const [ids, overflown] = [this.ids, this.overflown];
    this.ids = new Set();
    this.overflown = false;
    return overflown ? null : ids;
  }

  /** Resolves when something is noted, the time is over, or the signal aborts; at once when something was. */
  next(signal: AbortSignal, ms: number): Promise<void> {
    if (this.ids.size > 0 || this.overflown) return Promise.resolve();
    return resolvedAfter(signal, ms, (done) => {
      this.wake = done;
    });
  }
}

/** Resolves when the time is over or the signal aborts, or earlier when whoever is given `done` calls it. */
export function resolvedAfter(
  signal: AbortSignal,
  ms: number,
  early: (done: () => void) => void = () => undefined,
): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms).unref();
    signal.addEventListener('abort', done, { once: true });
    early(done);
  });
}

/** Entries at the beginning of a list that are compared with what was there before. */
const MOST_COMPARED = 500;
/** Entries a reader is known to have been told of, or to have found; the ones told longest ago are forgotten. */
const MOST_KNOWN = 1_000;
/** Changes are gathered for so long at most: until the next of the moments, so far apart, at which all readers look. */
const GATHERED_MS = 250;
/** How often the store is asked for what other processes changed, whose bus is not ours. */
const OTHERS_MS = 1_000;
/** Where there are none: a right may have been lost, which nobody publishes. */
const RIGHTS_MS = 3_000;
/** The bus may lose an event. */
const LOOK_AGAIN_MS = 15_000;

export interface ListChange<T> {
  readonly changed: readonly T[];
  readonly removedIds: readonly number[];
}

export interface LiveListQuery {
  readonly filter: Record<string, unknown>;
  /** The part that the reader may see now. */
  readonly within: () => Promise<Record<string, unknown>>;
  readonly signal: AbortSignal;
  /** Changed entries of one message; the others come in the next. */
  readonly most: number;
}

export interface LiveListParts<T> {
  readonly model: Model<T>;
  /** Can no other process change it? */
  readonly isExclusive: boolean;
  /** Calls `note` with the ids of what this process changed, until the answered function is called. */
  readonly listen: (note: (ids: readonly number[]) => void) => () => void;
  /** What an entry is told again for. */
  readonly revision: readonly (string & keyof T)[];
  readonly order: Order;
}

export type LiveList<T> = (query: LiveListQuery) => AsyncGenerator<ListChange<T>, void, undefined>;

/** What is looked at: what was noted, for a start. */
interface Look {
  readonly filter: Record<string, unknown>;
  readonly within: Record<string, unknown>;
  readonly noted: ReadonlySet<number>;
  /** Also the beginning of the list, and all that the reader knows. */
  readonly isWhole: boolean;
}

const NONE: ReadonlySet<number> = new Set();

type Row = { readonly _id: number } & Readonly<Record<string, unknown>>;

/**
 * Changes of a list, as one reader with his filter sees it. Nothing is queued for him: when he asks for the next message, what has changed
 * by then is compared with what he knew, so a slow reader is told the newest state once. The first message comes at once and is empty: from
 * then on nothing is missed, so that is when to read the list. Readers with the same filter who may see the same share what is read, and what they are
 * told is one object.
 */
export function createLiveList<T>({
  model,
  isExclusive,
  listen,
  revision,
  order,
}: LiveListParts<T>): LiveList<T> {
  const projection = Object.fromEntries(revision.map((field) => [field, 1 as const]));
  const revisionOf = (row: Row): string =>
    JSON.stringify(revision.map((field) => row[field] ?? null));
  const among = (ids: readonly number[], query: Record<string, unknown>) =>
    allOf([{ _id: { $in: ids } }, query]) as never;
  const reads = new SharedReads();
  const told = new WeakMap<readonly Row[], Map<string, ListChange<T>>>();

  /** What of these is there, in its revision. */
  const revisionsAmong = (
    ids: readonly number[],
    visible: Record<string, unknown>,
  ): Promise<readonly Row[]> =>
    reads.take(['revisions', ids, visible], () =>
      model.find(among(ids, visible), projection).lean<Row[]>(),
    );

  /** The whole of it. */
  const recordsAmong = (
    ids: readonly number[],
    visible: Record<string, unknown>,
  ): Promise<readonly (T & Row)[]> =>
    reads.take(['records', ids, visible], () =>
      model.find(among(ids, visible)).lean<(T & Row)[]>(),
    );

  /** The beginning of the list, as far as it is compared. */
  const beginningOf = async ({ filter, isWhole, within }: Look): Promise<readonly Row[]> =>
    isWhole
      ? reads.take(
          ['beginning', filter, within],
          async () =>
            (
              await pageOf<Row>(model as never, {
                filter,
                within,
                first: MOST_COMPARED,
                orderBy: [order],
                projection,
              })
            ).nodes,
        )
      : [];

  /** One object for all who are told the same, since results are shared by it. */
  function changeOf(changed: readonly (T & Row)[], removedIds: readonly number[]): ListChange<T> {
    const alike = told.get(changed) ?? new Map<string, ListChange<T>>();
    told.set(changed, alike);
    const name = removedIds.join();
    const change = alike.get(name) ?? { changed, removedIds };
    alike.set(name, change);
    return change;
  }

  /** What changed for a reader who knew these revisions, which are brought up to date, and what was too much for one message. */
  async function compare(
    known: Map<number, string>,
    look: Look,
    most: number,
  ): Promise<{ readonly change: ListChange<T>; readonly left: readonly number[] }> {
    const visible = allOf([look.filter, look.within]);
    const beginning = await beginningOf(look);
    const here = new Set(beginning.map(({ _id }) => _id));
    const others = [...new Set([...look.noted, ...(look.isWhole ? known.keys() : [])])].filter(
      (id) => !here.has(id),
    );
    const rows =
      others.length === 0 ? beginning : [...beginning, ...(await revisionsAmong(others, visible))];
    const news = rows.filter((row) => known.get(row._id) !== revisionOf(row)).map(({ _id }) => _id);
    const next = news.slice(0, most);
    const changed = next.length === 0 ? [] : await recordsAmong(next, visible);
    const [found, stillFound] = [
      new Set(rows.map(({ _id }) => _id)),
      new Set(changed.map(({ _id }) => _id)),
    ];
    const gone = [
      ...others.filter((id) => !found.has(id)),
      ...next.filter((id) => !stillFound.has(id)),
    ];
    const removedIds = gone.filter((id) => known.delete(id));
    for (const row of changed) {
      known.delete(row._id);
      known.set(row._id, revisionOf(row));
    }
    forgetOldest(known, here);
    return { change: changeOf(changed, removedIds), left: news.slice(most) };
  }

  return async function* follow({ filter, within: withinNow, signal, most }) {
    const changes = new NotedChanges();
    const stop = listen((ids) => {
      reads.forget();
      changes.note(ids);
    });
    try {
      let within = await withinNow();
      let lookedAt = performance.now();
      const beginning = await beginningOf({ filter, within, noted: NONE, isWhole: true });
      const known = new Map([...beginning].reverse().map((row) => [row._id, revisionOf(row)]));
      yield { changed: [], removedIds: [] };
      while (!signal.aborted) {
        // A timer may be early by less than one.
        await resolvedAfter(signal, GATHERED_MS - (performance.now() % GATHERED_MS) + 1);
        await changes.next(signal, isExclusive ? RIGHTS_MS : OTHERS_MS);
        if (signal.aborted) return;
        const before = JSON.stringify(within);
        within = await withinNow();
        const noted = changes.take();
        const isWhole =
          noted === null ||
          JSON.stringify(within) !== before ||
          performance.now() - lookedAt >= (isExclusive ? LOOK_AGAIN_MS : OTHERS_MS);
        if (isWhole) lookedAt = performance.now();
        else if (noted.size === 0) continue;
        const { change, left } = await compare(
          known,
          { filter, within, noted: noted ?? NONE, isWhole },
          most,
        );
        changes.note(left);
        if (change.changed.length > 0 || change.removedIds.length > 0) yield change;
      }
    } finally {
      stop();
    }
  };
}

/** Those at the beginning of the list are known for as long as they are there. */
function forgetOldest(known: Map<number, string>, beginning: ReadonlySet<number>): void {
  for (const id of known.keys()) {
    if (known.size <= MOST_KNOWN) return;
    if (!beginning.has(id)) known.delete(id);
  }
}
