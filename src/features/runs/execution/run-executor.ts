import { derived } from '../../../platform/cache';
import type { Config } from '../../../config/config';
import { connectorUses, secretsOfCalls } from '../../../engine';
import type {
  ConnectorUse,
  NamedSecret,
  RunAggregators,
  RunConnector,
  RunPart,
  Sample,
  WorkflowSnapshot,
} from '../../../engine';
import { RUN_HEADER } from '../../../platform/crypto/run-marks';
import type { RunMarks } from '../../../platform/crypto/run-marks';
import type { Logger } from '../../../platform/log/logger';
import type { MaskingRule } from '../../../platform/redaction';
import { secretsNamedIn } from '../../../platform/secrets';
import { testKeyOf } from '../../workflows/testing/test-key.service';
import { aggregatorIdsOf } from '../../workflows/workflow-document.service';
import type { WorkflowDocument } from '../../workflows/workflow-document.service';
import type { WorkflowSnapshots } from '../../workflows/versions/workflow-snapshots';
import type { WorkflowService } from '../../workflows/workflow.service';
import type { RunEventLog } from '../events/run-event-log';
import { RunLost } from '../leases/run-leases';
import type { RunJournal, RunJournals } from '../run-journals';
import type { StopReason } from '../queue/active-runs';
import { wholeRunError } from '../run-error-codes';
import type { RunErrorCode } from '../run-error-codes';
import type { RunParameters } from '../run-records';
import { interruptedError, lastStepIn } from '../run.events';
import { depthOf, MAX_DEPTH } from '../run.model';
import type { RunRecord } from '../run.model';
import { errorOf } from './execute-task';
import { outcomeOfStart } from './pool/child-death';
import type { Ending } from './run-endings';
import type {
  CallingRun,
  EventRow,
  RunEngine,
  RunOutcome,
  RunSeat,
  RunTask,
  StepCall,
  StepPlace,
  Supervision,
} from './run-engine';

/** The webhooks of this service, for steps that call webhooks. */
interface RunWebhooksPort {
  /**
   * Starts the schedule of a webhook. Never rejects. Resolves with the status that HTTP would
   * return, or null if the address is not of this service and no webhook here has the token.
   */
  startFromRun(call: StepCall, run: CallingRun): Promise<number | null>;
}

/** Error codes of internal failures; the service logs their causes. */
const INTERNAL_ERRORS: ReadonlySet<string> = new Set([
  'RUN_FAULT',
  'RUN_EVENTS_REFUSED',
  'RUN_CRASHED',
]);

/** HTTP status of a webhook call that is not made. */
const UNAVAILABLE = 503;

/** Connects an executing run with the process that holds it. */
export interface RunSupervisor extends Pick<Supervision, 'signal' | 'isHeld' | 'beforeFirstSend'> {
  readonly stopReason: () => StopReason | null;
  /** Repeats a read or write while the store is unavailable. */
  readonly untilStored: <R>(work: () => Promise<R>) => Promise<R>;
  /** Called before each write for the run; waits while the store is unavailable. @throws RunLost */
  readonly requireOwn: () => Promise<void>;
  /** Repeats a write for the run while the store is unavailable. @throws RunLost */
  readonly durably: (write: () => Promise<void>) => Promise<void>;
}

export type SeatOrFailure = RunSeat | { readonly failure: unknown };

/**
 * Executes the snapshot of one run and returns how it ended. Its events are stored by then, except
 * the last ones.
 */
export class RunExecutor {
  constructor(
    private readonly deps: {
      readonly engine: Pick<RunEngine, 'reserve'>;
      readonly tasks: Pick<RunTasks, 'create' | 'loadRules'>;
      readonly events: Pick<RunEventLog, 'createWriter' | 'lastSequence'>;
      readonly journals: Pick<RunJournals, 'open'>;
      readonly webhooks: RunWebhooksPort;
      readonly log: Pick<Logger, 'error'>;
    },
  ) {}

