import { signal } from '@preact/signals';
import type { RunRowFragment } from '../../generated/operations';
import { formatDateTime, formatDuration, formatListTime, formatRelativeTime } from '../format';
import { hasEnded } from './run-state';

/** The current time, updated each second while the page is visible. */
export const now = signal(Date.now());
setInterval(() => {
  if (!document.hidden) now.value = Date.now();
}, 1_000);
document.addEventListener('visibilitychange', () => {
  now.value = Date.now();
});

const DAY_MS = 24 * 60 * 60 * 1_000;

/**
 * A time with both forms: the tooltip has the full time and how long ago it was.
 * @param props.form `relative`: `3 h ago`; `exact`: `23 Nov, 05:36`; default: relative within a day
 */
export function Time({ at, form = 'auto' }: { at: string; form?: 'auto' | 'relative' | 'exact' }) {
  const relative = formatRelativeTime(at, now.value);
  const isNear = Math.abs(new Date(at).getTime() - now.value) < DAY_MS;
  return (
    <time dateTime={at} title={`${formatDateTime(at)} (${relative})`}>
      {form === 'relative' || (form === 'auto' && isNear)
        ? relative
        : formatListTime(at, now.value)}
    </time>
  );
}

/** A duration, or the time since the start. */
export function Duration({
  ms,
  since,
}: {
  ms: number | null | undefined;
  since?: string | null | undefined;
}) {
  if (ms != null) return <span class="num">{formatDuration(ms)}</span>;
  if (since == null) return <span class="quiet">–</span>;
  // Whole seconds, because the clock ticks once a second.
  const seconds = Math.floor((now.value - new Date(since).getTime()) / 1_000);
  return <span class="num">{seconds < 1 ? '< 1 s' : formatDuration(seconds * 1_000)}</span>;
}

/** The duration of a run so far. A run that ended without a known time has none. */
export function RunDuration({
  run: { durationMs, startedAt, state },
}: {
  run: Pick<RunRowFragment, 'durationMs' | 'startedAt' | 'state'>;
}) {
  return <Duration ms={durationMs} since={hasEnded(state) ? null : startedAt} />;
}
