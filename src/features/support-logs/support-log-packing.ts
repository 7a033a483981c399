import { writeZip } from '../../platform/archive/write-zip';
import type { Clock } from '../../platform/clock/clock';
import { Refused } from '../../platform/errors/errors';
import type { JobInHand } from '../../platform/jobs/jobs';
import type { MaskingRule } from '../../platform/masking/rule-mask';
import { VERSION } from '../../platform/version';
import type { RunRecord } from '../runs/run.model';
import type { RunLogFiles } from '../runs/logs/run-log-files';
import type { SystemCheck } from '../system/system-check.service';
import type { WorkflowExchangeService } from '../templates/exchange/workflow-exchange.service';
import type { MaskingRuleService } from '../workflows/rules/rule.service';
import { supportLogFiles } from './support-log-files';

/** Maximum number of runs in a support file; the newest are packed. */
const MOST_RUNS = 20;
/** Maximum characters of the log of one run, before compression. */
const LONGEST_LOG = 100 * 1024 * 1024;
/** Lines masked per batch, and their maximum characters: one line may have millions. */
const [LINES_AT_ONCE, TEXT_AT_ONCE] = [100, 1024 * 1024];
/** Job progress in percent when packing begins and when it is done. */
const [BEGUN, PACKED] = [30, 95];

export interface SupportLogPackingDependencies {
  readonly clock: Clock;
  readonly runLogFiles: Pick<RunLogFiles, 'runsOfWorkflow' | 'lines' | 'createMask'>;
  readonly workflows: Pick<WorkflowService, 'rulesOf'>;
  readonly exchange: Pick<WorkflowExchangeService, 'export'>;
  readonly systemCheck: SystemCheck;
}

export interface Packing {
  readonly at: Date;
  readonly runIds: readonly number[];
  readonly pieces: AsyncIterable<Buffer>;
}

export function createSupportLogPacking({
  clock,
  runLogFiles,
  workflows,
  exchange,
  systemCheck,
}: SupportLogPackingDependencies) {
  /**
   * Log lines of a run in batches, up to `LONGEST_LOG`. If the log is removed on the way, a notice
   * replaces the rest.
   */
  async function* blocksOf(run: RunRecord): AsyncGenerator<readonly string[], void, undefined> {
    let [block, length, before]: [string[], number, number] = [[], 0, 0];
    try {
      for await (const line of runLogFiles.lines(run._id)) {
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
     * Starts packing; `pieces` can be iterated once.
     * @param rules masking rules in addition to those of the workflow
     * @throws NotFound CONNECTION_NOT_FOUND if the workflow was deleted
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
        await runLogFiles.runsOfWorkflow(id, MOST_RUNS),
        await exchange.export(id),
        await systemCheck.components(),
        await maskingRules.rulesOf(id),
      ];
      const all = [...ofWorkflow, ...rules];
      const mask = runLogFiles.createMask(all, job.signal);
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

/** A log line that replaces missing events. */
const notice = ({ _id: runId }: RunRecord, message: string): string =>
  JSON.stringify({ kind: 'RunLog', message, runId });
