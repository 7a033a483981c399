import type { RunError } from '../../../engine';
import type { NextStep, OutlinedStep } from '../../workflows/released-documents.service';
import type { PublishedRunEvent } from '../run.events';
import type { RunRecord } from '../run.model';

/** A line of the log that 4.x clients show while a run is active. */
export interface TextLine {
  readonly message: string;
  readonly type: 'INFO' | 'WARNING' | 'ERROR';
  readonly stackTrace: readonly string[] | null;
  /** Set while a method runs. */
  readonly methodData: { readonly color: string } | null;
  readonly connector: { readonly name: string; readonly dir: 'from' | 'to' };
}

type EventOf<Kind extends PublishedRunEvent['kind']> = Extract<PublishedRunEvent, { kind: Kind }>;

/** An operator whose body is running. */
interface OpenOperator {
  /** In the document. */
  readonly index: string;
  readonly type: 'if' | 'loop';
  readonly name: string;
}

// The clients draw rules where a line consists of exactly this number of signs.
const RULE = '='.repeat(76);
const CALL_RULE = '='.repeat(60);
const END = `${'='.repeat(22)}END_OF_EXECUTION${'='.repeat(22)}`;
const heading = (text: string): string => `${'='.repeat(23)} ${text} ${'='.repeat(23)}`;

const printNext = ({ method, operator }: NextStep): string =>
  `next function: ${method} -- next operator: ${operator}`;

const LOOP_NAMES: Readonly<Record<string, string>> = {
  forin: 'FOR_IN',
  splitstring: 'SPLIT_STRING',
};

