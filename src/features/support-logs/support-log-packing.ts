import { writeZip } from '../../platform/archive/write-zip';
import type { Clock } from '../../platform/clock/clock';
import { Refused } from '../../platform/errors/errors';
import type { JobInHand } from '../../platform/jobs/jobs';
import type { MaskingRule } from '../../platform/masking/rule-mask';
import { VERSION } from '../../platform/version';
import type { RunRecord } from '../runs/run.model';
import type { RunService } from '../runs/run.service';
import type { SystemCheck } from '../system/system-check.service';
import type { WorkflowExchangeService } from '../templates/exchange/workflow-exchange.service';
import type { WorkflowService } from '../workflows/workflow.service';
import { supportLogFiles } from './support-log-files';

/** Runs whose logs are in a support file at most, the newest. */
const MOST_RUNS = 20;
/** Characters of the log of one run, before they are packed. */
const LONGEST_LOG = 100 * 1024 * 1024;
/** Lines that are masked together, and their characters: one may have millions. */
const [LINES_AT_ONCE, TEXT_AT_ONCE] = [100, 1024 * 1024];
/** How far a job is when it begins to pack, and when it has. */
const [BEGUN, PACKED] = [30, 95];

export interface SupportLogPackingDependencies {
  readonly clock: Clock;
  readonly runs: { readonly logs: Pick<RunService['logs'], 'ofWorkflow' | 'lines' | 'masker'> };
  readonly workflows: Pick<WorkflowService, 'rulesOf'>;
  readonly exchange: Pick<WorkflowExchangeService, 'export'>;
  readonly systemCheck: SystemCheck;
}

/** A support file that is being packed. */
export interface Packing {
  readonly at: Date;
  readonly runIds: readonly number[];
  readonly pieces: AsyncIterable<Buffer>;
}

/** Packs what support needs of a workflow. */
export function createSupportLogPacking({
  clock,
  runs,
  workflows,
  exchange,
  systemCheck,
}: SupportLogPackingDependencies) {
  /** Some lines of its log at a time, up to a length; of one that is removed meanwhile what could be read, and that there was more. */
  async function* blocksOf(run: RunRecord): AsyncGenerator<readonly string[], void, undefined> {
    let [block, length, before]: [string[], number, number] = [[], 0, 0];
    try {
      for await (const line of runs.logs.lines(run._id)) {
        block.push(line.trimEnd());
        length += line.length;
        if (length > LONGEST_LOG) {
          block.push(
            notice(run, `The log is longer than ${LONGEST_LOG} characters: the rest was left out.`),
          );
          break;
        }
        if (block.length < LINES_AT_ONCE && length - before < TEXT_AT_ONCE) continue;
        yield block;
        [block, before] = [[], length];
      }
    } catch (error) {
      if (!(error instanceof Refused && error.code === 'RUN_LOG_GONE')) throw error;
      block.push(notice(run, 'The log was removed while it was packed.'));
    }
    if (block.length > 0) yield block;
  }

  return {
    /**
     * Begins to pack; the file comes with its pieces, which are asked for once.
     * @param rules what is hidden in it beside what the workflow's own rules select
     * @throws NotFound CONNECTION_NOT_FOUND the workflow was deleted meanwhile
     */
    async pack(
      {
        id,
        title,
        version,
      }: { readonly id: number; readonly title: string; readonly version: number },
      rules: readonly MaskingRule[],
      job: JobInHand,
    ): Promise<Packing> {
      const [at, found, file, components, ofWorkflow] = [
        clock.now(),
        await runs.logs.ofWorkflow(id, MOST_RUNS),
        await exchange.export(id),
        await systemCheck.components(),
        await workflows.rulesOf(id),
      ];
      const all = [...ofWorkflow, ...rules];
      const mask = runs.logs.masker(all, job.signal);
      const hide = async (
        kind: 'events' | 'json',
        texts: readonly string[],
      ): Promise<readonly string[]> => (all.length > 0 ? mask(kind, texts) : texts);
      const expected = found.reduce((sum, run) => sum + (run.lastSequence ?? 0), 1);
      let packed = 0;
      async function* eventsOf(run: RunRecord): AsyncGenerator<string, void, undefined> {
        for await (const block of blocksOf(run)) {
          yield `${(await hide('events', block)).join('\n')}\n`;
          packed += block.length;
          await job.progress(
            BEGUN + (PACKED - BEGUN) * Math.min(1, packed / expected),
            `${packed} events packed.`,
          );
        }
      }
      const files = supportLogFiles(
        {
          at,
          product: VERSION,
          workflow: { id, title, version, file },
          system: components,
          runs: found,
          rules: rules.length,
        },
        {
          eventsOf,
          shown: async (json) => (await hide('json', [json])).join(''),
        },
      );
      return { at, runIds: found.map(({ _id }) => _id), pieces: writeZip(files, at) };
    },
  };
}

/** What is said in place of events that are not there. */
const notice = ({ _id: runId }: RunRecord, message: string): string =>
  JSON.stringify({ kind: 'RunLog', message, runId });
