import { route, setQuery } from '../router';
import { Button } from './button';
import { formatNumber } from './format';
import { Icon } from './icon';

interface PageInfo {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly startCursor?: string | null;
  readonly endCursor?: string | null;
}

/** A page of records. */
export interface Connection<Item> {
  readonly nodes: readonly Item[];
  readonly pageInfo: PageInfo;
  /** Null for lists that are not counted. */
  readonly totalCount: number | null;
}

export const PAGE_SIZE = 25;

/** Returns the connection arguments for the page in the URL. */
export function pageVariables(): {
  first?: number;
  after?: string | null;
  last?: number;
  before?: string | null;
} {
  const { query } = route.value;
  const [after, before] = [query.get('after'), query.get('before')];
  return before === null ? { first: PAGE_SIZE, after } : { last: PAGE_SIZE, before };
}

export const isFirstPage = (): boolean =>
  !route.value.query.has('after') && !route.value.query.has('before');

/**
 * Page navigation of a list. The URL holds the current page.
 * @param props.texts texts of the buttons for the previous and the next page
 */
export function Pager({
  info,
  total,
  noun,
  texts: [previous, next] = ['Newer', 'Older'],
}: {
  info: PageInfo;
  total: number | null;
  noun: string;
  texts?: readonly [string, string] | undefined;
}) {
  const goTo = (page: { after: string | null; before: string | null }): void => {
    setQuery(page);
    scrollTo(0, 0);
  };
  const isFirst = isFirstPage();
  return (
    <div class="pager">
      <span class="quiet num">{total === null ? null : `${formatNumber(total)} ${noun}`}</span>
      {isFirst && !info.hasNextPage && !info.hasPreviousPage ? null : (
        <span class="pager-buttons">
          {isFirst ? null : (
            <button
              type="button"
              class="button quiet-button"
              onClick={() => goTo({ after: null, before: null })}
            >
              First
            </button>
          )}
          <Button
            class="button quiet-button"
            isDisabled={isFirst || !info.hasPreviousPage}
            onClick={() => goTo({ after: null, before: info.startCursor ?? null })}
          >
            <Icon name="left" size={14} />
            {previous}
          </Button>
          <Button
            class="button quiet-button"
            isDisabled={!info.hasNextPage}
            onClick={() => goTo({ after: info.endCursor ?? null, before: null })}
          >
            {next}
            <Icon name="right" size={14} />
          </Button>
        </span>
      )}
    </div>
  );
}
