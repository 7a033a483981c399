import { FailureText } from '../../parts/request-id';
import { useQuery } from '../../api/hooks';
import { ScheduleNextRunsDocument } from '../../generated/operations';
import { useDebounced } from '../../parts/fields';

/** `Tue, 1 Dec 2026, 21:30 CET`, in the time zone of the schedule. */
const formatIn = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('en-GB', {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  });

function Preview({ cron, timeZone }: { cron: string; timeZone: string }) {
  const { data, failure } = useQuery(ScheduleNextRunsDocument, { cron, timeZone });
  if (failure !== null)
    return (
      <p class="quiet">
        <FailureText failure={failure} />
      </p>
    );
  if (data === null) return null;
  const { words, times, problem } = data.scheduleNextRuns;
  if (problem !== null) return <p class="warn">{problem.message}</p>;
  const format = formatIn(timeZone);
  return (
    <>
      <p>
        <b>{words}</b>
      </p>
      <ol aria-label="Next runs">
        {times.map((at) => (
          <li key={at}>
            <time dateTime={at}>{format.format(new Date(at))}</time>
          </li>
        ))}
      </ol>
    </>
  );
}

/** A cron expression in words, and when it is due next, while it is edited. */
export function NextRunsPreview({ cron, timeZone }: { cron: string; timeZone: string }) {
  const debouncedCron = useDebounced(cron.trim());
  return (
    <div class="next-runs" role="status">
      {debouncedCron === '' ? (
        <p class="quiet">It runs when you start it, or when its webhook is called.</p>
      ) : timeZone === '' ? null : (
        <Preview cron={debouncedCron} timeZone={timeZone} />
      )}
    </div>
  );
}
