import type { Model } from 'mongoose';
import { allOf } from './filter';
import type { Order } from './keyset';
import { pageOf } from './keyset';
import { serialize } from 'node:v8';

/** How long a result is shared by identical reads, ms: readers react to one change within this. */
const SHARED_MS = 100;
/** Maximum number of shared reads; beyond it, each reader reads for itself. */
const MOST = 100;

/** Shares reads with the same arguments. A read begun before a change is not reused after it. */
class SharedReads {
  private readonly reads = new Map<string, Promise<unknown>>();

  /** @param question everything the result depends on, except the store */
  take<T>(question: readonly unknown[], read: () => Promise<T>): Promise<T> {
    // Unlike JSON, v8 serialization distinguishes regular expressions and dates.
    const name = serialize(question).toString('latin1');
    const known = this.reads.get(name);
    if (known) return known as Promise<T>;
    // Start once: `read` may return a lazy query that would run for each await.
    const made = (async () => read())();
    if (this.reads.size >= MOST) return made;
    this.reads.set(name, made);
    const forget = (): void => {
      if (this.reads.get(name) === made) this.reads.delete(name);
    };
    made.then(() => setTimeout(forget, SHARED_MS).unref(), forget);
    return made;
  }

  readonly forget = (): void => this.reads.clear();
}

/** Maximum number of changed ids that are collected; beyond it, the whole list is compared. */
const MOST_NOTED = 1_000;

/** Collects the ids of records that changed since the last read; bounded in size. */
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

  /** Returns and clears the collected ids; null if there were too many. */
  take(): ReadonlySet<number> | null {
    const [ids, overflown] = [this.ids, this.overflown];
    this.ids = new Set();
    this.overflown = false;
    return overflown ? null : ids;
  }

  /** Resolves when ids are collected, the time is over, or the signal aborts. */
  next(signal: AbortSignal, ms: number): Promise<void> {
    if (this.ids.size > 0 || this.overflown) return Promise.resolve();
    return resolvedAfter(signal, ms, (done) => {
      this.wake = done;
    });
  }
}

/** Resolves after `ms`, when the signal aborts, or when `early` calls `done`. */
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

/** Number of entries at the start of the list that are compared. */
const MOST_COMPARED = 500;
/** Maximum number of entries known to a reader; the oldest are dropped. */
const MOST_KNOWN = 1_000;
/** Changes are batched until the next multiple of this time, the same for all readers, ms. */
const GATHERED_MS = 250;
/** Poll interval for changes of other processes, which this bus does not report, ms. */
const OTHERS_MS = 1_000;
/** Poll interval with an exclusive store: lost permissions are not published, ms. */
const RIGHTS_MS = 3_000;
/** Interval of full comparisons, in case the bus lost an event, ms. */
const LOOK_AGAIN_MS = 15_000;

export interface ListChange<T> {
  readonly changed: readonly T[];
  readonly removedIds: readonly number[];
}

interface LiveListQuery {
  readonly filter: Record<string, unknown>;
  /** Filter for what the reader may see at this moment. */
  readonly within: () => Promise<Record<string, unknown>>;
  readonly signal: AbortSignal;
  /** Maximum number of changed entries per message; the rest follows in the next one. */
  readonly most: number;
}

interface LiveListParts<T> {
  readonly model: Model<T>;
  /** True if no other process can change the list. */
  readonly isExclusive: boolean;
  /** Calls `note` with the ids that this process changed; returns a function that stops it. */
  readonly listen: (note: (ids: readonly number[]) => void) => () => void;
  /** An entry is sent again when one of these fields changes. */
  readonly revision: readonly (string & keyof T)[];
  readonly order: Order;
}

export type LiveList<T> = (query: LiveListQuery) => AsyncGenerator<ListChange<T>, void, undefined>;

/** What to compare: the noted ids, or everything. */
interface Look {
  readonly filter: Record<string, unknown>;
  readonly within: Record<string, unknown>;
  readonly noted: ReadonlySet<number>;
  /** Also compare the start of the list and all entries known to the reader. */
  readonly isWhole: boolean;
}

const NONE: ReadonlySet<number> = new Set();

type Row = { readonly _id: number } & Readonly<Record<string, unknown>>;

/**
 * Streams the changes of a list for one reader with a filter. Nothing is queued: for each message,
 * the changes since the last one are compared with what the reader knows, so a slow reader gets
 * only the latest state. The first message is empty and sent at once; read the list after it to
 * miss nothing. Readers with the same filter and permissions share reads and message objects.
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

  /** Reads the revision fields of those ids that are visible. */
  const revisionsAmong = (
    ids: readonly number[],
    visible: Record<string, unknown>,
  ): Promise<readonly Row[]> =>
    reads.take(['revisions', ids, visible], () =>
      model.find(among(ids, visible), projection).lean<Row[]>(),
    );

  /** Reads the complete records of those ids that are visible. */
  const recordsAmong = (
    ids: readonly number[],
    visible: Record<string, unknown>,
  ): Promise<readonly (T & Row)[]> =>
    reads.take(['records', ids, visible], () =>
      model.find(among(ids, visible)).lean<(T & Row)[]>(),
    );

  /** Reads the start of the list, if everything is compared. */
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

  /**
   * Returns the same object for the same change, so that readers can share results made from it.
   */
  function changeOf(changed: readonly (T & Row)[], removedIds: readonly number[]): ListChange<T> {
    const alike = told.get(changed) ?? new Map<string, ListChange<T>>();
    told.set(changed, alike);
    const name = removedIds.join();
    const change = alike.get(name) ?? { changed, removedIds };
    alike.set(name, change);
    return change;
  }

  /** Compares with the revisions in `known` and updates them. `left`: ids for the next message. */
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
        // Add 1 ms: a timer may fire slightly early.
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

/** Entries at the start of the list are not forgotten. */
function forgetOldest(known: Map<number, string>, beginning: ReadonlySet<number>): void {
  for (const id of known.keys()) {
    if (known.size <= MOST_KNOWN) return;
    if (!beginning.has(id)) known.delete(id);
  }
}
