import { z } from 'zod';
import { presenter } from '../../../platform/http/presenters';
import type { Presenter } from '../../../platform/http/presenters';
import { AnswerId, AnswerMoment } from '../../../platform/http/scalars';
import { ELEMENT_STATES, ELEMENT_TYPES, elementIdOf } from './log-element';
import type { LogElement } from './log-element';
import { workflowOfLog } from './logged-runs';
import type { ElementDetails } from './run-logs';

/**
 * Trace of an error in terms of the workflow: error, step with attempt and loop iterations,
 * workflow, run. Exposes no internals of the service; empty without an error.
 */
function traceOf({ run, type, error, stepId, name, index, attempt, turns }: LogElement): string[] {
  if (error === null) return [];
  // For a run: the step that ended it, if there is one.
  const isRun = type === 'EXECUTION' || type === 'FLOWCHART';
  const step = isRun
    ? {
        called: run.error?.step ?? null,
        index: run.error?.index ?? null,
        attempt: run.error?.attempt ?? null,
        turns: run.error?.loopIndex ?? [],
      }
    : { called: name ?? stepId, index, attempt, turns };
  return [
    `${error.code}: ${error.message}`,
    ...(step.index === null
      ? []
      : [
          `at step ${[step.called, `(${step.index})`].filter(Boolean).join(' ')}${step.attempt === null ? '' : `, try ${step.attempt}`}${step.turns.length > 0 ? `, turn ${step.turns.join(',')}` : ''}`,
        ]),
    `at workflow ${run.workflowTitle} (${workflowOfLog(run)})`,
    `at run ${run._id}`,
  ];
}

interface LogPresenters {
  readonly files: Presenter<[readonly string[]]>;
  readonly elements: Presenter<[readonly LogElement[]]>;
  readonly details: Presenter<[ElementDetails]>;
  /** A line of the log of a test, as sent over STOMP. */
  readonly line: Presenter<[ElementDetails]>;
}

declare module '../../../platform/http/presenters' {
  interface Presenters {
    readonly logs: LogPresenters;
  }
}

const Header = z.record(z.string(), z.unknown());

const Segment = z
  .object({
    result: z.enum(['true', 'false']).optional().meta({ description: 'Result of a condition.' }),
    request: z
      .object({ url: z.string(), http_method: z.string(), header: Header, payload: z.string() })
      .optional()
      .meta({ description: 'The request; long texts are shortened and marked.' }),
    response: z
      .object({ status: z.int(), duration: z.number(), header: Header, payload: z.string() })
      .optional()
      .meta({ description: 'The response; long texts are shortened and marked.' }),
  })
  .meta({ id: 'LogSegment' });

const ElementAnswer = z.object({
  id: z.string().meta({
    description: 'Run id and sequence of its first event, for example `4711-3`; for a run, its id.',
  }),
  executionId: AnswerId,
  connectionId: AnswerId,
  flowId: z.string().nullable().meta({ description: 'Id of its flowchart; null for the run.' }),
  indexPath: z
    .string()
    .nullable()
    .meta({ description: 'Index of the step; null for a run and its flowchart.' }),
  status: z.enum(ELEMENT_STATES),
  type: z.enum(ELEMENT_TYPES),
  connectorName: z.string().nullable(),
  startTime: AnswerMoment.nullable(),
  duration: z.number().nullable().meta({
    description:
      'Milliseconds; null while it is in progress, for conditions, for loops that did not finish, and for loops in search results.',
  }),
  properties: z.object({
    CONNECTOR_ID: AnswerId.nullable(),
    DIRECTION: z.literal('source').nullable().meta({ description: 'Always `source` for a step.' }),
    stepId: z.string().nullable(),
    name: z.string().nullable().meta({
      description: 'Name of a step; for a run and its flowchart the title of the workflow.',
    }),
    label: z.string().nullable(),
    methodType: z.string().nullable(),
    attempt: z.int().nullable().meta({ description: 'Attempt number; 1 for the first.' }),
    statusCode: z.int().nullable(),
    expression: z.string().nullable(),
    size: z.int().nullable().meta({ description: 'Number of iterations of a loop.' }),
    iterator: z.string().nullable(),
    loopIndex: z.string().meta({
      description:
        'Iterations of the enclosing loops, from 0, outermost first, separated by commas.',
    }),
  }),
  segment: Segment.nullable().meta({ description: 'In lists only the results of conditions.' }),
  error: z
    .object({
      code: z.string(),
      message: z.string(),
      stack_trace: z.array(z.string()).meta({
        description:
          'The error, followed by the step with its attempt and iterations, the workflow and the run.',
      }),
    })
    .nullable(),
});

/** An element of the documented dialect: released clients do not know warnings. */
const WarnedElementAnswer = ElementAnswer.extend({
  warnings: z
    .array(
      z.object({
        code: z.string().nullable().meta({
          description: '`REFERENCE_EMPTY`: a reference found nothing, so that null was used.',
        }),
        message: z.string(),
        path: z.string().nullable().meta({ description: 'The reference that is empty.' }),
        keys: z
          .array(z.string())
          .nullable()
          .meta({ description: 'Names that are there instead, at most 20.' }),
      }),
    )
    .meta({ description: 'Warnings of a step; texts in lists are shortened.' }),
}).meta({ id: 'LogElement' });

const LineAnswer = ElementAnswer.extend({
  error: z
    .object({
      message: z.string(),
      code: z.string(),
      originOfErrorPath: z.string().nullable(),
      stackTrace: z.array(z.string()).meta({ description: 'As `stack_trace` of an element.' }),
    })
    .nullable(),
}).meta({ id: 'LogLine' });

