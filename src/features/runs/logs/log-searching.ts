import type { Model } from 'mongoose';
import type { Actor } from '../../../platform/access/actor';
import type { Clock } from '../../../platform/clock/clock';
import { BadInput } from '../../../platform/errors/errors';
import { allOf } from '../../../platform/store/filter';
import { hasMoreCharacters } from '../../../platform/text/characters';
import type { RunEventLog } from '../run-event-log';
import { hasLog, logKeyOf as keyOfRun, logThere } from '../run-log.rules';
import { LOGS_OF_WORKFLOW } from '../run.model';
import type { RunRecord } from '../run.model';
import { visibleRuns } from '../run.policy';
import { elementsIn, shownElement } from './element-scan';
import type { LogElement } from './log-element';
import { elementNotFound, readElementId } from './log-element-id';
import type { LogPage } from './log-page';
import { olderThan, requireCount } from './log-page';
import { LONGEST_SEARCH, matcherOf } from './log-search';
import type { LogSearch } from './log-search';

/** Runs read at once. */
const AT_ONCE = 20;

export interface SearchingDependencies {
  readonly clock: Clock;
  readonly runs: Model<RunRecord>;
  readonly log: Pick<RunEventLog, 'elements'>;
  readonly logKeyOf: (workflowId: number) => string;
}

/** Searches the logs of a workflow, including tests, as far as an actor may see them. */
export function searchingLogs({ clock, runs, log, logKeyOf }: SearchingDependencies) {
  async function* searched(
    actor: Actor,
    workflowId: number,
    after: RunRecord | null,
  ): AsyncGenerator<RunRecord, void, undefined> {
    const within = [
      { logOf: logKeyOf(workflowId) },
      logThere(clock.now()),
      visibleRuns(actor, { includeTest: true }),
    ];
    for (let last = after; ;) {
      const found = await runs
        .find(allOf([...within, last === null ? {} : olderThan(last)]))
        .sort({ queuedAt: -1, _id: -1 })
        .hint(LOGS_OF_WORKFLOW)
        .limit(AT_ONCE)
        .lean<RunRecord[]>();
      yield* found;
      if (found.length < AT_ONCE) return;
      last = found.at(-1) ?? null;
    }
  }

  async function* runsFrom(
    actor: Actor,
    workflowId: number,
    runId: number | null,
    after: string | null | undefined,
  ): AsyncGenerator<RunRecord, void, undefined> {
    const first =
      runId === null
        ? null
        : await runs
            .findOne(allOf([{ _id: runId }, visibleRuns(actor, { includeTest: true })]))
            .lean<RunRecord>();
    if (runId !== null && (first === null || keyOfRun(first) !== logKeyOf(workflowId)))
      throw elementNotFound(after ?? '', 'after');
    // A log that is gone still marks where the next ones begin.
    if (first !== null && hasLog(first, clock.now())) yield first;
    yield* searched(actor, workflowId, first);
  }

  /** A log is removed in pieces, so that elements read during a removal have gaps. */
  async function isThere(runId: number): Promise<boolean> {
    const run = await runs.findById(runId, { logOf: 1, test: 1, queuedAt: 1 }).lean<RunRecord>();
    return run !== null && hasLog(run, clock.now());
  }

  return {
    /**
     * Elements of the newest run first, of one run in order; pass the last id as `after` for the
     * next page.
     * @throws BadInput if a search text is too long
     * @throws NotFound LOG_ELEMENT_NOT_FOUND if `after` is not an element of these logs
     */
    async search(
      actor: Actor,
      workflowId: number,
      search: LogSearch,
      { first, after }: LogPage,
    ): Promise<LogElement[]> {
      requireCount(first);
      for (const [field, text] of [
        ['text', search.text],
        ['step', search.step],
      ] as const) {
        if (hasMoreCharacters(text ?? '', LONGEST_SEARCH))
          throw new BadInput(
            'BAD_REQUEST',
            `\`${field}\` is at most ${LONGEST_SEARCH} characters long.`,
            { path: [field] },
          );
      }
      const matches = matcherOf(search);
      const place = after == null ? null : readElementId(after, 'after');
      const found: LogElement[] = [];
      for await (const run of runsFrom(actor, workflowId, place?.runId ?? null, after)) {
        const from = run._id === place?.runId ? place.sequence + 1 : 1;
        const end = await log.elements.end(run._id);
        if (end === null) continue;
        const ofRun: LogElement[] = [];
        for await (const one of elementsIn(
          log.elements.parts(run._id, from, end.last, { bodies: matches.bodies }),
          from,
          matches,
        )) {
          if (!matches.lines(one)) continue;
          const element = shownElement(run, one, end.line);
          if (matches.element(element)) ofRun.push(element);
          if (found.length + ofRun.length === first) break;
        }
        if (ofRun.length > 0 && (await isThere(run._id))) found.push(...ofRun);
        if (found.length === first) return found;
      }
      return found;
    },
  };
}
