import { useEffect, useRef, useState } from 'preact/hooks';
import type { Failure } from '../api/failure';
import { follow } from '../api/live';
import { WatchRunDocument } from '../generated/operations';
import { RunFacts } from './run-facts';

/** Minimum interval between renders, ms. */
const DRAW_MS = 200;

export interface FollowedRun {
  readonly facts: RunFacts;
  readonly failure: Failure | null;
}

/**
 * Follows a run from its first event to its last if `wanted`, across connection losses, each event
 * once. `happened` is called at its start and end. `hasEnded` is the state of the run itself,
 * because a lost run has no last event.
 */
export function useRunFacts(
  runId: string,
  wanted: boolean,
  hasEnded: boolean,
  happened: () => void,
): FollowedRun {
  const facts = useRef(new RunFacts());
  const [failure, setFailure] = useState<Failure | null>(null);
  const [, draw] = useState(0);
  const over = useRef(hasEnded);
  over.current = hasEnded;
  const hear = useRef(happened);
  hear.current = happened;

  useEffect(() => {
    if (!wanted) return;
    setFailure(null);
    let timer: ReturnType<typeof setTimeout> | null = null;
    const drawSoon = (): void => {
      timer ??= setTimeout(() => {
        timer = null;
        draw((count) => count + 1);
      }, DRAW_MS);
    };
    const end = follow(WatchRunDocument, {
      variables: () => ({ runId, afterSequence: facts.current.sequence }),
      next({ runEvents }) {
        if (!facts.current.take(runEvents)) return;
        drawSoon();
        if (runEvents.__typename === 'RunStarted' || runEvents.__typename === 'RunFinished')
          hear.current();
      },
      isOver: () => facts.current.ended !== null || over.current,
      failed: setFailure,
    });
    return () => {
      end();
      if (timer !== null) clearTimeout(timer);
    };
  }, [runId, wanted]);
  return { facts: facts.current, failure };
}
