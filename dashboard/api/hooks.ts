import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { TypedDocumentString } from '../generated/operations';
import { lookWhoIAm, rightsChanged } from '../me';
import { tell } from '../parts/notices';
import { ask } from './ask';
import { asFailure } from './failure';
import type { Failure } from './failure';
import { connection, follow } from './live';
import type { Follower } from './live';

export interface Asked<Result> {
  /**
   * The last result of this query. It stays while it is reloaded, while another page loads, and
   * after a failure. Null before the first one.
   */
  readonly data: Result | null;
  readonly failure: Failure | null;
  readonly loading: boolean;
  readonly again: () => void;
  /** Updates the result, for example with an event of a subscription. */
  readonly change: (to: (data: Result) => Result) => void;
}

interface Asking<Result> {
  readonly ending: AbortController;
  readonly changes: ((data: Result) => Result)[];
  again: boolean;
}

interface Held<Result> {
  readonly key: string;
  /** Key of the query without its page arguments: results of another query are not shown. */
  readonly question: string;
  readonly data: Result | null;
  readonly failure: Failure | null;
  readonly loading: boolean;
}

const NOTHING_YET = { data: null, failure: null } as const;

/** Variables that select the page of a connection. */
const PAGING = ['first', 'after', 'last', 'before'];

const questionOf = (query: string, key: string): string =>
  query +
  JSON.stringify(
    Object.entries(JSON.parse(key) as object).filter(([name]) => !PAGING.includes(name)),
  );

/**
 * Runs a query, and again when its variables or the user's rights change. Changes that arrive
 * during a request are applied to its response as well. A reload waits for the running request.
 * @param topic key of the query if its variables change with time, such as "the last hour"
 */
export function useAsked<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
  topic?: string,
): Asked<Result> {
  const key = JSON.stringify(variables);
  const question = useMemo(
    () => topic ?? questionOf(document.toString(), key),
    [document, key, topic],
  );
  const [held, setHeld] = useState<Held<Result>>({ ...NOTHING_YET, key, question, loading: true });
  const asking = useRef<Asking<Result> | null>(null);

  const load = useCallback((): void => {
    const turn: Asking<Result> = { ending: new AbortController(), changes: [], again: false };
    asking.current = turn;
    setHeld((before) => ({
      ...(before.question === question ? before : NOTHING_YET),
      key,
      question,
      loading: true,
    }));
    const end = (become: (before: Held<Result>) => Held<Result>): void => {
      if (turn.ending.signal.aborted) return;
      asking.current = null;
      setHeld(become);
      if (turn.again) load();
    };
    ask(document, JSON.parse(key) as Variables, turn.ending.signal).then(
      (answer) =>
        end(() => ({
          key,
          question,
          data: turn.changes.reduce((data, change) => change(data), answer),
          failure: null,
          loading: false,
        })),
      (error: unknown) =>
        end((before) => {
          const failure = asFailure(error);
          // Results from before a loss of rights are hidden.
          return {
            ...before,
            key,
            data: failure.kind === 'no-right' ? null : before.data,
            failure,
            loading: false,
          };
        }),
    );
  }, [document, key, question]);

  const rights = rightsChanged.value;
  useEffect(() => {
    load();
    return () => {
      asking.current?.ending.abort();
      asking.current = null;
    };
  }, [load, rights]);

  // A reload uses the current query, even if it was requested by an older render.
  const current = useRef(load);
  current.current = load;
  const again = useCallback((): void => {
    if (asking.current === null) current.current();
    else asking.current.again = true;
  }, []);

  const { data, failure } = held.question === question ? held : NOTHING_YET;

  // Retries when the service is reachable again.
  const wasUnreachable = failure?.kind === 'unreachable';
  useEffect(
    () =>
      wasUnreachable
        ? connection.subscribe((now) => {
            if (now === 'open') again();
          })
        : undefined,
    [wasUnreachable, again],
  );

  const change = useCallback((to: (data: Result) => Result): void => {
    asking.current?.changes.push(to);
    setHeld((before) => (before.data === null ? before : { ...before, data: to(before.data) }));
  }, []);

  return { data, failure, loading: held.loading || held.key !== key, again, change };
}

interface Following<Result, Variables> extends Pick<Follower<Result, Variables>, 'next'> {
  /**
   * Called when the user lacks the right to the subscription: the page then reloads its query,
   * which fails in the same way.
   */
  readonly refused?: () => void;
}

/**
 * Follows a subscription while the component is mounted. Restarts when the variables or the user's
 * rights change.
 */
export function useFollowed<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
  follower: Following<Result, Variables>,
): void {
  const key = JSON.stringify(variables);
  const current = useRef(follower);
  current.current = follower;
  const rights = rightsChanged.value;
  useEffect(() => {
    return follow(document, {
      variables: () => JSON.parse(key) as Variables,
      next: (data) => current.current.next(data),
      failed(failure) {
        if (failure.kind === 'no-right') {
          lookWhoIAm();
          current.current.refused?.();
        } else if (failure.kind !== 'signed-out')
          tell(`Changes are not shown as they happen: ${failure.message}`, { isBad: true });
      },
    });
  }, [document, key, rights]);
}

/** Throttles: runs `act` once, `ms` after the first of several calls. */
export function useSoon(act: () => void, ms: number): () => void {
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const current = useRef(act);
  current.current = act;
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
    },
    [],
  );
  return useCallback(() => {
    timer.current ??= setTimeout(() => {
      timer.current = null;
      current.current();
    }, ms);
  }, [ms]);
}
