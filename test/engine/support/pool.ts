import { readdirSync, readFileSync } from 'node:fs';
import type { WorkflowSnapshot } from '../../../src/engine';
import { PooledEngine } from '../../../src/features/runs/execution/pool/pooled-engine';
import type { PoolOptions } from '../../../src/features/runs/execution/pool/pooled-engine';
import type { ChildSettings } from '../../../src/features/runs/execution/pool/messages';
import {
  outcomeOfDeath,
  outcomeOfStart,
} from '../../../src/features/runs/execution/pool/child-death';
import type {
  EventRow,
  RunEngine,
  RunOutcome,
  RunSeat,
  RunTask,
  Supervision,
} from '../../../src/features/runs/execution/run-engine';
import { built } from '../../support/service/built';
import { RUN_PROGRAM } from '../../support/service/programs';
import { outboundConfig, scriptsConfig } from './run';

const MEBIBYTE = 1024 * 1024;

export interface SmallPool extends Partial<Omit<PoolOptions, 'settings'>> {
  readonly settings?: Partial<ChildSettings>;
}

/** The pool of the service, with real processes. */
export const openPool = (small: SmallPool = {}): RunEngine => new PooledEngine(poolOptions(small));

export function poolOptions({ settings, ...more }: SmallPool = {}): PoolOptions {
  return {
    program: built(RUN_PROGRAM),
    most: 3,
    warm: 1,
    idleMs: 60_000,
    ...more,
    settings: {
      outbound: { ...outboundConfig, timeoutMs: 60_000, maxResponseBytes: 20 * MEBIBYTE },
      limits: { maxStoredBytes: 256 * MEBIBYTE },
      scripts: scriptsConfig,
      memoryBytes: 256 * MEBIBYTE,
      stallMs: 30_000,
      beatMs: 100,
      silenceMs: 600_000,
      ...settings,
    },
  };
}

export interface PooledRun {
  readonly outcome: Omit<RunOutcome, 'rest'>;
  readonly rows: readonly EventRow[];
}

export const taskOf = (document: WorkflowSnapshot, more: Partial<RunTask> = {}): RunTask => ({
  document,
  secrets: new Map(),
  connectors: new Map(),
  aggregators: new Map(),
  parameters: null,
  recordFailure: false,
  stepTimeoutMs: 60_000,
  retrying: { retries: 0, backoffMs: 0 },
  runTimeoutMs: 600_000,
  recordSegments: true,
  rules: [],
  callMarking: { addresses: [], header: 'x-test', mark: '' },
  ...more,
});

export async function runIn(
  engine: RunEngine,
  document: WorkflowSnapshot,
  {
    signal = new AbortController().signal,
    store,
    startWebhook = () => Promise.resolve(404),
    beforeFirstSend = () => Promise.resolve(),
    isHeld = () => true,
    ...more
  }: Partial<Supervision & RunTask> = {},
): Promise<PooledRun> {
  const rows: EventRow[] = [];
  const storeBatch = async (batch: readonly EventRow[]): Promise<void> => {
    rows.push(...batch);
    await store?.(batch);
  };
  const loadRules = () => Promise.resolve([]);
  const supervision = {
    signal,
    store: storeBatch,
    startWebhook,
    beforeFirstSend,
    isHeld,
    loadRules,
  };
  const { rest, ...outcome } = await executed(engine, taskOf(document, more), supervision);
  return { outcome, rows: [...rows, ...rest] };
}

/** Maps a missing process or a cancel to the run outcome, as the service does. */
async function executed(
  engine: RunEngine,
  task: RunTask,
  supervision: Supervision,
): Promise<RunOutcome> {
  let seat: RunSeat;
  try {
    seat = await engine.reserve(supervision.signal);
  } catch (error) {
    return supervision.signal.aborted
      ? outcomeOfDeath({ code: 'CANCELLED' }, 0)
      : outcomeOfStart(error);
  }
  try {
    return await seat.execute(task, supervision);
  } finally {
    seat.release();
  }
}

/** Child processes of a process, as Linux reports them. */
export function childrenOf(parent = process.pid): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === parent);
}

function parentOf(pid: number): number | null {
  try {
    const [state, ppid] =
      readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return state === 'Z' ? null : Number(ppid);
  } catch {
    return null;
  }
}

/** Kills the processes of runs that a service has started, by default one in this process. */
export function killRunProcesses(service = process.pid): void {
  for (const pid of childrenOf(service))
    if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('hypha run'))
      process.kill(pid, 'SIGKILL');
}

/** A text and a pattern that take minutes without yielding: each letter leads to a new state. */
export function randomLetters(): Buffer {
  const letters = Buffer.alloc(19 * MEBIBYTE);
  for (let index = 0, state = 1; index < letters.length; index += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    letters[index] = (state >> 16) & 1 ? 0x61 : 0x62;
  }
  return letters;
}
export const BUSY_PATTERN = '[ab]*(a[ab]{900}|b[ab]{900})[ab]*c';
