import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { toFailure } from '../api/failure';
import type { Failure } from '../api/failure';
import { useReconnect } from '../api/hooks';
import { request } from '../api/request';
import { LogPlaceDocument, LogTurnValueDocument, RunTailDocument } from '../generated/operations';
import type { RunState } from '../generated/operations';
import type { SelectedIterations } from './iterations';
import { lastPosition, LogResults } from './log-results';
import type { LogBranch, LogElement, LogIteration, RunEnd } from './log-results';
import { RunResults } from './run-results';

/** Page size: the maximum of the service. */
const PAGE_SIZE = 100;
/** At least one of this many last events shows where the run was. */
const TAIL_EVENTS = 100;
/** Maximum number of concurrent reads. */
const MAX_CONCURRENT_READS = 4;

export interface LoggedRun {
  readonly id: string;
  readonly state: RunState;
  /** Null if the process of the run was lost: its last location is unknown. */
  readonly lastSequence: number | null;
  readonly finishedAt: string | null;
}

interface LoadedLog {
  readonly results: RunResults;
  readonly failure: Failure | null;
  /** Whether something visible is still loading. */
  readonly isLoading: boolean;
  readonly reload: () => void;
}

const NO_RESULTS = new RunResults();

async function loadEnd(
  { id, state, lastSequence, finishedAt }: LoggedRun,
  signal: AbortSignal,
): Promise<RunEnd> {
  const end = { state, finishedAt, position: null };
  if (state === 'SUCCEEDED' || lastSequence === null) return end;
  const { run } = await request(
    RunTailDocument,
    { id, after: Math.max(0, lastSequence - TAIL_EVENTS) },
    signal,
  );
  return { ...end, position: lastPosition(run?.events.nodes ?? []) };
}

async function loadBranch(
  { parentId, loopIndex }: LogBranch,
  signal: AbortSignal,
): Promise<LogElement[]> {
  const elements: LogElement[] = [];
  for (;;) {
    const { logElements } = await request(
      LogPlaceDocument,
      {
        parentId,
        loopIndex: loopIndex && [...loopIndex],
        after: elements.at(-1)?.elementId ?? null,
        first: PAGE_SIZE,
      },
      signal,
    );
    elements.push(...logElements);
    if (logElements.length < PAGE_SIZE) return elements;
  }
}

/** Loads the item of the iteration, if the branch is one. */
async function loadIteration(
  { parentId, loopIndex }: LogBranch,
  signal: AbortSignal,
): Promise<LogIteration | null> {
  if (loopIndex === null) return null;
  const variables = { elementId: parentId, loopIndex: [...loopIndex] };
  return (await request(LogTurnValueDocument, variables, signal)).logTurn ?? null;
}

type SetFailure = (failure: Failure | null) => void;

/** Creates the log of a run once its end is known. Null loads nothing. */
function useLog(run: LoggedRun | null, attempt: number, setFailure: SetFailure): LogResults | null {
  const [log, setLog] = useState<LogResults | null>(null);
  useEffect(() => {
    if (run === null || log !== null) return undefined;
    const controller = new AbortController();
    loadEnd(run, controller.signal).then(
      (end) => {
        setLog(new LogResults(run.id, end));
        setFailure(null);
      },
      (error: unknown) => {
        if (!controller.signal.aborted) setFailure(toFailure(error));
      },
    );
    return () => controller.abort();
  }, [run?.id ?? null, log === null, attempt]);
  return log;
}

/** Loads branches into the log, and cancels the requests for those that are no longer open. */
function useBranches(
  log: LogResults | null,
  branches: readonly LogBranch[],
  attempt: number,
  setFailure: SetFailure,
): void {
  const [, setRenders] = useState(0);
  const requests = useRef(new Map<string, AbortController>());
  const open = new Map(branches.map((branch) => [JSON.stringify(branch), branch]));

  useEffect(() => {
    for (const [key, controller] of requests.current) {
      if (open.has(key)) continue;
      controller.abort();
      requests.current.delete(key);
    }
    if (log === null) return;
    for (const [key, branch] of open) {
      if (requests.current.size >= MAX_CONCURRENT_READS) return;
      if (requests.current.has(key)) continue;
      const controller = new AbortController();
      const { signal } = controller;
      requests.current.set(key, controller);
      Promise.all([loadBranch(branch, signal), loadIteration(branch, signal)]).then(
        ([elements, iteration]) => {
          requests.current.delete(key);
          log.add(branch, elements, iteration);
          setFailure(null);
          setRenders((count) => count + 1);
        },
        (error: unknown) => {
          if (signal.aborted) return;
          requests.current.delete(key);
          setFailure(toFailure(error));
        },
      );
    }
  }, [log, [...open.keys()].join('\n'), attempt]);
  useEffect(
    () => () => {
      for (const controller of requests.current.values()) controller.abort();
    },
    [],
  );
}

/** Loads the log of an ended run on demand, branch by branch. Null loads nothing. */
export function useLogResults(run: LoggedRun | null, selected: SelectedIterations): LoadedLog {
  const [failure, setFailure] = useState<Failure | null>(null);
  const [attempt, setAttempt] = useState(0);
  const reload = useCallback(() => setAttempt((count) => count + 1), []);
  const log = useLog(run, attempt, setFailure);
  const branches = log?.unloadedBranches(selected) ?? [];
  useBranches(log, branches, attempt, setFailure);
  useReconnect(failure?.kind === 'unreachable', reload);
  return {
    results: log?.results ?? NO_RESULTS,
    failure,
    isLoading: run !== null && failure === null && (log === null || branches.length > 0),
    reload,
  };
}
