import type { Collection } from '../collection';
import { allOf } from './filter';
import type { Order } from './keyset';
import { pageOf } from './keyset';
import { serialize } from 'node:v8';

/** How long a result is shared by identical reads, ms: readers react to one change within this. */
const SHARED_MS = 100;
/** Maximum number of shared reads; beyond it, each reader reads for itself. */
const MAX_SHARED_READS = 100;

/** Shares reads with the same arguments. A read begun before a change is not reused after it. */
class SharedReads {
  private readonly reads = new Map<string, Promise<unknown>>();

  /** @param key everything the result depends on, except the store */
  get<T>(key: readonly unknown[], read: () => Promise<T>): Promise<T> {
    // Unlike JSON, v8 serialization distinguishes regular expressions and dates.
    const name = serialize(key).toString('latin1');
    const existing = this.reads.get(name);
    if (existing) return existing as Promise<T>;
    // Start once: `read` may return a lazy query that would run for each await.
    const made = (async () => read())();
    if (this.reads.size >= MAX_SHARED_READS) return made;
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
const MAX_CHANGED_IDS = 1_000;

/** Collects the ids of records that changed since the last read; bounded in size. */
export class ChangedIds {
  private ids = new Set<number>();
  private isOverflown = false;
  private wake = (): void => undefined;

  readonly add = (ids: readonly number[]): void => {
    for (const id of ids) this.ids.add(id);
    if (this.ids.size > MAX_CHANGED_IDS) {
      this.ids.clear();
      this.isOverflown = true;
    }
    this.wake();
  };

  /** Returns and clears the collected ids; null if there were too many. */
  take(): ReadonlySet<number> | null {
    const [ids, overflown] = [this.ids, this.isOverflown];
    this.ids = new Set();
    this.isOverflown = false;
    return overflown ? null : ids;
  }

  /** Resolves when ids are collected, the time is over, or the signal aborts. */
  next(signal: AbortSignal, ms: number): Promise<void> {
    if (this.ids.size > 0 || this.isOverflown) return Promise.resolve();
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
const MAX_COMPARED = 500;
/** Maximum number of entries known to a reader; the oldest are dropped. */
const MAX_KNOWN = 1_000;
/** Changes are batched until the next multiple of this time, the same for all readers, ms. */
const BATCH_MS = 250;
/** Poll interval for changes of other processes, which this bus does not report, ms. */
const OTHERS_POLL_MS = 1_000;
/** Poll interval with an exclusive store: lost permissions are not published, ms. */
const PERMISSION_POLL_MS = 3_000;
/** Interval of full comparisons, in case the bus lost an event, ms. */
const COMPLETE_COMPARISON_MS = 15_000;

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
  readonly collection: Collection<T>;
  /** True if no other process can change the list. */
  readonly isExclusive: boolean;
  /** Calls `add` with the ids that this process changed; returns a function that stops it. */
  readonly listen: (add: (ids: readonly number[]) => void) => () => void;
  /** An entry is sent again when one of these fields changes. */
  readonly revision: readonly (string & keyof T)[];
  readonly order: Order;
}

/** What to compare: the changed ids, or everything. */
interface Comparison {
  readonly filter: Record<string, unknown>;
  readonly within: Record<string, unknown>;
  readonly changedIds: ReadonlySet<number>;
  /** Also compare the start of the list and all entries known to the reader. */
  readonly isComplete: boolean;
}

const NONE: ReadonlySet<number> = new Set();

type Row = { readonly _id: number } & Readonly<Record<string, unknown>>;

/**
 * Streams the changes of a list for one reader with a filter. Nothing is queued: for each message,
 * the changes since the last one are compared with what the reader knows, so a slow reader gets
 * only the latest state. The first message is empty and sent at once; read the list after it to
 * miss nothing. Readers with the same filter and permissions share reads and message objects.
 */
export class LiveList<T> {
  private readonly reads = new SharedReads();
  private readonly projection: Readonly<Record<string, 1>>;
  /** Messages by the changed records and the removed ids. */
  private readonly messages = new WeakMap<readonly Row[], Map<string, ListChange<T>>>();

  constructor(private readonly parts: LiveListParts<T>) {
    this.projection = Object.fromEntries(parts.revision.map((field) => [field, 1 as const]));
  }

  async *follow({
    filter,
    within: withinNow,
    signal,
    most,
  }: LiveListQuery): AsyncGenerator<ListChange<T>, void, undefined> {
    const { isExclusive, listen } = this.parts;
    const changes = new ChangedIds();
    const stop = listen((ids) => {
      this.reads.forget();
      changes.add(ids);
    });
    try {
      let within = await withinNow();
      let comparedAt = performance.now();
      const start = await this.readStart({ filter, within, changedIds: NONE, isComplete: true });
      const revisions = new Map([...start].reverse().map((row) => [row._id, this.revisionOf(row)]));
      yield { changed: [], removedIds: [] };
      while (!signal.aborted) {
        // Add 1 ms: a timer may fire slightly early.
        await resolvedAfter(signal, BATCH_MS - (performance.now() % BATCH_MS) + 1);
        await changes.next(signal, isExclusive ? PERMISSION_POLL_MS : OTHERS_POLL_MS);
        if (signal.aborted) return;
        const before = JSON.stringify(within);
        within = await withinNow();
        const changedIds = changes.take();
        const isComplete =
          changedIds === null ||
          JSON.stringify(within) !== before ||
          performance.now() - comparedAt >= (isExclusive ? COMPLETE_COMPARISON_MS : OTHERS_POLL_MS);
        if (isComplete) comparedAt = performance.now();
        else if (changedIds.size === 0) continue;
        const { change, left } = await this.compare(
          revisions,
          { filter, within, changedIds: changedIds ?? NONE, isComplete },
          most,
        );
        changes.add(left);
        if (change.changed.length > 0 || change.removedIds.length > 0) yield change;
      }
    } finally {
      stop();
    }
  }

  private revisionOf(row: Row): string {
    return JSON.stringify(this.parts.revision.map((field) => row[field] ?? null));
  }

  /** Reads the revision fields of those ids that are visible. */
  private readRevisions(
    ids: readonly number[],
    visible: Record<string, unknown>,
  ): Promise<readonly Row[]> {
    return this.reads.get(['revisions', ids, visible], () =>
      this.parts.collection.find<Row>(among(ids, visible), { fields: this.projection }),
    );
  }

  /** Reads the complete records of those ids that are visible. */
  private readRecords(
    ids: readonly number[],
    visible: Record<string, unknown>,
  ): Promise<readonly (T & Row)[]> {
    return this.reads.get(['records', ids, visible], () =>
      this.parts.collection.find<T & Row>(among(ids, visible)),
    );
  }

  /** Reads the start of the list, if the comparison is complete. */
  private async readStart({ filter, isComplete, within }: Comparison): Promise<readonly Row[]> {
    if (!isComplete) return [];
    return this.reads.get(['beginning', filter, within], async () => {
      const page = await pageOf<Row>(this.parts.collection as never, {
        filter,
        within,
        first: MAX_COMPARED,
        orderBy: [this.parts.order],
        projection: this.projection,
      });
      return page.nodes;
    });
  }

  /** Compares with the stored rows and updates `revisions`. `left`: ids for the next message. */
  private async compare(
    revisions: Map<number, string>,
    comparison: Comparison,
    most: number,
  ): Promise<{ readonly change: ListChange<T>; readonly left: readonly number[] }> {
    const visible = allOf([comparison.filter, comparison.within]);
    const start = await this.readStart(comparison);
    const idsAtStart = new Set(start.map(({ _id }) => _id));
    const candidates = [
      ...comparison.changedIds,
      ...(comparison.isComplete ? revisions.keys() : []),
    ];
    const others = [...new Set(candidates)].filter((id) => !idsAtStart.has(id));
    const rows =
      others.length === 0 ? start : [...start, ...(await this.readRevisions(others, visible))];
    const newIds = rows
      .filter((row) => revisions.get(row._id) !== this.revisionOf(row))
      .map(({ _id }) => _id);
    const next = newIds.slice(0, most);
    const changed = next.length === 0 ? [] : await this.readRecords(next, visible);
    const rowIds = new Set(rows.map(({ _id }) => _id));
    const stillFound = new Set(changed.map(({ _id }) => _id));
    const missing = [
      ...others.filter((id) => !rowIds.has(id)),
      ...next.filter((id) => !stillFound.has(id)),
    ];
    const removedIds = missing.filter((id) => revisions.delete(id));
    for (const row of changed) {
      revisions.delete(row._id);
      revisions.set(row._id, this.revisionOf(row));
    }
    forgetOldest(revisions, idsAtStart);
    return { change: this.messageOf(changed, removedIds), left: newIds.slice(most) };
  }

  /**
   * Returns the same object for the same change, so that readers can share results made from it.
   */
  private messageOf(changed: readonly (T & Row)[], removedIds: readonly number[]): ListChange<T> {
    const messages = this.messages.get(changed) ?? new Map<string, ListChange<T>>();
    this.messages.set(changed, messages);
    const key = removedIds.join();
    const message = messages.get(key) ?? { changed, removedIds };
    messages.set(key, message);
    return message;
  }
}

const among = (ids: readonly number[], query: Record<string, unknown>) =>
  allOf([{ _id: { $in: ids } }, query]) as never;

/** Entries at the start of the list are not forgotten. */
function forgetOldest(revisions: Map<number, string>, beginning: ReadonlySet<number>): void {
  for (const id of revisions.keys()) {
    if (revisions.size <= MAX_KNOWN) return;
    if (!beginning.has(id)) revisions.delete(id);
  }
}
