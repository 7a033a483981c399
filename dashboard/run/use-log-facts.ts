import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { ask } from '../api/ask';
import { asFailure } from '../api/failure';
import type { Failure } from '../api/failure';
import { connection } from '../api/live';
import { LogPlaceDocument, LogTurnValueDocument, RunTailDocument } from '../generated/operations';
import type { RunState } from '../generated/operations';
import { LogFacts, placeOfLast } from './log-facts';
import type { LogElement, LogPlace, LogTurn, RunEnd } from './log-facts';
import { RunFacts } from './run-facts';
import type { ChosenTurns } from './turns';

/** Page size: the maximum of the service. */
const PAGE = 100;
/** At least one of this many last events shows where the run was. */
const TAIL = 100;
/** Maximum number of concurrent reads. */
const AT_ONCE = 4;

export interface LoggedRun {
  readonly id: string;
  readonly state: RunState;
  /** Null if the process of the run was lost: its last location is unknown. */
  readonly lastSequence: number | null;
}

export interface ReadRun {
  readonly facts: RunFacts;
  readonly failure: Failure | null;
  /** Whether something visible is still loading. */
  readonly reading: boolean;
  readonly again: () => void;
}

const NOTHING_YET = new RunFacts();

async function readEnd(
  { id, state, lastSequence }: LoggedRun,
  signal: AbortSignal,
): Promise<RunEnd> {
  if (state === 'SUCCEEDED' || lastSequence === null) return { state, at: null };
  const { run } = await ask(
    RunTailDocument,
    { id, after: Math.max(0, lastSequence - TAIL) },
    signal,
  );
  return { state, at: placeOfLast(run?.events ?? []) };
}

async function readPlace(
  { parentId, loopIndex }: LogPlace,
  signal: AbortSignal,
): Promise<LogElement[]> {
  const elements: LogElement[] = [];
  for (;;) {
    const { logElements } = await ask(
      LogPlaceDocument,
      {
        parentId,
        loopIndex: loopIndex && [...loopIndex],
        after: elements.at(-1)?.elementId ?? null,
        first: PAGE,
      },
      signal,
    );
    elements.push(...logElements);
    if (logElements.length < PAGE) return elements;
  }
}

/** Loads the item of the iteration, if the place is one. */
async function readTurn(
  { parentId, loopIndex }: LogPlace,
  signal: AbortSignal,
): Promise<LogTurn | null> {
  if (loopIndex === null) return null;
  return (
    (await ask(LogTurnValueDocument, { elementId: parentId, loopIndex: [...loopIndex] }, signal))
      .logTurn ?? null
  );
}

/** Reads the log of an ended run on demand, place by place. Null reads nothing. */
export function useLogFacts(run: LoggedRun | null, chosen: ChosenTurns): ReadRun {
  const [log, setLog] = useState<LogFacts | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [tries, setTries] = useState(0);
  const again = useCallback(() => setTries((count) => count + 1), []);
  const [, draw] = useState(0);
  const asking = useRef(new Map<string, AbortController>());
  const id = run?.id ?? null;

  useEffect(() => {
    if (run === null) return;
    const ending = new AbortController();
    const stop = (error: unknown): void => {
      if (!ending.signal.aborted) setFailure(asFailure(error));
    };
    if (log === null)
      readEnd(run, ending.signal).then((end) => {
        setLog(new LogFacts(run.id, end));
        setFailure(null);
      }, stop);
    return () => ending.abort();
  }, [id, log === null, tries]);

  const missing = log?.missing(chosen) ?? [];
  const open = missing.map((place) => JSON.stringify(place));
  useEffect(() => {
    // Cancels reads of places that are no longer open.
    for (const [key, ending] of asking.current) {
      if (open.includes(key)) continue;
      ending.abort();
      asking.current.delete(key);
    }
    if (log === null) return;
    for (const [nth, place] of missing.entries()) {
      const key = open[nth] ?? '';
      if (asking.current.size >= AT_ONCE) return;
      if (asking.current.has(key)) continue;
      const ending = new AbortController();
      asking.current.set(key, ending);
      Promise.all([readPlace(place, ending.signal), readTurn(place, ending.signal)]).then(
        ([elements, turn]) => {
          asking.current.delete(key);
          log.take(place, elements, turn);
          setFailure(null);
          draw((count) => count + 1);
        },
        (error: unknown) => {
          if (ending.signal.aborted) return;
          asking.current.delete(key);
          setFailure(asFailure(error));
        },
      );
    }
  }, [log, open.join('\n'), tries]);
  useEffect(
    () => () => {
      for (const ending of asking.current.values()) ending.abort();
    },
    [],
  );

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

  return {
    facts: log?.facts ?? NOTHING_YET,
    failure,
    reading: run !== null && failure === null && (log === null || missing.length > 0),
    again,
  };
}
