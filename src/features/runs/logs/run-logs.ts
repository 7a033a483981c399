import type { RequestSegment, ResponseSegment } from '../../../engine';
import type { Actor } from '../../../platform/access/actor';
import type { Clock } from '../../../platform/clock/clock';
import { BadInput } from '../../../platform/errors/errors';
import { allOf } from '../../../platform/store/lists/filter';
import { decodeCursor, encodeCursor } from '../../../platform/store/lists/keyset-cursor';
import type { CursorList, Order } from '../../../platform/store/lists/keyset-cursor';
import { Page, sliceAfter } from '../../../platform/store/lists/page';
import { hasMoreCharacters } from '../../../platform/text/characters';
import { testKeyOf } from '../../workflows/testing/test-key.service';
import type { RunEventLog } from '../events/run-event-log';
import type { RunRecords } from '../run-records';
import type { PublishedRunEvent } from '../run.events';
import { ALL_LOGS, LOGS_OF_WORKFLOW } from '../run.model';
import type { RunRecord } from '../run.model';
import { visibleRuns } from '../run.policy';
import { elementsIn, shownElement } from './element-scan';
import {
  elementIdOf,
  elementNotFound,
  executionOf,
  flowchartOf,
  readElementId,
} from './log-element';
import type { LogElement } from './log-element';
import { logKeyOf, logThere, olderThan, requireCount } from './logged-runs';
import type { LoggedRuns, LogPage } from './logged-runs';
import { matcherOf, MAX_SEARCH } from './log-search';
import type { LogSearch } from './log-search';
import { LogTree } from './log-tree';
import type { LoggedTurn } from './log-tree';

export interface ElementDetails {
  readonly element: LogElement;
  readonly request: RequestSegment | null;
  readonly response: ResponseSegment | null;
}

export const bareDetails = (element: LogElement): ElementDetails => ({
  element,
  request: null,
  response: null,
});

const RUNS_AT_ONCE = 20;

const SEARCH_ORDER: readonly Order[] = [
  { field: 'run', direction: 'desc' },
  { field: 'sequence', direction: 'asc' },
];

/**
 * Reads the logs of runs as trees and searches them, as far as an actor may see them. No log is
 * read as a whole: its length is not limited.
 */
export class RunLogs {
  private readonly tree: LogTree;

  constructor(
    private readonly deps: {
      readonly clock: Clock;
      readonly records: RunRecords;
      readonly events: RunEventLog;
      readonly logged: LoggedRuns;
    },
  ) {
    this.tree = new LogTree(deps.events);
  }

  isThere(run: RunRecord): boolean {
    return this.deps.logged.hasLog(run);
  }

  /**
   * Direct children of an element, in order: of a run its flowchart, of that all steps outside
   * loops and conditions.
   * @param turns of a loop: the iteration, from 0, or those of all enclosing loops and its own;
   * null: all
   */
  async children(
    actor: Actor,
    parentId: string,
    turns: readonly number[] | null,
    { first, after }: LogPage,
  ): Promise<readonly LogElement[]> {
    requireCount(first);
    const { runId, sequence } = readElementId(parentId, 'parentId');
    return this.deps.logged.read(actor, runId, async (run) => {
      const page = { first, after: afterIn(runId, after) };
      // As in the released API: the only child of a run is its flowchart.
      if (sequence === 0) return page.after === 0 ? [flowchartOf(run)] : [];
      if (sequence === 1) return this.tree.children(run, null, null, page);
      const { begin } = await this.tree.elementAt(runId, sequence, parentId);
      return begin.kind === 'S' || begin.kind === 'F'
        ? []
        : this.tree.children(run, begin, turns, page);
    });
  }

  /**
   * An iteration of a loop with its value; null if it does not exist or has no elements.
   * @param turns as for `children`
   */
  async turn(actor: Actor, id: string, turns: readonly number[]): Promise<LoggedTurn | null> {
    const { runId, sequence } = readElementId(id);
    return this.deps.logged.read(actor, runId, async (run) => {
      if (sequence <= 1) return null;
      const { begin } = await this.tree.elementAt(runId, sequence, id);
      return begin.kind === 'L' ? this.tree.turn(run, begin, turns) : null;
    });
  }

  /** An element with its request and response. */
  async details(actor: Actor, id: string): Promise<ElementDetails> {
    const { runId, sequence } = readElementId(id);
    return this.deps.logged.read(actor, runId, async (run) => {
      if (sequence <= 1) return bareDetails(sequence === 0 ? executionOf(run) : flowchartOf(run));
      const entry = await this.tree.elementAt(runId, sequence, id);
      const shown = shownElement(run, entry, entry.last);
      const element =
        entry.begin.kind === 'L' ? await this.tree.withEnd(shown, entry.begin) : shown;
      const [begin, end, warnings] = await Promise.all([
        this.tree.eventAt(runId, sequence),
        entry.end && this.tree.eventAt(runId, entry.end.sequence),
        this.tree.warnings(runId, entry.warnings),
      ]);
      return withFullTexts({ ...element, warnings }, begin, end);
    });
  }

