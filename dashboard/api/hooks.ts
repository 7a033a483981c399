import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { TypedDocumentString } from '../generated/operations';
import { tell } from '../parts/notices';
import { ask } from './ask';
import { asFailure } from './failure';
import type { Failure } from './failure';
import { connection, follow } from './live';
import type { Follower } from './live';

export interface Asked<Result> {
  /** The last answer, also while the next one is on its way or when that failed. Null: none yet. */
  readonly data: Result | null;
  readonly failure: Failure | null;
  readonly loading: boolean;
  readonly again: () => void;
  /** Changes what was answered: by what a subscription tells. */
  readonly change: (to: (data: Result) => Result) => void;
}

interface Asking<Result> {
  readonly ending: AbortController;
  readonly changes: ((data: Result) => Result)[];
  again: boolean;
}

interface Held<Result> {
  readonly key: string;
  readonly data: Result | null;
  readonly failure: Failure | null;
  readonly loading: boolean;
}

/**
 * Asks a query, again when its variables change. Changes that come while an answer is on its way are made to it, too. Who asks again while it
 * is asked waits for that answer first, which is shown.
 */
export function useAsked<Result, Variables>(document: TypedDocumentString<Result, Variables>, variables: Variables): Asked<Result> {
  const key = JSON.stringify(variables);
  const [held, setHeld] = useState<Held<Result>>({ key, data: null, failure: null, loading: true });
  const asking = useRef<Asking<Result> | null>(null);

  const load = useCallback((): void => {
    const turn: Asking<Result> = { ending: new AbortController(), changes: [], again: false };
    asking.current = turn;
    setHeld((before) => ({ ...before, key, loading: true }));
    const end = (become: (before: Held<Result>) => Held<Result>): void => {
      if (turn.ending.signal.aborted) return;
      asking.current = null;
      setHeld(become);
      if (turn.again) load();
    };
    ask(document, JSON.parse(key) as Variables, turn.ending.signal).then(
      (answer) => end(() => ({ key, data: turn.changes.reduce((data, change) => change(data), answer), failure: null, loading: false })),
      (error: unknown) => end((before) => ({ ...before, key, failure: asFailure(error), loading: false })),
    );
  }, [document, key]);

  useEffect(() => {
    load();
    return () => {
      asking.current?.ending.abort();
      asking.current = null;
    };
  }, [load]);

  const again = useCallback((): void => {
    if (asking.current === null) load();
    else asking.current.again = true;
  }, [load]);

  // What could not be asked while the service was away is asked when it is back.
  const wasUnreachable = held.failure?.kind === 'unreachable';
  useEffect(() => (wasUnreachable ? connection.subscribe((now) => { if (now === 'open') again(); }) : undefined), [wasUnreachable, again]);

  const change = useCallback((to: (data: Result) => Result): void => {
    asking.current?.changes.push(to);
    setHeld((before) => (before.data === null ? before : { ...before, data: to(before.data) }));
  }, []);

  return { data: held.data, failure: held.failure, loading: held.loading || held.key !== key, again, change };
}

/** Follows a subscription as long as the page shows it; begins anew when the variables change. */
export function useFollowed<Result, Variables>(document: TypedDocumentString<Result, Variables>, variables: Variables, follower: Pick<Follower<Result, Variables>, 'next'>): void {
  const key = JSON.stringify(variables);
  const current = useRef(follower);
  current.current = follower;
  useEffect(() => {
    return follow(document, {
      variables: () => JSON.parse(key) as Variables,
      next: (data) => current.current.next(data),
      failed(failure) {
        // Who has no right is told so by what the page asks.
        if (failure.kind !== 'no-right' && failure.kind !== 'signed-out') tell(`Changes are not shown as they happen: ${failure.message}`, { isBad: true });
      },
    });
  }, [document, key]);
}

/** What is wanted many times is done once, a while after the first. */
export function useSoon(act: () => void, ms: number): () => void {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const current = useRef(act);
  current.current = act;
  useEffect(() => () => {
    if (timer.current !== null) clearTimeout(timer.current);
  }, []);
  return useCallback(() => {
    timer.current ??= setTimeout(() => {
      timer.current = null;
      current.current();
    }, ms);
  }, [ms]);
}
