/** One page of a growing list, and where it stands in the list. */
export class Page<T> {
  constructor(
    readonly nodes: readonly T[],
    private readonly cursors: readonly string[],
    private readonly more: { readonly before: boolean; readonly after: boolean },
    private readonly count: () => Promise<number>,
  ) {}

  get edges(): { readonly cursor: string; readonly node: T }[] {
    return this.nodes.map((node, index) => ({ cursor: this.cursors[index] ?? '', node }));
  }

  get pageInfo(): PageInfo {
    return {
      hasNextPage: this.more.after,
      hasPreviousPage: this.more.before,
      startCursor: this.cursors[0] ?? null,
      endCursor: this.cursors.at(-1) ?? null,
    };
  }

  /** How many the whole list holds. Counted only when asked. */
  totalCount(): Promise<number> {
    return this.count();
  }

  /** The same page of something made from each document. */
  map<U>(present: (node: T) => U): Page<U> {
    return new Page(this.nodes.map(present), this.cursors, this.more, this.count);
  }
}

/** Where a page stands in its list. */
export interface PageInfo {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly startCursor: string | null;
  readonly endCursor: string | null;
}