  /**
   * As `search`, by cursors.
   * @throws BadInput if the cursor is not of this list
   */
  searchPage(
    actor: Actor,
    workflowId: number | null,
    search: LogSearch,
    { first, after }: LogPage,
    signal?: AbortSignal,
  ): Page<LogElement> {
    const list: CursorList = {
      name: workflowId === null ? 'LogElement' : `LogElement workflowId ${workflowId}`,
      order: SEARCH_ORDER,
    };
    requireCount(first);
    const place = after == null ? null : decodeCursor(list, after, 'after').map(Number);
    const page = {
      first: first + 1,
      after: place && elementIdOf({ runId: place[0] ?? 0, sequence: place[1] ?? 0 }),
    };
    return new Page(
      async () =>
        sliceAfter(
          await this.search(actor, workflowId, search, page, signal),
          { first, hasBefore: place !== null },
          ({ run, sequence }) => encodeCursor(list, [run._id, sequence]),
        ),
      () => Promise.reject(new Error('Found elements are not counted.')),
    );
  }

  /**
   * Searches the logs of a workflow, or of all, including tests: elements of the newest run first,
   * of one run in order; pass the last id as `after` for the next page.
   */
  async search(
    actor: Actor,
    workflowId: number | null,
    search: LogSearch,
    { first, after }: LogPage,
    signal?: AbortSignal,
  ): Promise<LogElement[]> {
    requireCount(first);
    requireShort('text', search.text);
    requireShort('step', search.step);
    const matcher = matcherOf(search);
    const place = after == null ? null : readElementId(after, 'after');
    const result: LogElement[] = [];
    for await (const run of this.runsFrom(actor, workflowId, place?.runId ?? null, after)) {
      signal?.throwIfAborted();
      const from = run._id === place?.runId ? place.sequence + 1 : 1;
      const ofRun = await this.searchRun(run, matcher, from, first - result.length);
      // A log is removed in pieces, so that elements read during a removal have gaps.
      if (ofRun.length > 0 && (await this.deps.logged.stillHasLog(run._id))) result.push(...ofRun);
      if (result.length === first) return result;
    }
    return result;
  }

  private async searchRun(
    run: RunRecord,
    matcher: ReturnType<typeof matcherOf>,
    from: number,
    limit: number,
  ): Promise<LogElement[]> {
    const { elements } = this.deps.events;
    const end = await elements.end(run._id);
    const result: LogElement[] = [];
    if (end === null) return result;
    const parts = elements.parts(run._id, from, end.last, { bodies: matcher.bodies });
    for await (const one of elementsIn(parts, from, matcher)) {
      if (!matcher.lines(one)) continue;
      const element = shownElement(run, one, end.line);
      if (matcher.element(element)) result.push(element);
      if (result.length === limit) break;
    }
    return result;
  }

  /** The runs to search, beginning with the run of the last page. */
  private async *runsFrom(
    actor: Actor,
    workflowId: number | null,
    runId: number | null,
    after: string | null | undefined,
  ): AsyncGenerator<RunRecord, void, undefined> {
    const { clock, logged, records } = this.deps;
    const visible = visibleRuns(actor, { includeTest: true });
    const logKey = workflowId === null ? null : testKeyOf(workflowId);
    let last: RunRecord | null = null;
    if (runId !== null) {
      last = await records.collection.findOne(allOf([{ _id: runId }, visible]));
      if (last === null || (logKey !== null && logKeyOf(last) !== logKey))
        throw elementNotFound(after ?? '', 'after');
      // A log that is gone still marks where the next ones begin.
      if (logged.hasLog(last)) yield last;
    }
    const within = [{ logOf: logKey ?? { $exists: true } }, logThere(clock.now()), visible];
    const hint = logKey === null ? ALL_LOGS : LOGS_OF_WORKFLOW;
    for (;;) {
      const runs: RunRecord[] = await records.collection.find(
        allOf([...within, last === null ? {} : olderThan(last)]),
        { sort: { queuedAt: -1, _id: -1 }, hint, limit: RUNS_AT_ONCE },
      );
      yield* runs;
      if (runs.length < RUNS_AT_ONCE) return;
      last = runs.at(-1) ?? null;
    }
  }
}

function afterIn(runId: number, after: string | null | undefined): number {
  if (after == null) return 0;
  const place = readElementId(after, 'after');
  if (place.runId !== runId) throw elementNotFound(after, 'after');
  return place.sequence;
}

function requireShort(field: 'text' | 'step', text: string | null | undefined): void {
  if (hasMoreCharacters(text ?? '', MAX_SEARCH))
    throw new BadInput('BAD_REQUEST', `\`${field}\` has at most ${MAX_SEARCH} characters.`, {
      path: [field],
    });
}

/** Lines have shortened texts: takes the full ones from the events that begin and end the element. */
function withFullTexts(
  element: LogElement,
  begin: PublishedRunEvent | null,
  end: PublishedRunEvent | null,
): ElementDetails {
  if (begin?.kind === 'ConditionEvaluated')
    return bareDetails({ ...element, expression: begin.expression });
  if (begin?.kind === 'LoopStarted')
    return bareDetails({ ...element, loopExpression: begin.expression ?? null });
  if (begin?.kind === 'OperatorFailed')
    return bareDetails({
      ...element,
      error: begin.error,
      [begin.operator === 'if' ? 'expression' : 'loopExpression']: begin.expression,
    });
  const named =
    begin?.kind === 'StepStarted'
      ? { ...element, name: begin.name, label: begin.label ?? null }
      : element;
  if (end?.kind !== 'StepFinished') return bareDetails(named);
  return {
    element: { ...named, error: end.error },
    request: end.request ?? null,
    response: end.response ?? null,
  };
}
