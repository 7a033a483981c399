import type { PublishedRunEvent } from '../run.events';
import type { RunRecord } from '../run.model';
import { elementLine, readLine } from './element-line';
import type { ElementLine } from './element-line';
import { elementOf, executionOf, flowchartOf } from './log-element';
import type { LogElement } from './log-element';
import type { ElementDetails } from './log-reading';

const bare = (element: LogElement): ElementDetails => ({ element, request: null, response: null });

/** Live log of one run: each element is emitted when it begins, and again when it has ended. */
export class LogLines {
  /** The run as RUNNING, whatever its state is now. */
  private readonly live: RunRecord;
  private step: ElementLine | null = null;
  /** The open loops, outermost first. */
  private loops: ElementLine[] = [];
  /** Null before the first event. */
  private startedAt: Date | null = null;

  constructor(private readonly run: RunRecord) {
    this.live = { ...run, state: 'RUNNING', error: null, durationMs: null };
  }

  /** Log elements for the next event of the run. */
  after(event: PublishedRunEvent): readonly ElementDetails[] {
    if (event.kind === 'RunFinished') return [...this.opening(event.at), ...this.closing(event)];
    const text = elementLine(event, event);
    const told = this.opening(event.at);
    if (text === null) return told;
    const line = readLine(text);
    switch (event.kind) {
      case 'StepStarted':
        this.step = line;
        return [...told, bare(elementOf(this.live, line, null, true))];
      case 'StepFinished': {
        const begin = this.step ?? { ...line, kind: 'S' };
        this.step = null;
        return [
          ...told,
          {
            element: { ...elementOf(this.live, begin, line, false), error: event.error },
            request: event.request ?? null,
            response: event.response ?? null,
          },
        ];
      }
      case 'ConditionEvaluated': {
        const element = {
          ...elementOf(this.live, line, null, false),
          expression: event.expression,
        };
        return [...told, bare({ ...element, state: 'PENDING', result: null }), bare(element)];
      }
      case 'OperatorFailed': {
        const failed = elementOf(this.live, line, null, false);
        const element: LogElement = {
          ...failed,
          error: event.error,
          ...(event.operator === 'if' && { expression: event.expression }),
        };
        return [...told, bare({ ...element, state: 'PENDING', error: null }), bare(element)];
      }
      case 'LoopStarted':
        this.loops.push(line);
        return [...told, bare(elementOf(this.live, line, null, true))];
      case 'LoopFinished': {
        const begin = this.loops.pop();
        return begin
          ? [
              ...told,
              bare({ ...elementOf(this.live, begin, null, false), durationMs: line.at - begin.at }),
            ]
          : told;
      }
      default:
        return told;
    }
  }

  /** The run and its flowchart begin with the first event. */
  private opening(at: Date): ElementDetails[] {
    if (this.startedAt) return [];
    this.startedAt = this.run.startedAt ?? at;
    const live = { ...this.live, startedAt: this.startedAt };
    return [bare(executionOf(live)), bare(flowchartOf(live))];
  }

  /** Open elements end with the run, innermost first. */
  private closing({
    state,
    error,
    durationMs,
  }: Extract<PublishedRunEvent, { kind: 'RunFinished' }>): ElementDetails[] {
    const ended: RunRecord = { ...this.run, state, error, durationMs, startedAt: this.startedAt };
    const open = [...this.loops, ...(this.step ? [this.step] : [])]
      .reverse()
      .map((line) => elementOf(ended, line, null, true));
    return [...open, flowchartOf(ended), executionOf(ended)].map(bare);
  }
}
