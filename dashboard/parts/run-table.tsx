import type { RunRowFragment } from '../generated/operations';
import { href } from '../place';
import { count, words } from './format';
import { RunActions } from './run-actions';
import { State } from './state';
import { Lasting, Time } from './times';

function Trigger({ run }: { run: RunRowFragment }) {
  if (run.schedule) return <bdi>{run.schedule.title}</bdi>;
  return <>{words(run.trigger)}</>;
}

function Row({ run, brief }: { run: RunRowFragment; brief: boolean }) {
  const { databaseId, state, error } = run;
  const began = <Time at={run.startedAt ?? run.queuedAt} />;
  const lasting = <Lasting ms={run.durationMs} since={run.startedAt} />;
  return (
    <tr>
      <td class="cell-state">
        <State state={state} />
      </td>
      <td class="cell-main">
        <a class="row-link" href={href(`runs/${databaseId}`)}>
          <bdi>{run.workflowTitle}</bdi>
        </a>{' '}
        <span class="quiet num">#{databaseId}</span>
        {run.test ? <span class="tag">test</span> : null}
        {error ? (
          <span class="row-error">
            <code>{error.code}</code> <bdi dir="ltr">{error.message}</bdi>
          </span>
        ) : null}
        <span class={brief ? 'line quiet' : 'line quiet only-narrow'}>
          {began} · {lasting}
        </span>
      </td>
      {brief ? null : (
        <>
          <td class="only-wide">
            <Trigger run={run} />
          </td>
          <td class="only-wide number">
            {run.steps == null ? <span class="quiet">–</span> : count(run.steps)}
          </td>
          <td class="only-wide nowrap">{began}</td>
          <td class="only-wide number nowrap">{lasting}</td>
        </>
      )}
      <td class="cell-actions">
        <RunActions run={run} quiet />
      </td>
    </tr>
  );
}

export function RunTable({
  runs,
  label,
  brief = false,
}: {
  runs: readonly RunRowFragment[];
  label: string;
  brief?: boolean;
}) {
  return (
    <table class="rows" aria-label={label}>
      <thead>
        <tr>
          <th scope="col" class="th-small">
            State
          </th>
          <th scope="col">Workflow</th>
          {brief ? null : (
            <>
              <th scope="col" class="only-wide">
                Started by
              </th>
              <th scope="col" class="only-wide number">
                Steps
              </th>
              <th scope="col" class="only-wide">
                Started
              </th>
              <th scope="col" class="only-wide number">
                Duration
              </th>
            </>
          )}
          <th scope="col">
            <span class="unseen">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {runs.map((run) => (
          <Row key={run.databaseId} run={run} brief={brief} />
        ))}
      </tbody>
    </table>
  );
}
