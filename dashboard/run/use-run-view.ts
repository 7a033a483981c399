import { useRef, useState } from 'preact/hooks';
import type { Failure } from '../api/failure';
import type { RunQuery } from '../generated/operations';
import { formatNumber } from '../parts/format';
import { hasEnded } from '../parts/runs/run-state';
import type { SelectedIterations } from './iterations';
import type { EngineMessage, RunResults } from './run-results';
import { useLogResults } from './use-log-results';
import type { LoggedRun } from './use-log-results';
import { useRunEvents } from './use-run-events';

/** Runs with at most this many events are read from their events, which is quick. */
const MAX_EVENTS_TO_READ = 1_000;

type QueriedRun = Pick<
  NonNullable<RunQuery['run']>,
  'databaseId' | 'state' | 'hasLog' | 'lastSequence' | 'finishedAt'
>;

/**
 * Engine messages are only in the events: for a run that is read from its log, they are loaded on request.
 */
export interface UnloadedMessages {
  readonly events: number;
  readonly load: () => void;
  /** Progress text while loading. */
  readonly progress: string | null;
  readonly isLoaded: boolean;
}

export interface RunView {
  readonly results: RunResults;
  /** What is read from events, which have all times. Null until they are loaded. */
  readonly timings: RunResults | null;
  readonly messages: readonly EngineMessage[];
  readonly unloaded: UnloadedMessages | null;
  readonly failure: Failure | null;
  readonly reload: (() => void) | undefined;
  /** Progress text while the steps are loading. */
  readonly progress: string | null;
}

const loggedRun = ({
  databaseId,
  state,
  hasLog,
  lastSequence,
  finishedAt,
}: QueriedRun): LoggedRun | null =>
  hasLog && hasEnded(state) && (lastSequence == null || lastSequence > MAX_EVENTS_TO_READ)
    ? { id: String(databaseId), state, lastSequence: lastSequence ?? null, finishedAt }
    : null;

/**
 * What a run did: from its events, or from its log on demand if it had already ended with many
 * events.
 */
export function useRunView(
  id: string,
  run: QueriedRun | null,
  selected: SelectedIterations,
  onChange: () => void,
): RunView {
  const initialLog = useRef<LoggedRun | null | undefined>(undefined);
  if (run !== null && initialLog.current === undefined) initialLog.current = loggedRun(run);
  const usesEvents = (initialLog.current ?? null) === null;
  const [wantsMessages, setWantsMessages] = useState(false);
  const isOver = run !== null && hasEnded(run.state);
  const events = useRunEvents(id, run !== null && (usesEvents || wantsMessages), isOver, onChange);
  // Results that were dropped while following a run are read from its log.
  const laterLog = useRef<LoggedRun | null>(null);
  if (run !== null && usesEvents && selected.size > 0 && events.results.hasDropped)
    laterLog.current ??= loggedRun(run);
  const logged = initialLog.current ?? laterLog.current;
  const log = useLogResults(logged, selected);
  const { messages, sequence } = events.results;
  const last = run?.lastSequence ?? 0;
  const isBehind = isOver && events.failure === null && sequence < last;
  // A run whose process was lost has no last event.
  if (isOver && !isBehind && events.failure === null && events.results.endState === null)
    events.results.endRun(run.state, run.finishedAt);
  // Nothing is known of an active run before its first event.
  const isWaiting = run?.state === 'RUNNING' && events.failure === null && sequence === 0;
  const eventProgress = isBehind
    ? `loading event ${formatNumber(sequence)} of ${formatNumber(last)}`
    : isWaiting
      ? 'loading events'
      : null;
  if (logged === null)
    return {
      ...events,
      timings: events.results,
      messages,
      unloaded: null,
      reload: undefined,
      progress: eventProgress,
    };
  const unloaded = {
    events: last,
    load: () => setWantsMessages(true),
    progress: wantsMessages ? (eventProgress ?? '') : null,
    isLoaded: wantsMessages && !isBehind,
  };
  return {
    ...log,
    timings: usesEvents || unloaded.isLoaded ? events.results : null,
    messages,
    unloaded: usesEvents ? null : unloaded,
    failure: log.failure ?? events.failure,
    progress: log.isLoading ? 'loading the log' : null,
  };
}
