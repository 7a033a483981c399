import type { RunEventLog } from '../events/run-event-log';
import type { PublishedRunEvent } from '../run.events';
import type { RunRecord } from '../run.model';
import { depthOf } from './element-line';
import type { ElementLine, ElementPart, FoundElement } from './element-line';
import { elementsIn, endedLoop, isWithin, shownElement } from './element-scan';
import { elementNotFound, warningOfEvent } from './log-element';
import type { LogElement, LogWarning } from './log-element';

export interface LoggedTurn {
  readonly index: string;
  /** Iterations of the enclosing loops, outermost first, then its own, from 0. */
  readonly turns: readonly number[];
  readonly startedAt: Date;
  /** The loop variable: index, key or part, masked and cut as in events. */
  readonly value: string | number | null;
}

export class LogTree {
  constructor(private readonly log: Pick<RunEventLog, 'read' | 'readEach' | 'elements'>) {}

  /** Returns null if there is no event with this sequence. */
  async eventAt(runId: number, sequence: number): Promise<PublishedRunEvent | null> {
    const [event] = await this.log.read(runId, sequence - 1, 1);
    return event?.sequence === sequence ? event : null;
  }

  /** The events of warnings; without those that are gone. */
  async warnings(runId: number, lines: readonly ElementLine[]): Promise<LogWarning[]> {
    const [first, last] = [lines.at(0), lines.at(-1)];
    if (first === undefined || last === undefined) return [];
    const before = first.sequence - 1;
    const [events = []] = await this.log.readEach([runId], before, last.sequence - before);
    return events.flatMap((event) =>
      event.kind === 'RunLog' && event.level === 'WARN' ? [warningOfEvent(event)] : [],
    );
  }

  /** The element that begins with an event, and the last line of the log. */
  async elementAt(
    runId: number,
    sequence: number,
    id: string,
  ): Promise<FoundElement & { readonly last: ElementLine }> {
    const { elements } = this.log;
    const end = await elements.end(runId);
    if (end === null) throw elementNotFound(id);
    for await (const element of elementsIn(elements.parts(runId, sequence, end.last), sequence)) {
      if (element.begin.sequence === sequence) return { ...element, last: end.line };
      break;
    }
    throw elementNotFound(id);
  }

  /** Adds the duration to a loop that has ended. */
  async withEnd(loop: LogElement, begin: ElementLine): Promise<LogElement> {
    if (loop.state !== 'COMPLETE') return loop;
    const { elements } = this.log;
    let ended: LogElement | null = null;
    const loopEnds = (line: ElementLine): void => {
      ended ??= endedLoop(loop, begin, line);
    };
    const end = await elements.end(loop.run._id);
    for await (const _ of elementsIn(
      elements.parts(loop.run._id, begin.sequence, end?.last ?? 0, { depth: depthOf(begin.index) }),
      begin.sequence + 1,
      { loopEnds },
    )) {
      if (ended !== null) break;
    }
    return ended ?? loop;
  }

  /** Direct children of an element; of a loop in one of its iterations, or in all. */
  async children(
    run: RunRecord,
    parent: ElementLine | null,
    turns: readonly number[] | null,
    { first, after }: { readonly first: number; readonly after: number },
  ): Promise<LogElement[]> {
    const end = await this.log.elements.end(run._id);
    if (end === null) return [];
    const depth = parent === null ? 0 : depthOf(parent.index) + 1;
    const parentTurns = parent === null ? '' : turnsOfChildren(parent, turns);
    if (parentTurns === undefined) return [];
    const from = Math.max(parent === null ? 1 : parent.sequence + 1, after + 1);
    const children: LogElement[] = [];
    // Children of an iteration are consecutive: parse only parts from its first line on, and stop
    // after its last.
    const isTurn = parent?.kind === 'L' && parentTurns !== null;
    const mayHold = ({ elements }: ElementPart): boolean =>
      !isTurn || children.length > 0 || elements.includes(` ${parentTurns} `);
    const leaves = (line: ElementLine): boolean =>
      parent !== null &&
      (!isWithin(line, parent) ||
        (isTurn &&
          children.length > 0 &&
          line.turns !== parentTurns &&
          !line.turns.startsWith(`${parentTurns},`)));
    /** The last child, if it is a loop whose end is still to come: siblings do not overlap. */
    let open: ElementLine | null = null;
    const loopEnds = (line: ElementLine): void => {
      const [last] = children.slice(-1);
      const ended = last && open && endedLoop(last, open, line);
      if (!ended) return;
      children.splice(-1, 1, ended);
      open = null;
    };
    for await (const element of elementsIn(
      this.log.elements.parts(run._id, from, end.last, { depth }),
      from,
      { mayHold, leaves, loopEnds },
    )) {
      const { begin } = element;
      const isChild =
        depthOf(begin.index) === depth && (parentTurns === null || begin.turns === parentTurns);
      // Continue beyond a full page only to find the end of its last loop.
      if (children.length === first && (isChild || open === null)) break;
      if (!isChild) continue;
      children.push(shownElement(run, element, end.line));
      open = begin.kind === 'L' ? begin : null;
      if (children.length === first && open === null) break;
    }
    return children;
  }

  /** An iteration of a loop; null if it does not exist or has no elements. */
  async turn(
    run: RunRecord,
    loop: ElementLine,
    turns: readonly number[],
  ): Promise<LoggedTurn | null> {
    if (turns.length === 0) return null;
    const [first] = await this.children(run, loop, turns, { first: 1, after: 0 });
    // The LoopIteration event is directly before the first child.
    const event = first && (await this.eventAt(run._id, first.sequence - 1));
    return event?.kind === 'LoopIteration'
      ? { index: event.index, turns: first.turns, startedAt: event.at, value: event.value }
      : null;
  }
}

/** The iterations of the children to find: null for any, undefined if there are none. */
function turnsOfChildren(
  { turns, kind }: ElementLine,
  path: readonly number[] | null,
): string | null | undefined {
  if (kind !== 'L') return turns;
  if (path === null || path.length === 0) return null;
  const around = turns === '' ? [] : turns.split(',');
  const turn = path.at(-1);
  if (
    path.length > 1 &&
    (path.length !== around.length + 1 || around.some((one, nth) => Number(one) !== path[nth]))
  )
    return undefined;
  return [...around, turn].join(',');
}
