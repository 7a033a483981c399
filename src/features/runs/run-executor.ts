import type { Config } from '../../config/config';
import { connectorUses, secretsOfCalls } from '../../engine';
import type {
  ConnectorUse,
  NamedSecret,
  RunAggregators,
  RunConnector,
  WorkflowSnapshot,
} from '../../engine';
import type { RunError } from '../../engine/events';
import type { Actor } from '../../platform/access/actor';
import type { RunMarks } from '../../platform/crypto/run-marks';
import { inTurns } from '../../platform/event-loop';
import type { WorkflowService } from '../workflows/workflow.service';
import { errorOf } from './execution/execute-task';
import type { CallsHome } from './execution/calls-home';
import { outcomeOfStart } from './execution/pool/child-death';
import type {
  CallingRun,
  EventRow,
  RunOutcome,
  RunSeat,
  StepCall,
  StepPlace,
  Supervision,
} from './execution/run-engine';
import type { Ending } from './run-endings';
import { interruptedError, lastStepIn } from './run.events';
import { wholeRunError } from './run-error-codes';
import type { RunRecord } from './run.model';
import type { RunEventLog } from './run-event-log';
import { depthOf, MOST_DEEP } from './run-depth';
import type { RunParameters } from './run-parameters';
import { RunLost } from './run-owners';
import { secretsNamedIn } from '../../platform/secrets';
import { aggregatorIdsOf } from '../workflows/workflow-document.service';
import type { WorkflowDocument } from '../workflows/workflow-document.service';

/** Resources that the document of a run needs. */
interface DocumentNeeds {
  readonly connectors: ReadonlyMap<number, ConnectorUse>;
  /** The keys of named secrets. */
  readonly secrets: ReadonlySet<string>;
  readonly aggregatorIds: readonly number[];
  /**
   * The part that the engine reads. The editor layout, which may have megabytes, is not sent to run
   * processes.
   */
  readonly executed: WorkflowSnapshot;
}

/**
 * By held document, which is never changed. Cached, since a run waits for this before it begins.
 */
const known = new WeakMap<WorkflowDocument, DocumentNeeds>();

/** Analyses a document, unless it is cached. */
async function needsOf(document: WorkflowDocument): Promise<DocumentNeeds> {
  const before = known.get(document);
  if (before !== undefined) return before;
  const { fromConnector, fieldBinding } = document;
  const needs: DocumentNeeds = {
    executed: { fromConnector, fieldBinding },
    connectors: await inTurns((turn) => connectorUses(document, turn)),
    secrets: await inTurns((turn) => secretsNamedIn(document, turn)),
    aggregatorIds: aggregatorIdsOf(document),
  };
  known.set(document, needs);
  return needs;
}

/** Why a run was stopped from outside. */
export type StopReason =
  { readonly kind: 'cancelled'; readonly by: Actor | null } | { readonly kind: 'interrupted' };

/** The values of named secrets, by folded name. */
export interface RunSecretsPort {
  /** Returns those of the secrets that exist. */
  open(keys: readonly string[]): Promise<ReadonlyMap<string, NamedSecret>>;
}

export interface RunConnectorsPort {
  /** Returns the connectors that exist, by id, with the credentials that these uses need. */
  open(uses: ReadonlyMap<number, ConnectorUse>): Promise<ReadonlyMap<number, RunConnector>>;
}

export interface RunAggregatorsPort {
  /** Returns those of the aggregators that exist. */
  open(ids: readonly number[]): Promise<RunAggregators>;
}

/** The webhooks of this service, for steps that call webhooks. */
export interface RunWebhooksPort {
  /**
   * Starts the schedule of a webhook. Never rejects. Resolves with the status that HTTP would
   * return, or null if the address is not of this service and no webhook here has the token.
   */
  startFromRun(call: StepCall, run: CallingRun): Promise<number | null>;
}

export interface ExecutorDependencies {
  readonly config: Pick<Config, 'workflow'>;
  readonly workflows: WorkflowService;
  readonly secrets: RunSecretsPort;
  readonly connectors: RunConnectorsPort;
  readonly aggregators: RunAggregatorsPort;
  readonly parameters: Pick<RunParameters, 'open'>;
  /** How to recognise calls to the service itself. */
  readonly home: Pick<CallsHome, 'addresses' | 'header'>;
  readonly marks: Pick<RunMarks, 'sign'>;
  readonly webhooks: RunWebhooksPort;
  readonly log: RunEventLog;
  /** Called with internal errors that the error of the run does not describe. */
  readonly onFault: (error: unknown, runId: number) => void;
}

/** Error codes of internal failures; the service logs their causes. */
const OWN_FAULTS: ReadonlySet<string> = new Set(['RUN_FAULT', 'RUN_EVENTS_REFUSED', 'RUN_CRASHED']);

/** HTTP status of a webhook call that is not made. */
const UNAVAILABLE = 503;