function presentElement(
  shown: LogElement,
  segments: Pick<ElementDetails, 'request' | 'response'> | null = null,
): z.input<typeof ElementAnswer> {
  const { run, ...element } = shown;
  const { sequence, type, state, index, turns, startedAt, durationMs, connector, result, error } =
    element;
  const { stepId, name, label, methodType, attempt, statusCode, expression, size, iterator } =
    element;
  const segment = {
    ...(result !== null && { result: String(result) as 'true' | 'false' }),
    ...(segments?.request && {
      request: {
        url: segments.request.url,
        http_method: segments.request.method,
        header: segments.request.header,
        payload: segments.request.payload,
      },
    }),
    ...(segments?.response && {
      response: {
        status: segments.response.status,
        duration: segments.response.durationMs,
        header: segments.response.header,
        payload: segments.response.payload,
      },
    }),
  };
  return {
    id: elementIdOf({ runId: run._id, sequence }),
    executionId: run._id,
    connectionId: workflowOfLog(run),
    flowId: sequence === 0 ? null : elementIdOf({ runId: run._id, sequence: 1 }),
    indexPath: index,
    status: state,
    type,
    connectorName: connector?.title ?? null,
    startTime: startedAt?.getTime() ?? null,
    duration: durationMs,
    properties: {
      CONNECTOR_ID: connector?.id ?? null,
      DIRECTION: type === 'OPERATION' ? 'source' : null,
      stepId,
      name,
      label,
      methodType,
      attempt,
      statusCode,
      expression,
      size,
      iterator,
      loopIndex: turns.join(','),
    },
    segment: Object.keys(segment).length > 0 ? segment : null,
    error: error && { ...error, stack_trace: traceOf(shown) },
  };
}

function presentWarned(
  element: LogElement,
  segments: Pick<ElementDetails, 'request' | 'response'> | null = null,
): z.input<typeof WarnedElementAnswer> {
  const warnings = element.warnings.map(({ keys, ...warning }) => ({
    ...warning,
    keys: keys && [...keys],
  }));
  return { ...presentElement(element, segments), warnings };
}

function presentLine({ element, ...segments }: ElementDetails): z.input<typeof LineAnswer> {
  const { error, index, run } = element;
  return {
    ...presentElement(element, segments),
    error: error && {
      ...error,
      originOfErrorPath: index ?? run.error?.index ?? null,
      stackTrace: traceOf(element),
    },
  };
}

/** Formats of the released API, with some additions. */
export const documentedLogs: LogPresenters = {
  files: presenter(
    z.object({ result: z.array(z.string()) }).meta({ id: 'LogFiles' }),
    (result) => ({ result: [...result] }),
  ),
  elements: presenter(z.array(WarnedElementAnswer), (elements) =>
    elements.map((element) => presentWarned(element)),
  ),
  details: presenter(WarnedElementAnswer, ({ element, ...segments }) =>
    presentWarned(element, segments),
  ),
  line: presenter(LineAnswer, presentLine),
};

const RequestInList = z.object({ url: z.string(), http_method: z.string() });
const ResponseInList = z.object({ status: z.int(), duration: z.number() });
const ReleasedSegment = Segment.extend({
  request: RequestInList.extend({
    header: Header.optional(),
    payload: z.string().optional(),
  }).optional(),
  response: ResponseInList.extend({
    header: Header.optional(),
    payload: z.string().optional(),
  }).optional(),
}).meta({
  id: 'ReleasedLogSegment',
  description: 'Lists contain no `header` and `payload`.',
});

/** The released clients match elements by fields that they expect to be missing, not null. */
const whenGiven = {
  indexPath: z.string().optional(),
  properties: ElementAnswer.shape.properties.extend({ loopIndex: z.string().optional() }),
  segment: ReleasedSegment,
};
const ReleasedElement = ElementAnswer.extend(whenGiven).meta({ id: 'ReleasedLogElement' });
const ReleasedLine = LineAnswer.extend(whenGiven).meta({ id: 'ReleasedLogLine' });

function released<T extends Omit<z.input<typeof ElementAnswer>, 'error'>>(
  { loopExpression }: LogElement,
  { indexPath, segment, properties: { loopIndex, ...properties }, ...rest }: T,
) {
  return {
    ...rest,
    ...(indexPath !== null && { indexPath }),
    properties: {
      ...properties,
      expression: properties.expression ?? loopExpression,
      ...(loopIndex !== '' && { loopIndex }),
    },
    segment: segment ?? {},
  };
}

function releasedInList(element: LogElement): z.input<typeof ReleasedElement> {
  const { request, statusCode, durationMs } = element;
  const shown = released(element, presentElement(element));
  return {
    ...shown,
    segment: {
      ...shown.segment,
      ...(request && { request: { url: request.url, http_method: request.method } }),
      ...(statusCode !== null && {
        response: { status: statusCode, duration: durationMs ?? 0 },
      }),
    },
  };
}

export const releasedLogs: LogPresenters = {
  ...documentedLogs,
  elements: presenter(z.array(ReleasedElement), (elements: readonly LogElement[]) =>
    elements.map(releasedInList),
  ),
  details: presenter(ReleasedElement, ({ element, ...segments }: ElementDetails) =>
    released(element, presentElement(element, segments)),
  ),
  line: presenter(ReleasedLine, (details: ElementDetails) =>
    released(details.element, presentLine(details)),
  ),
};
