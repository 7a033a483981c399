import type { Services } from '../../../platform/context';
import type { Presenters } from '../../../platform/http/presenters';
import type { Destination } from '../../../platform/http/dialects/destination';
import { outlineTwoContainers } from '../../workflows/released-documents.service';
import type { WatchedRunEvent } from '../events/run-event-feed';
import type { PublishedRunEvent } from '../run.events';
import type { RunRecord } from '../run.model';
import { runPolicy } from '../run.policy';
import { elementLine, readLine } from './element-line';
import type { ElementLine } from './element-line';
import { elementOf, executionOf, flowchartOf } from './log-element';
import type { LogElement } from './log-element';
import { bareDetails } from './run-logs';
import type { ElementDetails } from './run-logs';
import { TextLines } from './text-lines';
import type { TextLine } from './text-lines';

type LogServices = Pick<Services, 'runEvents' | 'workflowSnapshots'>;

/**
 * Live logs of tests: for 4.x clients as text, by the schedule in the address of their socket; for
 * all others at the channels that their users chose.
 */
export function logDestinations(
  { runEvents, workflowSnapshots }: LogServices,
  { logs }: Presenters,
): Destination[] {
  return [
    {
      path: '/execution/logs',
      needs: runPolicy.read,
      async *messages({ actor, scheduleId, signal }) {
        if (scheduleId === null) return;
        const events = runEvents.followSchedule(actor, scheduleId, signal);
        yield* textLinesOf(events, workflowSnapshots);
      },
    },
    {
      path: '/execution/logs/{channelId}',
      needs: runPolicy.read,
      async *messages({ actor, name, signal }) {
        for await (const details of linesOf(runEvents.followChannel(actor, name, signal)))
          yield logs.line(details);
      },
    },
  ];
}

async function* linesOf(
  events: AsyncIterable<WatchedRunEvent>,
): AsyncGenerator<ElementDetails, void, undefined> {
  let lines: LogLines | null = null;
  for await (const { run, event } of events) {
    if (lines?.runId !== run._id) lines = new LogLines(run);
    yield* lines.after(event);
  }
}

async function* textLinesOf(
  events: AsyncIterable<WatchedRunEvent>,
  snapshots: LogServices['workflowSnapshots'],
): AsyncGenerator<TextLine, void, undefined> {
  let runId: number | null = null;
  let lines: TextLines | null = null;
  for await (const { run, event } of events) {
    if (runId !== run._id) {
      runId = run._id;
      const document = await snapshots.findDocument(run);
      lines = new TextLines(run, document ? outlineTwoContainers(document) : new Map());
    }
    yield* lines?.after(event) ?? [];
  }
}

type RunFinished = Extract<PublishedRunEvent, { kind: 'RunFinished' }>;

/** Live log of one run: each element is emitted when it begins, and again when it has ended. */
class LogLines {
  /** The run as RUNNING, whatever its state is now. */
  private readonly live: RunRecord;
  private step: ElementLine | null = null;
  /** The open loops, outermost first. */
  private loops: ElementLine[] = [];
  /** Null before the first event. */
  private startedAt: Date | null = null;

  get runId(): number {
    return this.run._id;
  }

  constructor(private readonly run: RunRecord) {
    this.live = { ...run, state: 'RUNNING', error: null, durationMs: null };
  }

  after(event: PublishedRunEvent): readonly ElementDetails[] {
    const opening = this.opening(event.at);
    const lines = event.kind === 'RunFinished' ? this.closing(event) : this.linesOf(event);
    return [...opening, ...lines];
  }

  private linesOf(event: Exclude<PublishedRunEvent, RunFinished>): ElementDetails[] {
    const text = elementLine(event, event);
    if (text === null) return [];
    const line = readLine(text);
    const element = (): LogElement => elementOf(this.live, line, null, false);
    switch (event.kind) {
      case 'StepStarted':
        this.step = line;
        return [bareDetails(elementOf(this.live, line, null, true))];
      case 'StepFinished': {
        const begin = this.step ?? { ...line, kind: 'S' };
        this.step = null;
        return [
          {
            element: { ...elementOf(this.live, begin, line, false), error: event.error },
            request: event.request ?? null,
            response: event.response ?? null,
          },
        ];
      }
      case 'ConditionEvaluated': {
        const ended = { ...element(), expression: event.expression };
        return [bareDetails({ ...ended, state: 'PENDING', result: null }), bareDetails(ended)];
      }
      case 'OperatorFailed': {
        const ended = {
          ...element(),
          error: event.error,
          ...(event.operator === 'if' && { expression: event.expression }),
        };
        return [bareDetails({ ...ended, state: 'PENDING', error: null }), bareDetails(ended)];
      }
      case 'LoopStarted':
        this.loops.push(line);
        return [bareDetails(elementOf(this.live, line, null, true))];
      case 'LoopFinished': {
        const begin = this.loops.pop();
        if (!begin) return [];
        const durationMs = line.at - begin.at;
        return [bareDetails({ ...elementOf(this.live, begin, null, false), durationMs })];
      }
      default:
        return [];
    }
  }

  /** The run and its flowchart begin with the first event. */
  private opening(at: Date): ElementDetails[] {
    if (this.startedAt) return [];
    this.startedAt = this.run.startedAt ?? at;
    const live = { ...this.live, startedAt: this.startedAt };
    return [bareDetails(executionOf(live)), bareDetails(flowchartOf(live))];
  }

  /** Open elements end with the run, innermost first. */
  private closing({ state, error, durationMs }: RunFinished): ElementDetails[] {
    const ended: RunRecord = { ...this.run, state, error, durationMs, startedAt: this.startedAt };
    const open = [...this.loops, ...(this.step ? [this.step] : [])]
      .reverse()
      .map((line) => elementOf(ended, line, null, true));
    return [...open, flowchartOf(ended), executionOf(ended)].map(bareDetails);
  }
}