  reserve(signal: AbortSignal): Promise<RunSeat> {
    return this.deps.engine.reserve(signal);
  }

  async execute(run: RunRecord, supervisor: RunSupervisor, seat: SeatOrFailure): Promise<Ending> {
    const { events, journals, tasks } = this.deps;
    if (depthOf(run) > MAX_DEPTH) {
      const message = `${MAX_DEPTH} runs have started each other, and the last of them this one.`;
      const error = wholeRunError('RUN_TOO_DEEP', message);
      return { state: 'FAILED', error, steps: 0, sequence: 1 };
    }
    const { signal, stopReason, untilStored, requireOwn, durably, isHeld, beforeFirstSend } =
      supervisor;
    const writer = events.createWriter(run, requireOwn);
    let place: StepPlace | null = null;
    const supervision: Supervision = {
      signal,
      isHeld,
      beforeFirstSend,
      loadRules: () =>
        untilStored(() => tasks.loadRules(run)).catch((error: unknown) => {
          this.report(error, run);
          return null;
        }),
      startWebhook: (call) => this.startWebhook(call, run, requireOwn),
      store(rows: readonly EventRow[]) {
        place = lastStepIn(rows) ?? place;
        return journal === null
          ? writer.append(rows)
          : journal.settle().then(() => writer.append(rows));
      },
      keep: async (text, open) => journal?.write(text, open),
    };
    let journal: RunJournal | null = null;
    try {
      journal = await journals.open(run, durably);
      const outcome =
        'failure' in seat
          ? outcomeOfStart(seat.failure)
          : await seat.execute(
              { ...(await untilStored(() => tasks.create(run))), journal: journal?.task },
              supervision,
            );
      await journal?.settle();
      await writer.flush();
      if (outcome.error && outcome.fault && INTERNAL_ERRORS.has(outcome.error.code))
        this.report(errorOf(outcome.fault), run);
      const { rest, steps, warnings, values, exchange } = outcome;
      return {
        ...finalState(outcome, stopReason(), lastStepIn(rest) ?? place),
        steps,
        warnings,
        values,
        exchange,
        rest,
        sequence:
          (rest.at(-1)?.sequence ?? Math.max(writer.lastSequence, journal?.lastSequence ?? 0)) + 1,
      };
    } catch (error) {
      if (!(error instanceof RunLost)) this.report(error, run);
      return {
        state: 'FAILED',
        error: wholeRunError('RUN_FAULT', 'An internal error of the service ended the run.'),
        steps: 0,
        sequence: (await untilStored(() => events.lastSequence(run._id))) + 1,
      };
    }
  }

  /** Starts nothing if another process may hold the run. */
  private async startWebhook(
    call: StepCall,
    run: RunRecord,
    requireOwn: () => Promise<void>,
  ): Promise<number | null> {
    try {
      await requireOwn();
    } catch {
      return UNAVAILABLE;
    }
    const { _id: runId, workflowId, trace } = run;
    return this.deps.webhooks.startFromRun(call, {
      runId,
      workflowId,
      depth: depthOf(run),
      trace,
    });
  }

  private report(error: unknown, { _id: runId }: RunRecord): void {
    this.deps.log.error({ err: error, runId }, 'An internal error ended a run.');
  }
}

function finalState(
  { state, error }: RunOutcome,
  stop: StopReason | null,
  place: StepPlace | null,
): Pick<Ending, 'state' | 'error' | 'cancelledBy'> {
  const interrupted = interruptedError('stopped', place);
  if (error?.code === ('RUN_JOURNAL_UNFIT' satisfies RunErrorCode))
    return { state: 'INTERRUPTED', error };
  if (error?.code === interrupted.code) return { state: 'INTERRUPTED', error: interrupted };
  if (state !== 'CANCELLED') return { state, error };
  if (stop?.kind === 'interrupted') return { state: 'INTERRUPTED', error: interrupted };
  return { state, error: null, cancelledBy: stop?.by ?? null };
}

