import { distance, duration, fullTime, listTime } from './format';
import { now } from './now';

/** A time in a list, with the full time as a tooltip. */
export function Time({ at }: { at: string }) {
  return (
    <time dateTime={at} title={fullTime(at)}>
      {listTime(at, now.value)}
    </time>
  );
}

export function Distance({ at }: { at: string }) {
  return (
    <time dateTime={at} title={fullTime(at)}>
      {distance(at, now.value)}
    </time>
  );
}

/** A duration, or the time since the start. */
export function Lasting({
  ms,
  since,
}: {
  ms: number | null | undefined;
  since?: string | null | undefined;
}) {
  if (ms != null) return <span class="num">{duration(ms)}</span>;
  if (since == null) return <span class="quiet">–</span>;
  // Whole seconds, because the clock ticks once a second.
  const seconds = Math.floor((now.value - new Date(since).getTime()) / 1_000);
  return <span class="num">{seconds < 1 ? '< 1 s' : duration(seconds * 1_000)}</span>;
}
