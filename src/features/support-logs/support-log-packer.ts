import { writeZip } from '../../platform/archive/write-zip';
import type { FileToZip } from '../../platform/archive/write-zip';
import type { Clock } from '../../platform/clock/clock';
import { Refused } from '../../platform/errors/errors';
import type { JobInHand } from '../../platform/jobs/jobs';
import type { MaskingRule } from '../../platform/redaction';
import { pick } from '../../platform/pick';
import { VERSION } from '../../platform/version';
import type { RunRecord } from '../runs/run.model';
import type { RunLogFiles } from '../runs/logs/run-log-files';
import type { SystemCheckService } from '../system/system-check.service';
import type { WorkflowExchangeService } from '../templates/exchange/workflow-exchange.service';
import { hideParts } from './hidden-parts';
import type { LoggedPart } from './hidden-parts';
import type { MaskingRuleService } from '../workflows/rules/rule.service';

/** Maximum number of runs in a support file; the newest are packed. */
const MAX_RUNS = 20;
/** Maximum characters of the log of one run, before compression. */
const MAX_LOG_LENGTH = 100 * 1024 * 1024;
/** Lines masked per batch, and their maximum characters: one line may have millions. */
const [BATCH_LINES, BATCH_LENGTH] = [100, 1024 * 1024];
/** Job progress in percent when packing begins and when it is done. */
const [PROGRESS_AT_START, PROGRESS_AT_END] = [30, 95];
const DAY_MS = 24 * 60 * 60 * 1_000;

export interface PackedWorkflow {
  readonly id: number;
  readonly title: string;
  readonly version: number;
}

interface HiddenFromSupport {
  readonly rules: readonly MaskingRule[];
  readonly hiddenParts?: readonly LoggedPart[];
}

interface Packing {
  readonly at: Date;
  readonly expiresAt: Date;
  /** Newest first. */
  readonly runs: readonly Pick<RunRecord, '_id' | 'state'>[];
  /** The zip archive; can be iterated once. */
  readonly pieces: AsyncIterable<Buffer>;
}

type Mask = (kind: 'events' | 'json', texts: readonly string[]) => Promise<readonly string[]>;

/** Packs the logs of a workflow into a zip archive, with masking rules applied. */
export class SupportLogPacker {
  constructor(
    private readonly deps: {
      readonly clock: Clock;
      readonly runs: RunLogFiles;
      readonly maskingRules: MaskingRuleService;
      readonly exchange: WorkflowExchangeService;
      readonly systemCheck: SystemCheckService;
      readonly keepDays: number;
    },
  ) {}

  /**
   * @param rules masking rules in addition to those of the workflow
   * @param hiddenParts hidden in all requests and responses
   * @throws NotFound CONNECTION_NOT_FOUND if the workflow was deleted
   */
  async pack(
    workflow: PackedWorkflow,
    { rules, hiddenParts = [] }: HiddenFromSupport,
    job: JobInHand,
  ): Promise<Packing> {
    const { clock, runs, maskingRules, exchange, systemCheck, keepDays } = this.deps;
    const at = clock.now();
    const packedRuns = await runs.runsOfWorkflow(workflow.id, MAX_RUNS);
    const exported = await exchange.export(workflow.id);
    const { components } = await systemCheck.current();
    const allRules = [...(await maskingRules.rulesOf(workflow.id)), ...rules];
    const masker = runs.createMask(allRules, job.signal);
    const mask: Mask = async (kind, texts) => (allRules.length > 0 ? masker(kind, texts) : texts);
    const json = (name: string, value: unknown): FileToZip => ({
      name,
      async *content() {
        yield (await mask('json', [writeReadable(value)])).join('');
      },
    });
    const eventsOf = this.eventWriter(packedRuns, mask, hiddenParts, job);
    const files: FileToZip[] = [
      {
        name: 'README.txt',
        async *content() {
          yield readme(workflow.id, at);
        },
      },
      json('bundle.json', {
        createdAt: at,
        workflow: { id: workflow.id, title: workflow.title, version: workflow.version },
        runs: packedRuns.map(({ _id }) => _id),
        rulesBeside: rules.length,
      }),
      json('system.json', {
        version: VERSION,
        node: process.version,
        platform: process.platform,
        components: Object.fromEntries(components.map(({ name, ...state }) => [name, state])),
      }),
      // Events come first: values that rules select in them are also hidden in the files after them.
      ...packedRuns.flatMap((run) => [
        { name: `runs/${run._id}/events.jsonl`, content: () => eventsOf(run) },
        json(`runs/${run._id}/run.json`, describeRun(run)),
      ]),
      json('workflow.json', exported),
    ];
    return {
      at,
      expiresAt: new Date(at.getTime() + keepDays * DAY_MS),
      runs: packedRuns,
      pieces: writeZip(files, at),
    };
  }

