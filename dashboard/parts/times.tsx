import { distance, duration, fullTime, listTime } from './format';
import { now } from './now';

/** A moment of a list; the whole of it as a title. */
export function Time({ at }: { at: string }) {
  return (
    <time dateTime={at} title={fullTime(at)}>
      {listTime(at, now.value)}
    </time>
  );
}

/** How far off a moment is. */
export function Distance({ at }: { at: string }) {
  return (
    <time dateTime={at} title={fullTime(at)}>
      {distance(at, now.value)}
    </time>
  );
}

/** How long something took, or takes until now. */
export function Lasting({
  ms,
  since,
}: {
  ms: number | null | undefined;
  since?: string | null | undefined;
}) {
  if (ms != null) return <span class="num">{duration(ms)}</span>;
  if (since == null) return <span class="quiet">–</span>;
  // Whole seconds: what ticks each second needs no tenths.
  const seconds = Math.floor((now.value - new Date(since).getTime()) / 1_000);
  return <span class="num">{seconds < 1 ? '< 1 s' : duration(seconds * 1_000)}</span>;
}
