/** Names of collections with documents that are written even if the disk is nearly full. */
export interface NecessaryCollections {
  /** Documents may be added. */
  readonly added: readonly string[];
  /** A transaction that changes a document may add others to any collection. */
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
