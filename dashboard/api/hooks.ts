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
  /** The last answer to this question, also while the next one, or another page of it, is on its way or when that failed. Null: none yet. */
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
  /** The variables without the page: what is held of another question is not shown. */
  readonly question: string;
  readonly data: Result | null;
  readonly failure: Failure | null;
  readonly loading: boolean;
}

const NOTHING_YET = { data: null, failure: null } as const;

/** How connections are told which page is wanted. */
const PAGING = ['first', 'after', 'last', 'before'];

const questionOf = (query: string, key: string): string =>
  query +
  JSON.stringify(
    Object.entries(JSON.parse(key) as object).filter(([name]) => !PAGING.includes(name)),
  );

/**
 * Asks a query, again when its variables change, and when what the reader may has. Changes that come while an answer is on its way are made to it, too. Who asks again while it
 * is asked waits for that answer first, which is shown.
 * @param topic what is asked, where other variables than those of the page may ask the same: "the last hour", at any time
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
          // What was answered while there was a right to it is not shown without.
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

  // What is asked again is the question of the page now, also by who began at an earlier one.
  const current = useRef(load);
  current.current = load;
  const again = useCallback((): void => {
    if (asking.current === null) current.current();
    else asking.current.again = true;
  }, []);

  const { data, failure } = held.question === question ? held : NOTHING_YET;

  // What could not be asked while the service was away is asked when it is back.
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
  /** The reader has no right to it, or no longer: the page asks anew what it shows, and is told the same. */
  readonly refused?: () => void;
}

/** Follows a subscription as long as the page shows it; begins anew when the variables change, and when what the reader may has. */
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

/** What is wanted many times is done once, a while after the first. */
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
