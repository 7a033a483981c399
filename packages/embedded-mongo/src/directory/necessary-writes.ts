import { collectionOf } from '../storage/keys';
import type { SpaceLevel } from './space-report';

/** Names of collections with documents that are written even if the disk is nearly full. */
export interface NecessaryCollections {
  /** Documents may be added, and may grow. */
  readonly added: readonly string[];
  /**
   * A write that changes a document may add others to any collection, except to the rest of the
   * reserve.
   */
  readonly changed: readonly string[];
}

/** The same, by the ids of collections. */
export interface NecessaryWrites {
  isAdded(collection: number): boolean;
  isChanged(collection: number): boolean;
}

export const NONE_NECESSARY: NecessaryWrites = { isAdded: () => false, isChanged: () => false };

export function necessaryWrites(
  { added, changed }: NecessaryCollections,
  nameOf: (id: number) => string | undefined,
): NecessaryWrites {
  const [toAdd, toChange] = [new Set(added), new Set(changed)];
  return {
    isAdded: (id) => toAdd.has(nameOf(id) ?? ''),
    isChanged: (id) => toChange.has(nameOf(id) ?? ''),
  };
}

/** How much each changed document may grow: dates, flags, counts. */
const MAX_GROWTH_BYTES = 256;

/**
 * What one write takes of the reserve of a nearly full disk. Writes that free space are accepted,
 * and small changes; what adds documents is not, unless its collection is a necessary one.
 */
export class ReserveUse {
  private added = 0;
  private removed = 0;
  private grown = 0;
  private isOfNecessary = false;

  constructor(private readonly necessary: NecessaryWrites) {}

  record(key: Buffer, before: Buffer | undefined, after: Buffer | undefined): void {
    const collection = collectionOf(key);
    if (collection === undefined || this.necessary.isAdded(collection)) return;
    if (before === undefined) {
      this.added += after?.length ?? 0;
      return;
    }
    if (after === undefined) this.removed += before.length;
    else this.grown += Math.max(0, after.length - before.length - MAX_GROWTH_BYTES);
    this.isOfNecessary ||= this.necessary.isChanged(collection);
  }

  isAcceptedAt(level: SpaceLevel): boolean {
    if (this.added + this.grown <= this.removed) return true;
    return level === 'full' && this.isOfNecessary;
  }
}
