import { look } from '../place';
import { count } from './format';
import { Icon } from './icon';

interface PageInfo {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly startCursor?: string | null;
  readonly endCursor?: string | null;
}

/** The way through a list; the address says where one is. */
export function Pager({ info, total, what, isFirst, ways: [back, on] = ['Newer', 'Older'] }: { info: PageInfo; total: number; what: string; isFirst: boolean; ways?: readonly [string, string] }) {
  const turn = (to: { after: string | null; before: string | null }): void => {
    look(to);
    scrollTo(0, 0);
  };
  return (
    <div class="pager">
      <span class="quiet num">{count(total)} {what}</span>
      {isFirst && !info.hasNextPage ? null : <span class="pager-buttons">
        {isFirst ? null : <button type="button" class="button quiet-button" onClick={() => turn({ after: null, before: null })}>First</button>}
        <button type="button" class="button quiet-button" disabled={isFirst || !info.hasPreviousPage} onClick={() => turn({ after: null, before: info.startCursor ?? null })}><Icon name="left" size={14} />{back}</button>
        <button type="button" class="button quiet-button" disabled={!info.hasNextPage} onClick={() => turn({ after: info.endCursor ?? null, before: null })}>{on}<Icon name="right" size={14} /></button>
      </span>}
    </div>
  );
}
