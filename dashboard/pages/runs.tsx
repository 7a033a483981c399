import { computed } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { may } from '../me';
import { Blank, Listed, NotForYou } from '../parts/blank';
import { useLiveRuns } from '../parts/live-runs';
import { now } from '../parts/now';
import { Heading } from '../parts/page';
import { Pager } from '../parts/pager';
import { RetryAll } from '../parts/retry-all';
import { RunTable } from '../parts/run-table';
import { isFailure } from '../parts/state';
import { place } from '../place';
import { filterOf, questionOf, RunFilters } from './run-filters';

const SIZE = 25;

/** Interval after which a relative period such as the last hour is recalculated, ms. */
const ANEW_MS = 120_000;
const turn = computed(() => Math.floor(now.value / ANEW_MS));

function NoRuns({ isAll }: { isAll: boolean }) {
  return (
    <Blank icon="empty" title="No runs">
      {isAll ? 'No runs have been started yet.' : 'No results match the filters.'}
    </Blank>
  );
}

export function Runs() {
  const { query } = place.value;
  const question = questionOf(query);
  const key = JSON.stringify(question);
  const [after, before] = [query.get('after'), query.get('before')];
  const isFirst = after === null && before === null;
  // The period is fixed while paging; only the first page moves with time.
  const filter = useMemo(() => filterOf(question, Date.now()), [key, isFirst ? turn.value : null]);
  const asked = useLiveRuns({
    filter,
    includeTest: question.tests,
    size: SIZE,
    after,
    before,
    topic: key,
  });
  // Retry applies to the shown runs if the filter selects only failures and no tests.
  const canRetry =
    question.states.length > 0 &&
    question.states.every(isFailure) &&
    !question.tests &&
    (asked.data?.runs.nodes.length ?? 0) > 0 &&
    may.value('CONNECTION:UPDATE');
  // Users who may start workflows but not read them see only their own tests.
  const isRefused = !may.value('CONNECTION:READ') && !question.tests;
  return (
    <>
      <Heading title="Runs">
        {canRetry ? <RetryAll filter={() => filterOf(question, Date.now())} /> : null}
      </Heading>
      <RunFilters question={question} />
      <section class="card flush" aria-label="Runs" aria-busy={asked.data === null}>
        {isRefused ? (
          <NotForYou what="runs other than your own tests" />
        ) : (
          <Listed
            asked={asked}
            what="Runs"
            rows={8}
            isEmpty={({ runs }) => runs.totalCount === 0}
            empty={<NoRuns isAll={key === JSON.stringify(questionOf(new URLSearchParams()))} />}
          >
            {({ runs }) => (
              <>
                <RunTable runs={runs.nodes} label="Runs" />
                <Pager
                  info={runs.pageInfo}
                  total={runs.totalCount}
                  what={runs.totalCount === 1 ? 'run' : 'runs'}
                  isFirst={isFirst}
                />
              </>
            )}
          </Listed>
        )}
      </section>
    </>
  );
}