interface DocumentNeeds {
  readonly connectors: ReadonlyMap<number, ConnectorUse>;
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
const needsOf = derived((document: WorkflowDocument): DocumentNeeds => {
  const { fromConnector, fieldBinding } = document;
  return {
    executed: { fromConnector, fieldBinding },
    connectors: connectorUses(document),
    secrets: secretsNamedIn(document),
    aggregatorIds: aggregatorIdsOf(document),
  };
});

/** @param text the samples of a run of one step, as its parameters */
function partOf({ until, only }: RunRecord, text: string | null): RunPart | null {
  if (until === undefined && only === undefined) return null;
  const samples = text === null ? [] : (JSON.parse(text) as [string, Sample][]);
  return { until: until ?? null, only: only ?? null, samples: new Map(samples) };
}

/** Opens what runs use; each method returns what exists of it. */
interface RunResources {
  readonly secrets: {
    /** Values of named secrets, by folded name. */
    open(keys: readonly string[]): Promise<ReadonlyMap<string, NamedSecret>>;
  };
  readonly connectors: {
    /** Connectors by id, with the credentials that these uses need. */
    open(uses: ReadonlyMap<number, ConnectorUse>): Promise<ReadonlyMap<number, RunConnector>>;
  };
  readonly aggregators: { open(ids: readonly number[]): Promise<RunAggregators> };
}

/** Builds what a run executes. */
export class RunTasks {
  constructor(
    private readonly deps: {
      readonly config: Config['workflow'];
      readonly recordFailures: boolean;
      readonly workflows: Pick<WorkflowService, 'rulesOfLog'>;
      readonly snapshots: Pick<WorkflowSnapshots, 'readDocument'>;
      readonly resources: RunResources;
      readonly parameters: Pick<RunParameters, 'open'>;
      /** How requests of runs to this service are recognised. */
      readonly own: {
        readonly addresses: readonly string[];
        readonly marks: Pick<RunMarks, 'sign'>;
      };
    },
  ) {}

  /** The masking rules of a run without a log. Null if they are gone. */
  loadRules({ logOf, workflowId }: RunRecord): Promise<readonly MaskingRule[] | null> {
    return this.deps.workflows.rulesOfLog(logOf ?? testKeyOf(workflowId));
  }

  async create(run: RunRecord): Promise<RunTask> {
    const { config, recordFailures, workflows, snapshots, resources, parameters, own } = this.deps;
    const document = await snapshots.readDocument(run);
    const needs = needsOf(document);
    const connectors = await resources.connectors.open(needs.connectors);
    // Only the secrets that the workflow and its operations name; their values are fixed for the
    // whole run.
    const ofCalls = secretsOfCalls(document, connectors);
    const secrets = await resources.secrets.open([...new Set([...needs.secrets, ...ofCalls])]);
    const aggregators = await resources.aggregators.open(needs.aggregatorIds);
    // Fail safe: if the masking rules are gone, requests and responses are not recorded.
    const rules = run.logOf === undefined ? [] : await workflows.rulesOfLog(run.logOf);
    const text = run.hasParameters ? await parameters.open(run._id) : null;
    const part = partOf(run, text);
    return {
      document: needs.executed,
      secrets,
      connectors,
      aggregators,
      parameters: part === null ? text : null,
      ...(part && { part }),
      stepTimeoutMs: config.stepTimeoutMs,
      retrying: config.retrying,
      runTimeoutMs: config.runTimeoutMs,
      recordSegments: rules !== null && (run.test || run.logging),
      recordFailure: recordFailures,
      rules: rules ?? [],
      callMarking: {
        addresses: own.addresses,
        header: RUN_HEADER,
        mark: own.marks.sign({ runId: run._id, depth: depthOf(run) }),
      },
      trace: { runId: run._id, workflowId: run.workflowId, parent: run.trace ?? null },
    };
  }
}
