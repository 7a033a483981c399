import type { OutboundConfig } from '../../../../platform/outbound';
import type { ScriptsConfig } from '../../../../platform/scripts';
import type { NamedSecret } from '../../../../platform/secrets';
import type { EventRow, ExecutionLimits, RunOutcome, RunTask } from '../run-engine';

/** What a child is told once: it holds for every run of the service. */
export interface ChildSettings {
  readonly outbound: OutboundConfig;
  readonly limits: ExecutionLimits;
  readonly scripts: ScriptsConfig;
  /** What a run may take on top of what a child needs itself. */
  readonly memoryBytes: number;
  /** How long a run may hold the child without letting it come back. */
  readonly stallMs: number;
  /** How often a child that executes a run says that it lives. */
  readonly beatMs: number;
  /** A service that says nothing for so long, ms, is halted, and its runs are not its own for much longer. */
  readonly silenceMs: number;
}

/** A run as it is sent: its document as JSON, which costs the service least. */
export interface SentTask extends Omit<RunTask, 'document' | 'secrets'> {
  readonly document: string;
  readonly secrets: ReadonlyMap<string, NamedSecret>;
}

/** An event on its way: sequence, time in ms, kind and body. */
export type SentRow = readonly [number, number, string, string];

/** An outcome with its last events on their way. */
export interface SentOutcome extends Omit<RunOutcome, 'rest'> {
  readonly rest: readonly SentRow[];
}

/** `run` counts the runs of a child, so that what was meant for an earlier one is told apart. */
export type ToChild =
  | { readonly kind: 'open'; readonly settings: ChildSettings }
  | { readonly kind: 'execute'; readonly run: number; readonly task: SentTask }
  /** The oldest batch of events is stored. */
  | { readonly kind: 'stored'; readonly run: number }
  | { readonly kind: 'cancel'; readonly run: number }
  | { readonly kind: 'alive' };

export type FromChild =
  | { readonly kind: 'ready' }
  | { readonly kind: 'alive' }
  | { readonly kind: 'events'; readonly run: number; readonly rows: readonly SentRow[] }
  /** `isReusable`: nothing of the run is left in the child, so that it may execute another one. */
  | { readonly kind: 'ended'; readonly run: number; readonly outcome: SentOutcome; readonly isReusable: boolean };

export const sentRow = ({ sequence, at, kind, body }: EventRow): SentRow => [sequence, at.getTime(), kind, body];
export const receivedRow = ([sequence, at, kind, body]: SentRow): EventRow => ({ sequence, at: new Date(at), kind, body });

/** What a child writes to stderr before it ends itself for that reason; V8's own words for a full heap are read like the first. */
export const OUT_OF_MEMORY = 'The run took more memory than it may: out of memory.';
export const HALTED = 'The service does not answer.';
export const STALLED = 'The run does not come back.';
