import { useEffect, useRef, useState } from 'preact/hooks';
import type { Failure } from '../api/failure';
import { subscribe } from '../api/subscriptions';
import { WatchRunDocument } from '../generated/operations';
import { RunResults } from './run-results';

/** Minimum interval between renders, ms. */
const RENDER_INTERVAL_MS = 200;

interface FollowedRun {
  readonly results: RunResults;
  readonly failure: Failure | null;
}

/**
 * Follows a run from its first event to its last if enabled, across connection losses, each event
 * once. `onChange` is called at its start and end. `hasEnded` is the state of the run itself,
 * because a lost run has no last event.
 */
export function useRunEvents(
  runId: string,
  isEnabled: boolean,
  hasEnded: boolean,
  onChange: () => void,
): FollowedRun {
  const results = useRef(new RunResults());
  const [failure, setFailure] = useState<Failure | null>(null);
  const [, setRenders] = useState(0);
  const isOver = useRef(hasEnded);
  isOver.current = hasEnded;
  const currentOnChange = useRef(onChange);
  currentOnChange.current = onChange;

  useEffect(() => {
    if (!isEnabled) return;
    setFailure(null);
    let timer: ReturnType<typeof setTimeout> | null = null;
    const renderSoon = (): void => {
      timer ??= setTimeout(() => {
        timer = null;
        setRenders((count) => count + 1);
      }, RENDER_INTERVAL_MS);
    };
    const unsubscribe = subscribe(WatchRunDocument, {
      variables: () => ({ runId, afterSequence: results.current.sequence }),
      onData({ runEvents }) {
        if (!results.current.apply(runEvents)) return;
        renderSoon();
        if (runEvents.__typename === 'RunStarted' || runEvents.__typename === 'RunFinished')
          currentOnChange.current();
      },
      isComplete: () => results.current.endState !== null || isOver.current,
      onError: setFailure,
    });
    return () => {
      unsubscribe();
      if (timer !== null) clearTimeout(timer);
    };
  }, [runId, isEnabled]);
  return { results: results.current, failure };
}
