import { Long } from 'bson';
import { StoreError } from '../errors';
import type { CommandTimer } from '../time-slices';
import type { Results } from './run-query';
import type { Match, ResumeHint } from './scan';

/** Maximum batch size, as in MongoDB; a reply must stay below 48 MB. */
const BATCH_BYTES = 16 * 1024 * 1024;
const IDLE_MS = 10 * 60_000;
const MAX_OPEN = 5_000;

interface Batch {
  readonly documents: readonly Buffer[];
  readonly exhausted: boolean;
}

/** A query read in batches. Holds no store resources between batches. */
export class Cursor {
  readonly id: Long;
  usedAt = Date.now();
  private held: Match | undefined;
  private left: number;
  private started = false;

  constructor(
    readonly namespace: string,
    /** Session and transaction that opened it; others may not read from it. */
    readonly owner: string | undefined,
    private readonly results: Results,
    private readonly present: (match: Match) => Buffer,
    limit: number,
    id: number,
  ) {
    this.id = Long.fromNumber(id);
    this.left = limit > 0 ? limit : Infinity;
  }

  async next(size: number, timer: CommandTimer): Promise<Batch> {
    const documents: Buffer[] = [];
    let bytes = 0;
    let resumed: ResumeHint = this.started ? 'later' : undefined;
    this.started = true;
    while (documents.length < size && this.left > 0) {
      const match = this.held ?? this.advance(resumed);
      if (this.held === undefined) resumed = undefined;
      this.held = undefined;
      if (match === 'end') return { documents, exhausted: true };
      if (match === undefined) {
        await timer.yieldIfDue();
        continue;
      }
      const document = this.present(match);
      if (documents.length > 0 && bytes + document.length > BATCH_BYTES) {
        this.held = match;
        return { documents, exhausted: false };
      }
      documents.push(document);
      bytes += document.length;
      this.left--;
    }
    return { documents, exhausted: this.left <= 0 };
  }

  private advance(resumed: ResumeHint): Match | undefined | 'end' {
    const step = this.results.next(resumed);
    return step.done === true ? 'end' : step.value;
  }
}

/** Open cursors of the store. */
export class Cursors {
  private readonly open = new Map<string, Cursor>();
  private lastId = Math.floor(Math.random() * 1_000_000_000);

  create(
    namespace: string,
    owner: string | undefined,
    results: Results,
    present: (match: Match) => Buffer,
    limit: number,
  ): Cursor {
    return new Cursor(namespace, owner, results, present, limit, ++this.lastId);
  }

  keep(cursor: Cursor): void {
    if (this.open.size >= MAX_OPEN)
      throw new StoreError('Interrupted', `more than ${MAX_OPEN} open cursors`);
    cursor.usedAt = Date.now();
    this.open.set(cursor.id.toString(), cursor);
  }

  /**
   * Removes a cursor while it is read.
   * @throws StoreError 43 not found, 50738 of another session
   */
  take(id: Long, namespace: string, owner: string | undefined): Cursor {
    const cursor = this.open.get(id.toString());
    if (cursor === undefined || cursor.namespace !== namespace)
      throw new StoreError('CursorNotFound', `cursor id ${id.toString()} not found`);
    if (cursor.owner !== owner)
      throw new StoreError(
        50738,
        `cursor id ${id.toString()} belongs to another session or transaction`,
      );
    this.open.delete(id.toString());
    return cursor;
  }

  kill(id: Long): boolean {
    return this.open.delete(id.toString());
  }

  killOf(owned: (owner: string) => boolean): void {
    for (const [id, { owner }] of this.open)
      if (owner !== undefined && owned(owner)) this.open.delete(id);
  }

  /** Removes cursors that have been idle for ten minutes. */
  expire(now: number): void {
    for (const [id, { usedAt }] of this.open) if (now - usedAt > IDLE_MS) this.open.delete(id);
  }

  get size(): number {
    return this.open.size;
  }
}