/** The name of a loop in 4.x, by the function in its expression. */
const loopName = (expression: string | null): string =>
  LOOP_NAMES[/^\W*([A-Za-z]+)\s*\(/.exec(expression ?? '')?.[1].toLowerCase() ?? ''] ?? 'FOR';

const UNKNOWN_STEP: OutlinedStep = {
  side: 'from',
  index: '',
  color: null,
  expression: null,
  next: { method: null, operator: null },
  afterBody: { method: null, operator: null },
};

/** The log of one run as text lines, in the format of the 4.x line. */
export class TextLines {
  private side: OutlinedStep['side'] = 'from';
  private connectorName = '';
  private color: string | null = null;
  private open: OpenOperator[] = [];
  /** The step or operator that the last lines belong to. */
  private current: string | null = null;
  /** Of the last attempt of a step, which another attempt or the end of the run follows. */
  private failedAttempt: string | null = null;

  /** @param outline the steps of its workflow, by their index */
  constructor(
    private readonly run: Pick<RunRecord, '_id' | 'workflowTitle'>,
    private readonly outline: ReadonlyMap<string, OutlinedStep>,
  ) {}

  after(event: PublishedRunEvent): TextLine[] {
    switch (event.kind) {
      case 'StepStarted':
        return [...this.closeOperators(event.index), ...this.stepStarted(event)];
      case 'StepFinished':
        return this.stepFinished(event);
      case 'ConditionEvaluated':
        return [...this.closeOperators(event.index), ...this.conditionEvaluated(event)];
      case 'LoopStarted':
        return [...this.closeOperators(event.index), ...this.loopStarted(event)];
      case 'LoopIteration':
        return [
          ...this.closeOperators(`${event.index}_`),
          this.line(`Loop: ${event.iterator} -------- index: ${event.turn}`),
        ];
      case 'LoopFinished':
        return this.closeFrom(this.open.findIndex(({ index }) => index === event.index));
      case 'OperatorFailed':
        return [...this.closeOperators(event.index), ...this.operatorFailed(event)];
      case 'RunLog':
        return [this.line(event.message, event.level === 'WARN' ? 'WARNING' : 'INFO')];
      case 'RunFinished':
        return this.runFinished(event);
      default:
        return [];
    }
  }

  private stepStarted({ index, name, connector }: EventOf<'StepStarted'>): TextLine[] {
    const retried = this.retried();
    const step = this.enter(index);
    this.connectorName = connector?.title ?? '';
    this.color = step.color;
    return [
      ...retried,
      ...this.lines(
        heading(`API OPERATION START -- INDEX: ${step.index}`),
        `Function: ${name ?? ''} -- ${printNext(step.next)} -- index: ${step.index}`,
      ),
    ];
  }

  private retried(): TextLine[] {
    const { failedAttempt, current } = this;
    if (failedAttempt === null || current === null) return [];
    this.failedAttempt = null;
    return [
      this.line(`${failedAttempt} The step is tried again.`, 'WARNING'),
      this.line(heading(`API OPERATION END -- INDEX: ${this.stepAt(current).index}`)),
    ];
  }

  /**
   * As in 4.x, a failed step has no end, and its error follows with the end of the run: clients draw
   * a step by its last line.
   */
  private stepFinished(event: EventOf<'StepFinished'>): TextLine[] {
    const { index, state, request, response, error } = event;
    const lines = [
      ...(request
        ? this.lines(
            `Http Method: ${request.method}`,
            `URL: ${request.url}`,
            `Header: ${JSON.stringify(request.header)}`,
            `Body: ${request.payload}`,
            CALL_RULE,
          )
        : []),
      ...(response ? this.lines(`Response : ${response.payload}`) : []),
    ];
    this.failedAttempt = error?.message ?? null;
    if (state !== 'SUCCEEDED') return lines;
    lines.push(this.line(heading(`API OPERATION END -- INDEX: ${this.stepAt(index).index}`)));
    this.color = null;
    return lines;
  }

  private conditionEvaluated({
    index,
    expression,
    result,
  }: EventOf<'ConditionEvaluated'>): TextLine[] {
    const step = this.enter(index);
    this.open.push({ index, type: 'if', name: 'IF' });
    return this.lines(
      ...operatorStart('IF', step),
      `Left Statement: ${expression}`,
      `OPERATOR_RESULT: ${result ? 'TRUE' : 'FALSE'} -- index: ${step.index}`,
    );
  }

  private loopStarted({ index, size }: EventOf<'LoopStarted'>): TextLine[] {
    const step = this.enter(index);
    const name = loopName(step.expression);
    this.open.push({ index, type: 'loop', name });
    return this.lines(
      ...operatorStart(name, step),
      `LOOP_OPERATOR_RESULT: ${size === 0 ? 'EMPTY' : 'NOT_EMPTY'} -- index: ${step.index}`,
    );
  }

  /** The error follows with the end of the run. */
  private operatorFailed({ index, operator }: EventOf<'OperatorFailed'>): TextLine[] {
    const step = this.enter(index);
    return this.lines(...operatorStart(operator === 'if' ? 'IF' : loopName(step.expression), step));
  }

  /** No operator is closed after a failure: its lines would come between a step and its error. */
  private runFinished({ state, error }: EventOf<'RunFinished'>): TextLine[] {
    const last = error
      ? [this.failure(error)]
      : state === 'SUCCEEDED'
        ? this.closeFrom(0)
        : [this.line('The run was cancelled.', 'WARNING')];
    this.color = null;
    return [...last, this.line(END)];
  }

  /** An `if` has no event at its end: it ends where a step is not below it. */
  private closeOperators(index: string): TextLine[] {
    return this.closeFrom(
      this.open.findIndex((operator) => !index.startsWith(`${operator.index}_`)),
    );
  }

  /** Closes an open operator and those below it, innermost first. */
  private closeFrom(position: number): TextLine[] {
    if (position < 0) return [];
    return this.open
      .splice(position)
      .reverse()
      .flatMap(({ index, type, name }) => {
        const step = this.enter(index);
        return this.lines(
          RULE,
          `Operator: -- ${printNext(step.afterBody)} -- type: ${type} -- index: ${step.index}`,
          heading(`${name} END -- INDEX: ${step.index}`),
        );
      });
  }

  private stepAt(index: string): OutlinedStep {
    return this.outline.get(index) ?? { ...UNKNOWN_STEP, index };
  }

  private enter(index: string): OutlinedStep {
    const step = this.stepAt(index);
    this.current = index;
    this.side = step.side;
    this.color = null;
    return step;
  }

  private failure({ code, message, index }: RunError): TextLine {
    // Without an index, a line belongs to the element of the line before it.
    const isElsewhere = index !== null && index !== this.current;
    if (isElsewhere) this.enter(index);
    const place = index === null ? null : this.stepAt(index);
    return {
      ...this.line(isElsewhere ? `${message} -- index: ${place?.index}` : message, 'ERROR'),
      stackTrace: [
        `${code}: ${message}`,
        ...(place === null ? [] : [`at step ${place.index}`]),
        `at workflow ${this.run.workflowTitle}`,
        `at run ${this.run._id}`,
      ],
    };
  }

  private lines(...messages: readonly string[]): TextLine[] {
    return messages.map((message) => this.line(message));
  }

  private line(message: string, type: TextLine['type'] = 'INFO'): TextLine {
    return {
      message,
      type,
      stackTrace: null,
      methodData: this.color === null ? null : { color: this.color },
      connector: { name: this.connectorName, dir: this.side },
    };
  }
}

const operatorStart = (name: string, { index, next }: OutlinedStep): string[] => [
  heading(`${name} START -- INDEX: ${index}`),
  `${name} -- ${printNext(next)} -- index: ${index}`,
];
