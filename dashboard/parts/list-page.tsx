import type { ComponentChildren } from 'preact';
import type { QueryResult } from '../api/hooks';
import { route, setQuery } from '../router';
import { parseSearchText, SearchInput } from './fields';
import { Icon } from './icon';
import { Heading } from './page';
import { Pager } from './pager';
import type { Connection } from './pager';
import { AccessDenied, QueryContent } from './states';

/** Minimum interval between reloads of a list when many records change at once, ms. */
export const LIST_RELOAD_INTERVAL_MS = 1_000;

/** Changes the filters in the URL. The new list starts at its first page. */
export const setFilters = (changes: Readonly<Record<string, string | null>>): void =>
  setQuery({ ...changes, after: null, before: null }, { replace: true });

/** The filters of a list. */
export function FilterBar({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <div class="filters" role="search" aria-label={label}>
      {children}
    </div>
  );
}

/** A filter that only links set. It can be removed here. */
export function RemovableFilter({
  name,
  label,
  children,
}: {
  name: string;
  label: string;
  children: ComponentChildren;
}) {
  return (
    <button
      type="button"
      class="chip taken"
      aria-label={label}
      onClick={() => setFilters({ [name]: null })}
    >
      <span>{children}</span>
      <Icon name="cross" size={12} />
    </button>
  );
}

const findText = (): string | null => route.value.query.get('find');

/** Returns the text that the list is searched for. */
export const currentSearch = (): string => parseSearchText(findText());

/** Searches the list for a text, which is kept in the URL. */
export function ListSearch({ label }: { label: string }) {
  return (
    <SearchInput
      label={label}
      value={findText() ?? ''}
      onSearch={(text) => setFilters({ find: text })}
    />
  );
}

interface ListPageProps<Data, Item> {
  readonly title: string;
  /** Name of the list for screen readers if it is not the title. */
  readonly label?: string;
  /** Shown next to the title. */
  readonly actions?: ComponentChildren;
  readonly filters: ComponentChildren;
  readonly query: QueryResult<Data>;
  /** What is listed, in messages: `runs`. */
  readonly name: string;
  readonly connection: (data: Data) => Connection<Item>;
  /** Singular and plural for the total: `run`, `runs`. */
  readonly nouns: readonly [string, string];
  /** Default: whether the page has no records. */
  readonly isEmpty?: (connection: Connection<Item>) => boolean;
  readonly empty: ComponentChildren;
  readonly pagerTexts?: readonly [string, string];
  /** What the user may not read, instead of the list. */
  readonly deniedName?: string | undefined;
  /** Renders the table. */
  readonly children: (items: readonly Item[]) => ComponentChildren;
}

/** A page with one list: heading, filters, table and page navigation. Its state is in the URL. */
export function ListPage<Data, Item>({
  title,
  label = title,
  actions,
  filters,
  query,
  name,
  connection,
  nouns: [singular, plural],
  isEmpty = ({ nodes }) => nodes.length === 0,
  empty,
  pagerTexts,
  deniedName,
  children,
}: ListPageProps<Data, Item>) {
  const list = (data: Data): ComponentChildren => {
    const { nodes, pageInfo, totalCount } = connection(data);
    return (
      <>
        {children(nodes)}
        <Pager
          info={pageInfo}
          total={totalCount}
          noun={totalCount === 1 ? singular : plural}
          texts={pagerTexts}
        />
      </>
    );
  };
  return (
    <>
      <Heading title={title}>{actions}</Heading>
      {filters}
      <section class="card flush" aria-label={label} aria-busy={query.data === null}>
        {deniedName === undefined ? (
          <QueryContent
            query={query}
            name={name}
            rows={8}
            isEmpty={(data) => isEmpty(connection(data))}
            empty={empty}
          >
            {list}
          </QueryContent>
        ) : (
          <AccessDenied name={deniedName} />
        )}
      </section>
    </>
  );
}
