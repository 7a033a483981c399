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
    const step = this.enter(index);
    this.connectorName = connector?.title ?? '';
    this.color = step.color;
    return this.lines(
      heading(`API OPERATION START -- INDEX: ${step.index}`),
      `Function: ${name ?? ''} -- ${printNext(step.next)} -- index: ${step.index}`,
    );
  }

  private stepFinished(event: EventOf<'StepFinished'>): TextLine[] {
    const { index, request, response, error } = event;
    const step = this.stepAt(index);
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
      ...(error ? [this.failure(error, index)] : []),
      this.line(heading(`API OPERATION END -- INDEX: ${step.index}`)),
    ];
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

  private operatorFailed({ index, operator, error }: EventOf<'OperatorFailed'>): TextLine[] {
    const step = this.enter(index);
    const name = operator === 'if' ? 'IF' : loopName(step.expression);
    return [...this.lines(...operatorStart(name, step)), this.failure(error, index)];
  }

  private runFinished({ error }: EventOf<'RunFinished'>): TextLine[] {
    const closed = this.closeFrom(0);
    return [...closed, ...(error ? [this.failure(error, error.index)] : []), this.line(END)];
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
    this.side = step.side;
    this.color = null;
    return step;
  }

  private failure(
    { code, message }: { readonly code: string; readonly message: string },
    index: string | null,
  ): TextLine {
    const at = index === null ? null : this.stepAt(index).index;
    return {
      ...this.line(message, 'ERROR'),
      stackTrace: [
        `${code}: ${message}`,
        ...(at === null ? [] : [`at step ${at}`]),
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
