import { may } from '../me';
import type { ScheduleRowFragment } from '../generated/operations';
import { href } from '../place';
import { State } from './state';
import { Time } from './times';

/** The last run. If the user may not read runs, it is null whether or not there was one. */
export function LastRun({ run, of }: { run: ScheduleRowFragment['lastRun']; of: string }) {
  if (run === null)
    return <span class="quiet nowrap">{may.value('CONNECTION:READ') ? 'never' : '–'}</span>;
  return (
    <a class="plain" href={href(`runs/${run.databaseId}`)}>
      <State state={run.state} />
      <span class="line quiet only-wide">
        <Time at={run.startedAt ?? run.queuedAt} />
      </span>
      <span class="unseen">, last run of {of}</span>
    </a>
  );
}