const tooDeep = (): RunError =>
  wholeRunError(
    'RUN_TOO_DEEP',
    `${MOST_DEEP} runs have started each other, and the last of them this one.`,
  );

/** Connects an executing run with the process that holds it. */
export interface Keeping {
  readonly signal: AbortSignal;
  readonly stopReason: () => StopReason | null;
  /** Called before each write for the run. @throws RunLost */
  readonly requireOwn: () => Promise<void>;
  readonly isHeld: Supervision['isHeld'];
  readonly beforeFirstSend: Supervision['beforeFirstSend'];
}

export type RunExecutor = ReturnType<typeof createRunExecutor>;

/**
 * Executes the snapshot of one run and returns how it ended. Its events are stored by then, except
 * the last ones.
 */
export function createRunExecutor({
  config,
  workflows,
  secrets,
  connectors,
  aggregators,
  parameters,
  home,
  marks,
  webhooks,
  log,
  onFault,
}: ExecutorDependencies) {
  async function outcomeOf(
    run: RunRecord,
    seat: RunSeat,
    supervision: Supervision,
  ): Promise<RunOutcome> {
    const document = await workflows.heldDocument(run);
    const needs = await needsOf(document);
    const called = await connectors.open(needs.connectors);
    // Only the secrets that the workflow and its operations name; their values are fixed for the
    // whole run.
    const named = await secrets.open([
      ...new Set([
        ...needs.secrets,
        ...(await inTurns((turn) => secretsOfCalls(document, called, turn))),
      ]),
    ]);
    const evaluated = await aggregators.open(needs.aggregatorIds);
    const { stepTimeoutMs, retrying, runTimeoutMs } = config.workflow;
    // Fail safe: if the masking rules are gone, requests and responses are not recorded.
    const rules = run.logOf === undefined ? [] : await workflows.rulesOfLog(run.logOf);
    return seat.execute(
      {
        document: needs.executed,
        secrets: named,
        connectors: called,
        aggregators: evaluated,
        parameters: run.hasParameters ? await parameters.open(run._id) : null,
        stepTimeoutMs,
        retrying,
        runTimeoutMs,
        recordSegments: rules !== null && (run.test || run.logging),
        rules: rules ?? [],
        callsHome: { ...home, mark: marks.sign({ runId: run._id, depth: depthOf(run) }) },
      },
      supervision,
    );
  }

  /** @param seat a seat, or why there is none */
  return async function execute(
    run: RunRecord,
    { signal, stopReason, requireOwn, isHeld, beforeFirstSend }: Keeping,
    seat: RunSeat | { readonly failure: unknown },
  ): Promise<Ending> {
    if (depthOf(run) > MOST_DEEP)
      return { state: 'FAILED', error: tooDeep(), steps: 0, sequence: 1 };
    const writer = log.writer(run, requireOwn);
    // Start nothing if another process may hold the run.
    const startWebhook = (call: StepCall): Promise<number | null> =>
      requireOwn().then(
        () =>
          webhooks.startFromRun(call, {
            runId: run._id,
            workflowId: run.workflowId,
            depth: depthOf(run),
          }),
        () => UNAVAILABLE,
      );
    let place: StepPlace | null = null;
    const store = (rows: readonly EventRow[]): Promise<void> => {
      place = lastStepIn(rows) ?? place;
      return writer.append(rows);
    };
    try {
      const outcome =
        'failure' in seat
          ? outcomeOfStart(seat.failure)
          : await outcomeOf(run, seat, { signal, store, startWebhook, isHeld, beforeFirstSend });
      await writer.flush();
      if (outcome.error && outcome.fault && OWN_FAULTS.has(outcome.error.code))
        onFault(errorOf(outcome.fault), run._id);
      const { rest, steps, values } = outcome;
      return {
        ...ended(outcome, stopReason(), lastStepIn(rest) ?? place),
        steps,
        values,
        rest,
        sequence: (rest.at(-1)?.sequence ?? writer.lastSequence) + 1,
      };
    } catch (error) {
      if (!(error instanceof RunLost)) onFault(error, run._id);
      const failure = wholeRunError('RUN_FAULT', 'A fault of the service ended the run.');
      return {
        state: 'FAILED',
        error: failure,
        steps: 0,
        sequence: (await log.lastSequence(run._id)) + 1,
      };
    }
  };
}

function ended(
  { state, error }: RunOutcome,
  stop: StopReason | null,
  place: StepPlace | null,
): Pick<Ending, 'state' | 'error' | 'cancelledBy'> {
  const interrupted = interruptedError('stopped', place);
  if (error?.code === interrupted.code) return { state: 'INTERRUPTED', error: interrupted };
  if (state !== 'CANCELLED') return { state, error };
  if (stop?.kind === 'interrupted') return { state: 'INTERRUPTED', error: interrupted };
  return { state, error: null, cancelledBy: stop?.by ?? null };
}
