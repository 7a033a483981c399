import { useRef, useState } from 'preact/hooks';
import type { Failure } from '../api/failure';
import type { RunQuery } from '../generated/operations';
import { count } from '../parts/format';
import { hasEnded } from '../parts/state';
import type { Note, RunFacts } from './run-facts';
import type { ChosenTurns } from './turns';
import { useLogFacts } from './use-log-facts';
import type { LoggedRun } from './use-log-facts';
import { useRunFacts } from './use-run-facts';

/** Runs with at most this many events are read from their events, which is quick. */
const FEW_EVENTS = 1_000;

type AskedRun = Pick<
  NonNullable<RunQuery['run']>,
  'databaseId' | 'state' | 'hasLog' | 'lastSequence'
>;

/**
 * Notes are only in the events: for a run that is read from its log, they are loaded on request.
 */
export interface UnreadNotes {
  readonly events: number;
  readonly read: () => void;
  /** Progress text while loading. */
  readonly progress: string | null;
  readonly isRead: boolean;
}

export interface ShownRun {
  readonly facts: RunFacts;
  readonly notes: readonly Note[];
  readonly unread: UnreadNotes | null;
  readonly failure: Failure | null;
  readonly again: (() => void) | undefined;
  /** Progress text while the steps are loading. */
  readonly reading: string | null;
}

const loggedRun = ({ databaseId, state, hasLog, lastSequence }: AskedRun): LoggedRun | null =>
  hasLog && hasEnded(state) && (lastSequence == null || lastSequence > FEW_EVENTS)
    ? { id: String(databaseId), state, lastSequence: lastSequence ?? null }
    : null;

/**
 * What a run did: from its events, or from its log on demand if it had already ended with many
 * events.
 */
export function useShownRun(
  id: string,
  found: AskedRun | null,
  chosen: ChosenTurns,
  happened: () => void,
): ShownRun {
  const first = useRef<LoggedRun | null | undefined>(undefined);
  if (found !== null && first.current === undefined) first.current = loggedRun(found);
  const isFollowed = (first.current ?? null) === null;
  const [wantsNotes, setWantsNotes] = useState(false);
  const isOver = found !== null && hasEnded(found.state);
  const events = useRunFacts(id, found !== null && (isFollowed || wantsNotes), isOver, happened);
  // Results that were dropped while following a run are read from its log.
  const older = useRef<LoggedRun | null>(null);
  if (found !== null && isFollowed && chosen.size > 0 && events.facts.letsGo)
    older.current ??= loggedRun(found);
  const logged = first.current ?? older.current;
  const log = useLogFacts(logged, chosen);
  const { notes, sequence } = events.facts;
  const last = found?.lastSequence ?? 0;
  const isBehind = isOver && events.failure === null && sequence < last;
  // Nothing is known of an active run before its first event.
  const isUnheard = found?.state === 'RUNNING' && events.failure === null && sequence === 0;
  const progress = isBehind
    ? `loading event ${count(sequence)} of ${count(last)}`
    : isUnheard
      ? 'loading events'
      : null;
  if (logged === null)
    return { ...events, notes, unread: null, again: undefined, reading: progress };
  const unread = isFollowed
    ? null
    : {
        events: last,
        read: () => setWantsNotes(true),
        progress: wantsNotes ? (progress ?? '') : null,
        isRead: wantsNotes && !isBehind,
      };
  return {
    ...log,
    notes,
    unread,
    failure: log.failure ?? events.failure,
    reading: log.reading ? 'loading the log' : null,
  };
}
