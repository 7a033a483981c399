import type { RootDatabase } from 'lmdb';

export interface PageCounts {
  readonly pageSize: number;
  readonly treeBranchPageCount: number;
  readonly treeLeafPageCount: number;
  readonly overflowPages: number;
}

/** Returns the bytes of the pages with data. */
export function usedBytes(db: RootDatabase<Buffer, Buffer>): number {
  const { pageSize, treeBranchPageCount, treeLeafPageCount, overflowPages } =
    db.getStats() as PageCounts;
  return pageSize * (treeBranchPageCount + treeLeafPageCount + overflowPages);
}
