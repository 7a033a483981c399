/** Documents that stand next to each other in a list. */
export interface Slice<T> {
  readonly nodes: readonly T[];
  readonly cursorAt: (index: number) => string;
  /** Whether the list goes on before and after them. */
  readonly more: { readonly before: boolean; readonly after: boolean };
}

/** One page of a growing list, and where it stands in the list. What it holds is read when somebody asks for it: who only counts reads no document. */
export class Page<T> {
  private slice: Promise<Slice<T>> | undefined;

  constructor(
    private readonly read: () => Promise<Slice<T>>,
    private readonly count: () => Promise<number>,
  ) {}

  get nodes(): Promise<readonly T[]> {
    return this.once().then(({ nodes }) => nodes);
  }

  /** The cursors are made when they are read. */
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

  /** How many the whole list holds. Counted only when asked. */
  totalCount(): Promise<number> {
    return this.count();
  }

  /** The same page of something made from each document. */
  map<U>(present: (node: T) => U): Page<U> {
    return this.mapAll((nodes) => Promise.resolve(nodes.map(present)));
  }

  /** The same, made of all documents together, in their order. */
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

/** Where a page stands in its list. */
export interface PageInfo {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly startCursor: string | null;
  readonly endCursor: string | null;
}
