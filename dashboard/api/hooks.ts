import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { loadCurrentUser, permissionsVersion } from '../current-user';
import type { TypedDocumentString } from '../generated/operations';
import { notify } from '../parts/notices';
import { toFailure } from './failure';
import type { Failure } from './failure';
import { request } from './request';
import { connection, subscribe } from './subscriptions';
import type { Subscriber } from './subscriptions';

export interface QueryResult<Result> {
  /**
   * The last result of this query. It stays while it is reloaded, while another page loads, and
   * after a failure. Null before the first one.
   */
  readonly data: Result | null;
  readonly failure: Failure | null;
  readonly loading: boolean;
  readonly reload: () => void;
  /** Updates the result, for example with an event of a subscription. */
  readonly update: (to: (data: Result) => Result) => void;
}

interface PendingRequest<Result> {
  readonly controller: AbortController;
  /** Updates that arrive during the request, to be applied to its response. */
  readonly updates: ((data: Result) => Result)[];
  reloadsAfterwards: boolean;
}

interface QueryState<Result> {
  /** The variables as JSON. */
  readonly key: string;
  /** Key of the query without its page variables: results of another query are not shown. */
  readonly operationKey: string;
  readonly data: Result | null;
  readonly failure: Failure | null;
  readonly loading: boolean;
}

const NO_RESULT = { data: null, failure: null } as const;

/** Variables that select the page of a connection. */
const PAGE_VARIABLES = ['first', 'after', 'last', 'before'];

const operationKeyOf = (query: string, key: string): string =>
  query +
  JSON.stringify(
    Object.entries(JSON.parse(key) as object).filter(([name]) => !PAGE_VARIABLES.includes(name)),
  );

/** Results from before a loss of permissions are hidden. */
const withFailure = <Result>(
  state: QueryState<Result>,
  key: string,
  failure: Failure,
): QueryState<Result> => ({
  ...state,
  key,
  data: failure.kind === 'forbidden' ? null : state.data,
  failure,
  loading: false,
});

/** Calls `reconnected` whenever the socket opens, if enabled. */
export function useReconnect(isEnabled: boolean, reconnected: () => void): void {
  useEffect(
    () =>
      isEnabled
        ? connection.subscribe((state) => {
            if (state === 'open') reconnected();
          })
        : undefined,
    [isEnabled, reconnected],
  );
}

/** The requests of `useQuery`: one at a time, the next one replaces or follows it. */
function useRequests<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  key: string,
  operationKey: string,
): Pick<QueryResult<Result>, 'reload' | 'update'> & { readonly state: QueryState<Result> } {
  const [state, setState] = useState<QueryState<Result>>({
    ...NO_RESULT,
    key,
    operationKey,
    loading: true,
  });
  const current = useRef<PendingRequest<Result> | null>(null);

  const load = useCallback((): void => {
    const controller = new AbortController();
    const pending: PendingRequest<Result> = { controller, updates: [], reloadsAfterwards: false };
    current.current = pending;
    setState((before) => ({
      ...(before.operationKey === operationKey ? before : NO_RESULT),
      key,
      operationKey,
      loading: true,
    }));
    const finish = (toState: (before: QueryState<Result>) => QueryState<Result>): void => {
      if (controller.signal.aborted) return;
      current.current = null;
      setState(toState);
      if (pending.reloadsAfterwards) load();
    };
    request(document, JSON.parse(key) as Variables, controller.signal).then(
      (response) => {
        const data = pending.updates.reduce((updated, update) => update(updated), response);
        finish(() => ({ key, operationKey, data, failure: null, loading: false }));
      },
      (error: unknown) => finish((before) => withFailure(before, key, toFailure(error))),
    );
  }, [document, key, operationKey]);

  const permissions = permissionsVersion.value;
  useEffect(() => {
    load();
    return () => {
      current.current?.controller.abort();
      current.current = null;
    };
  }, [load, permissions]);

  // A reload uses the current query, even if it was requested by an older render.
  const latestLoad = useRef(load);
  latestLoad.current = load;
  const reload = useCallback((): void => {
    if (current.current === null) latestLoad.current();
    else current.current.reloadsAfterwards = true;
  }, []);
  const update = useCallback((to: (data: Result) => Result): void => {
    current.current?.updates.push(to);
    setState((before) => (before.data === null ? before : { ...before, data: to(before.data) }));
  }, []);
  return { state, reload, update };
}

/**
 * Runs a query, and again when its variables or the user's permissions change. Updates that arrive
 * during a request are applied to its response as well. A reload waits for the running request.
 * @param topic key of the query if its variables change with time, such as "the last hour"
 */
export function useQuery<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
  topic?: string,
): QueryResult<Result> {
  const key = JSON.stringify(variables);
  const operationKey = useMemo(
    () => topic ?? operationKeyOf(document.toString(), key),
    [document, key, topic],
  );
  const { state, reload, update } = useRequests(document, key, operationKey);
  const { data, failure } = state.operationKey === operationKey ? state : NO_RESULT;
  useReconnect(failure?.kind === 'unreachable', reload);
  return { data, failure, loading: state.loading || state.key !== key, reload, update };
}

/** Runs a query with a reload that resolves once its result is shown, for forms that begin again. */
export function useRefreshedQuery<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
): { readonly query: QueryResult<Result>; readonly refresh: () => Promise<void> } {
  const query = useQuery(document, variables);
  const refresh = async (): Promise<void> => {
    const result = await request(document, variables);
    query.update(() => result);
  };
  return { query, refresh };
}

interface SubscriptionOptions<Result, Variables> extends Pick<
  Subscriber<Result, Variables>,
  'onData'
> {
  /**
   * Called when the user lacks the permission for the subscription: the page then reloads its
   * query, which fails in the same way.
   */
  readonly onForbidden?: () => void;
}

/**
 * Subscribes while the component is mounted. Restarts when the variables or the user's permissions
 * change.
 */
export function useSubscription<Result, Variables>(
  document: TypedDocumentString<Result, Variables>,
  variables: Variables,
  options: SubscriptionOptions<Result, Variables>,
): void {
  const key = JSON.stringify(variables);
  const current = useRef(options);
  current.current = options;
  const permissions = permissionsVersion.value;
  useEffect(() => {
    return subscribe(document, {
      variables: () => JSON.parse(key) as Variables,
      onData: (data) => current.current.onData(data),
      onError(failure) {
        if (failure.kind === 'forbidden') {
          loadCurrentUser();
          current.current.onForbidden?.();
        } else if (failure.kind !== 'signed-out')
          notify(`Changes are not shown as they happen: ${failure.message}`, { isError: true });
      },
    });
  }, [document, key, permissions]);
}

/** Throttles: runs `act` once, `ms` after the first of several calls. */
export function useThrottle(act: () => void, ms: number): () => void {
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