  /** Returns a function that writes the masked events of a run and reports the progress. */
  private eventWriter(
    runs: readonly RunRecord[],
    mask: Mask,
    hiddenParts: readonly LoggedPart[],
    job: JobInHand,
  ) {
    const expected = runs.reduce((sum, run) => sum + (run.lastSequence ?? 0), 1);
    let packed = 0;
    const batchesOf = (run: RunRecord) => this.batchesOf(run);
    return async function* (run: RunRecord): AsyncGenerator<string, void, undefined> {
      for await (const batch of batchesOf(run)) {
        const events = batch.map((line) => hideParts(line, hiddenParts));
        yield `${(await mask('events', events)).join('\n')}\n`;
        packed += batch.length;
        const done = Math.min(1, packed / expected);
        await job.progress(
          PROGRESS_AT_START + (PROGRESS_AT_END - PROGRESS_AT_START) * done,
          `${packed} events packed.`,
        );
      }
    };
  }

  /**
   * Log lines of a run in batches, up to `MAX_LOG_LENGTH`. If the log is removed on the way, a
   * notice replaces the rest.
   */
  private async *batchesOf(run: RunRecord): AsyncGenerator<readonly string[], void, undefined> {
    let [batch, length, lengthBefore]: [string[], number, number] = [[], 0, 0];
    try {
      for await (const line of this.deps.runs.lines(run._id)) {
        batch.push(line.trimEnd());
        length += line.length;
        if (length > MAX_LOG_LENGTH) {
          batch.push(
            notice(
              run,
              `The log is longer than ${MAX_LOG_LENGTH} characters: the rest is missing.`,
            ),
          );
          break;
        }
        if (batch.length < BATCH_LINES && length - lengthBefore < BATCH_LENGTH) continue;
        yield batch;
        [batch, lengthBefore] = [[], length];
      }
    } catch (error) {
      if (!(error instanceof Refused && error.code === 'RUN_LOG_GONE')) throw error;
      batch.push(notice(run, 'The log was removed while it was packed.'));
    }
    if (batch.length > 0) yield batch;
  }
}

/** Text of README.txt in a support file. */
const readme = (workflowId: number, at: Date): string =>
  `Logs of the workflow ${workflowId}, packed at ${at.toISOString()}.

bundle.json          what is packed: the workflow and its runs, newest first
system.json          the service and its environment
workflow.json        the current workflow as an export: names of connectors, invokers and secrets, without credentials and values
runs/<id>/run.json   start, end and result of a run
runs/<id>/events.jsonl
                     its log, one JSON event per line, in order: requests, responses and results of steps

Values of secrets and credentials are hidden in all files, as is everything that masking rules select. Long bodies are truncated; a note says where.
`;

const writeReadable = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** A log line that replaces missing events. */
const notice = ({ _id: runId }: RunRecord, message: string): string =>
  JSON.stringify({ kind: 'RunLog', message, runId });

/** Facts about a run, without users and parameters. */
const describeRun = (run: RunRecord): object => ({
  id: run._id,
  ...pick(
    run,
    'workflowId',
    'workflowTitle',
    'trigger',
    'state',
    'queuedAt',
    'startedAt',
    'finishedAt',
    'durationMs',
    'scheduleId',
    'dueAt',
    'steps',
    'error',
    'lastSequence',
    'retryOf',
    'errorOf',
    'depth',
  ),
});
