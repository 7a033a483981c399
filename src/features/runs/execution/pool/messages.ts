import type { WorkflowSnapshot } from '../../../../engine';
import type { OutboundConfig } from '../../../../platform/outbound';
import type { ScriptsConfig } from '../../../../platform/scripts';
import type { CallCount } from '../../../../platform/outbound/observed-calls';
import type { NamedSecret } from '../../../../platform/secrets';
import type { MaskingRule } from '../../../../platform/redaction';
import type { MeasuredSpan } from '../../../../platform/tracing/tracing';
import type {
  EventRow,
  ExecutionLimits,
  RunOutcome,
  RunTask,
  StepCall,
  StepPlace,
} from '../run-engine';

/** Settings that are sent to a child once, for all runs. */
export interface ChildSettings {
  readonly outbound: OutboundConfig;
  readonly limits: ExecutionLimits;
  readonly scripts: ScriptsConfig;
  /** Memory for a run, in addition to what the child itself needs. */
  readonly memoryBytes: number;
  /** Maximum time a run may block the child, ms. */
  readonly stallMs: number;
  /** Heartbeat interval of a child that executes a run, ms. */
  readonly beatMs: number;
  /**
   * After this much silence of the service, ms, its runs may belong to another process: no request
   * is sent until the service is heard again.
   */
  readonly silenceMs: number;
}

/**
 * A run as it is sent. `document` is JSON; null means that of the previous run, which the process
 * has kept.
 */
export interface SentTask extends Omit<RunTask, 'document' | 'secrets'> {
  readonly document: string | null;
  readonly secrets: ReadonlyMap<string, NamedSecret>;
}

/** An event as it is sent: sequence, time in ms, kind, body, and its line in the log. */
type SentRow = readonly [number, number, string, string, string?];

interface SentOutcome extends Omit<RunOutcome, 'rest'> {
  readonly rest: readonly SentRow[];
}

/** `run` is the number of the run in this child: messages for an earlier run are ignored. */
export type ToChild =
  | { readonly kind: 'open'; readonly settings: ChildSettings }
  | { readonly kind: 'execute'; readonly run: number; readonly task: SentTask }
  | { readonly kind: 'stored'; readonly run: number }
  /** `isInterrupted`: it may go on later. */
  | { readonly kind: 'cancel'; readonly run: number; readonly isInterrupted: boolean }
  /** A part of the journal is stored. */
  | { readonly kind: 'journaled'; readonly run: number }
  /** Result of a webhook call: the HTTP status; null if it is not a webhook of the service. */
  | { readonly kind: 'webhookStarted'; readonly call: number; readonly status: number | null }
  | { readonly kind: 'maySend'; readonly run: number }
  | { readonly kind: 'rules'; readonly run: number; readonly rules: readonly MaskingRule[] | null }
  /** `isHeld`: the service certainly holds the run, so its requests may be sent. */
  | { readonly kind: 'alive'; readonly isHeld: boolean };

export type FromChild =
  | { readonly kind: 'ready' }
  | { readonly kind: 'alive' }
  | { readonly kind: 'events'; readonly run: number; readonly rows: readonly SentRow[] }
  /** `call` is the number of the call in this child: replies to an earlier call are ignored. */
  | {
      readonly kind: 'startWebhook';
      readonly run: number;
      readonly call: number;
      readonly request: StepCall;
    }
  | { readonly kind: 'sending'; readonly run: number; readonly place: StepPlace | null }
  | { readonly kind: 'loadRules'; readonly run: number }
  /** A part of the journal; null: it has reached its maximum. */
  | {
      readonly kind: 'journal';
      readonly run: number;
      readonly text: string | null;
      readonly open: StepPlace | null;
    }
  /** Whether the run waits for another system. */
  | { readonly kind: 'waiting'; readonly run: number; readonly isWaiting: boolean }
  /** Outgoing calls since the last message of this kind. */
  | { readonly kind: 'calls'; readonly calls: readonly CallCount[] }
  | { readonly kind: 'spans'; readonly run: number; readonly spans: readonly MeasuredSpan[] }
  /**
   * `isClean`: nothing of the run continues in the child. `keptBytes`: memory growth since before
   * its first run. `calls`: outgoing calls since the last `calls`.
   */
  | {
      readonly kind: 'ended';
      readonly run: number;
      readonly outcome: SentOutcome;
      readonly isClean: boolean;
      readonly keptBytes: number;
      readonly calls: readonly CallCount[];
    };

export const sentRow = ({ sequence, at, kind, body, element }: EventRow): SentRow => [
  sequence,
  at.getTime(),
  kind,
  body,
  element,
];
export const receivedRow = ([sequence, at, kind, body, element]: SentRow): EventRow => ({
  sequence,
  at: new Date(at),
  kind,
  body,
  ...(element !== undefined && { element }),
});

/** A retry is the same step. The attempt is the last field, so the body need not be parsed. */
export const isFirstTry = ({ kind, body }: EventRow): boolean =>
  kind === 'StepStarted' && body.endsWith('"attempt":1}');

/** Characters; longer documents are not kept. */
const MAX_KEPT = 2 * 1024 * 1024;

/**
 * Whether a process keeps the document for its next run, so that the service need not send it
 * again.
 */
export const isKept = (text: string): boolean => text.length <= MAX_KEPT;

/**
 * Parses documents of runs and keeps the last one: a process often executes the same workflow
 * again, and the engine caches by object.
 * Another document replaces it before its run begins, so no run sees data of another.
 */
export class LastDocument {
  private last: { readonly text: string; readonly document: WorkflowSnapshot } | null = null;

  /** @param text null for the document of the previous run */
  read(text: string | null): WorkflowSnapshot {
    if (this.last !== null && (text === null || this.last.text === text)) return this.last.document;
    if (text === null) throw new Error('No document was kept.');
    this.last = null;
    const document = JSON.parse(text) as WorkflowSnapshot;
    if (isKept(text)) this.last = { text, document };
    return document;
  }
}
