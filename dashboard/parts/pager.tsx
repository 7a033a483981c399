import { look } from '../place';
import { Button } from './button';
import { count } from './format';
import { Icon } from './icon';

interface PageInfo {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly startCursor?: string | null;
  readonly endCursor?: string | null;
}

/** Page navigation of a list. The URL holds the current page. */
export function Pager({
  info,
  total,
  what,
  isFirst,
  ways: [back, on] = ['Newer', 'Older'],
}: {
  info: PageInfo;
  total: number;
  what: string;
  isFirst: boolean;
  ways?: readonly [string, string];
}) {
  const turn = (to: { after: string | null; before: string | null }): void => {
    look(to);
    scrollTo(0, 0);
  };
  return (
    <div class="pager">
      <span class="quiet num">
        {count(total)} {what}
      </span>
      {isFirst && !info.hasNextPage && !info.hasPreviousPage ? null : (
        <span class="pager-buttons">
          {isFirst ? null : (
            <button
              type="button"
              class="button quiet-button"
              onClick={() => turn({ after: null, before: null })}
            >
              First
            </button>
          )}
          <Button
            class="button quiet-button"
            off={isFirst || !info.hasPreviousPage}
            onClick={() => turn({ after: null, before: info.startCursor ?? null })}
          >
            <Icon name="left" size={14} />
            {back}
          </Button>
          <Button
            class="button quiet-button"
            off={!info.hasNextPage}
            onClick={() => turn({ after: info.endCursor ?? null, before: null })}
          >
            {on}
            <Icon name="right" size={14} />
          </Button>
        </span>
      )}
    </div>
  );
}
