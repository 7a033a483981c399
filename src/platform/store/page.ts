/** One page of a growing list, and where it stands in the list. */
export class Page<T> {
  constructor(
    readonly nodes: readonly T[],
    private readonly cursorAt: (index: number) => string,
    private readonly more: { readonly before: boolean; readonly after: boolean },
    private readonly count: () => Promise<number>,
  ) {}

  /** The cursors are made when they are read. */
  get edges(): { readonly cursor: string; readonly node: T }[] {
    const { cursorAt } = this;
    return this.nodes.map((node, index) => ({
      get cursor() {
        return cursorAt(index);
      },
      node,
    }));
  }

  get pageInfo(): PageInfo {
    const { nodes: { length }, more, cursorAt } = this;
    return {
      hasNextPage: more.after,
      hasPreviousPage: more.before,
      get startCursor() {
        return length === 0 ? null : cursorAt(0);
      },
      get endCursor() {
        return length === 0 ? null : cursorAt(length - 1);
      },
    };
  }

  /** How many the whole list holds. Counted only when asked. */
  totalCount(): Promise<number> {
    return this.count();
  }

  /** The same page of something made from each document. */
  map<U>(present: (node: T) => U): Page<U> {
    return new Page(this.nodes.map(present), this.cursorAt, this.more, this.count);
  }
}

/** Where a page stands in its list. */
export interface PageInfo {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly startCursor: string | null;
  readonly endCursor: string | null;
}
