import type { RecordId } from '../record-memory';
import type { ChangedIds } from './cell-counts';

/** Maximum number of ids of a collection in one note; more mean any record. */
const MAX_IDS = 100;

/** An event of the bus: topic and value. */
export type NotedEvent = readonly [topic: string, event: unknown];

/** What other processes have to know of a commit. */
export interface CommitNote {
  readonly records?: ChangedIds;
  readonly events?: readonly NotedEvent[];
}

/** What one transaction changes of the records that processes remember, and its events. */
export class CommitChanges {
  private events: NotedEvent[] = [];
  private readonly ids = new Map<string, Set<RecordId> | null>();

  /** @param ids null: any record of the collection may have changed */
  add(collection: string, ids: readonly RecordId[] | null): void {
    const before = this.ids.get(collection);
    if (before === null) return;
    const all = ids && new Set([...(before ?? []), ...ids]);
    this.ids.set(collection, all && all.size <= MAX_IDS ? all : null);
  }

  /** An event that other processes get together with the changes. */
  addEvent(topic: string, event: unknown): void {
    this.events.push([topic, event]);
  }

  get isEmpty(): boolean {
    return this.ids.size === 0 && this.events.length === 0;
  }

  clear(): void {
    this.ids.clear();
    this.events = [];
  }

  note(): CommitNote & { readonly records: ChangedIds } {
    const records = [...this.ids].map(([name, ids]) => [name, ids && [...ids]] as const);
    const { events } = this;
    return { records: Object.fromEntries(records), ...(events.length > 0 && { events }) };
  }
}
