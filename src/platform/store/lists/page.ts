/** Consecutive documents of a list. */
export interface Slice<T> {
  readonly nodes: readonly T[];
  readonly cursorAt: (index: number) => string;
  /** Whether the list goes on before and after them. */
  readonly more: { readonly before: boolean; readonly after: boolean };
}

/**
 * The first entries after a place in a list, of which one more than `first` were read if there are
 * more.
 */
export const sliceAfter = <T>(
  rows: readonly T[],
  { first, hasBefore }: { readonly first: number; readonly hasBefore: boolean },
  cursorOf: (row: T) => string,
): Slice<T> => ({
  nodes: rows.slice(0, first),
  cursorAt: (index) => cursorOf(rows[index]),
  more: { before: hasBefore, after: rows.length > first },
});

/** One page of a list. Rows and the total count are read only when requested. */
export class Page<T> {
  private slice: Promise<Slice<T>> | undefined;

  constructor(
    private readonly read: () => Promise<Slice<T>>,
    private readonly count: () => Promise<number>,
  ) {}

  get nodes(): Promise<readonly T[]> {
    return this.once().then(({ nodes }) => nodes);
  }

  /** Cursors are computed on access. */
  get edges(): Promise<{ readonly cursor: string; readonly node: T }[]> {
    return this.once().then(({ nodes, cursorAt }) =>
      nodes.map((node, index) => ({
        get cursor() {
          return cursorAt(index);
        },
        node,
      })),
    );
  }

  get pageInfo(): Promise<PageInfo> {
    return this.once().then(({ nodes: { length }, more, cursorAt }) => ({
      hasNextPage: more.after,
      hasPreviousPage: more.before,
      get startCursor() {
        return length === 0 ? null : cursorAt(0);
      },
      get endCursor() {
        return length === 0 ? null : cursorAt(length - 1);
      },
    }));
  }

  /** Number of entries in the whole list. */
  totalCount(): Promise<number> {
    return this.count();
  }

  /** A page with each document converted. */
  map<U>(present: (node: T) => U): Page<U> {
    return this.mapAll((nodes) => Promise.resolve(nodes.map(present)));
  }

  /** A page with all documents converted in one call; `present` must keep the order. */
  mapAll<U>(present: (nodes: readonly T[]) => Promise<readonly U[]>): Page<U> {
    return new Page(async () => {
      const { nodes, ...place } = await this.once();
      return { ...place, nodes: await present(nodes) };
    }, this.count);
  }

  private once(): Promise<Slice<T>> {
    return (this.slice ??= this.read());
  }
}

export interface PageInfo {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly startCursor: string | null;
  readonly endCursor: string | null;
}
