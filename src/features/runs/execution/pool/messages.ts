import type { OutboundConfig } from '../../../../platform/outbound';
import type { ScriptsConfig } from '../../../../platform/scripts';
import type { NamedSecret } from '../../../../platform/secrets';
import type {
  EventRow,
  ExecutionLimits,
  RunOutcome,
  RunTask,
  StepCall,
  StepPlace,
} from '../run-engine';

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
  /** Of a service that says nothing for so long, ms, the runs may belong to another process: no request is sent until it is heard again. */
  readonly silenceMs: number;
}

/** A run as it is sent: its document as JSON, which costs the service least, or null when it is that of the run before, which the process has kept. */
export interface SentTask extends Omit<RunTask, 'document' | 'secrets'> {
  readonly document: string | null;
  readonly secrets: ReadonlyMap<string, NamedSecret>;
}

/** An event on its way: sequence, time in ms, kind, body, and its line in the log. */
export type SentRow = readonly [number, number, string, string, string?];

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
  /** What became of a call of a webhook: the status of its answer. */
  | { readonly kind: 'webhookStarted'; readonly call: number; readonly status: number | null }
  /** The first request of the run may leave. */
  | { readonly kind: 'maySend'; readonly run: number }
  /** `isHeld`: the run is certainly the service's, so its requests may leave. */
  | { readonly kind: 'alive'; readonly isHeld: boolean };

export type FromChild =
  | { readonly kind: 'ready' }
  | { readonly kind: 'alive' }
  | { readonly kind: 'events'; readonly run: number; readonly rows: readonly SentRow[] }
  /** `call` counts the calls of a child, so that what was meant for an earlier one is told apart. */
  | {
      readonly kind: 'startWebhook';
      readonly run: number;
      readonly call: number;
      readonly request: StepCall;
    }
  /** The first request of the run waits to leave. */
  | { readonly kind: 'sending'; readonly run: number; readonly place: StepPlace | null }
  /** `isClean`: nothing of the run goes on in the child. `keptBytes`: how much more memory it has now than before its first run. */
  | {
      readonly kind: 'ended';
      readonly run: number;
      readonly outcome: SentOutcome;
      readonly isClean: boolean;
      readonly keptBytes: number;
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
