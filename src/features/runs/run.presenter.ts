import { z } from 'zod';
import type { RecordedExchange } from '../../engine';
import type { Services } from '../../platform/context';
import type { Audience } from '../../platform/http/dialects/released-client';
import { presenter } from '../../platform/http/presenters';
import type { Presenter } from '../../platform/http/presenters';
import { AnswerId, AnswerMoment, keysOf } from '../../platform/http/scalars';
import { ABOUT_RUN_ERROR_CODES, RUN_ERROR_CODES } from './run-error-codes';
import type { RunErrorCode } from './run-error-codes';
import { RUN_STATES, RUN_TRIGGERS, WAIT_REASONS } from './run.events';
import type { RunWait } from './run.events';
import { isResumable, RETRY_FROM, retryFromOf } from './run-continuation';
import type { RunRecord } from './run.model';

/** For whom runs are shown with their schedules, and which of them have a log. */
export interface RunAudience extends Audience {
  /** Returns those of the runs whose log can be read. */
  readonly withLog: (runIds: readonly number[]) => Promise<ReadonlySet<number>>;
}

export const runAudience = (
  { loggedRuns }: Pick<Services, 'loggedRuns'>,
  audience: Audience,
): RunAudience => ({ ...audience, withLog: (runIds) => loggedRuns.withLog(runIds) });

interface RunPresenters {
  readonly execution: Presenter<
    [
      run: RunRecord,
      hasLog: boolean,
      wait: RunWait | null,
      /** What the step that ended it sent and received, where it is read. */
      exchange: RecordedExchange | null,
    ]
  >;
}

declare module '../../platform/http/presenters' {
  interface Presenters {
    readonly runs: RunPresenters;
  }
}

/** OpenAPI cannot describe single enum values, so the description of the enum lists them. */
const errorCodeList = Object.entries(RUN_ERROR_CODES)
  .map(([code, meaning]) => `- \`${code}\`: ${meaning}`)
  .join('\n');

/** One schema, wherever such a code is returned. */
export const RunErrorCodeAnswer = z
  .enum(keysOf(RUN_ERROR_CODES))
  .meta({ id: 'RunErrorCode', description: `${ABOUT_RUN_ERROR_CODES}\n\n${errorCodeList}` });

const headerAnswer = z.record(z.string(), z.string());
const payloadAnswer = z
  .string()
  .meta({ description: 'Body as text; long bodies are shortened. Secrets are masked.' });

const SentRequest = z
  .object({
    url: z.string(),
    method: z.string(),
    header: headerAnswer,
    payload: payloadAnswer,
  })
  .meta({ id: 'ExecutionRequest' });

const ReceivedResponse = z
  .object({
    status: z.int(),
    durationMs: z.number(),
    header: headerAnswer,
    payload: payloadAnswer,
  })
  .meta({ id: 'ExecutionResponse' });

const ExecutionError = z
  .object({
    stepId: z
      .string()
      .nullable()
      .meta({ description: 'Id of the failed step; null if the error belongs to no step.' }),
    name: z.string().optional().meta({
      description: 'Name of the step when the run began; missing if it has none.',
    }),
    index: z.string().nullable(),
    loopIndex: z.array(z.int()).optional().meta({
      description:
        'Iterations of the enclosing loops, from 0, outermost first; missing if the error belongs to no step, and for runs of earlier versions.',
    }),
    attempt: z.int().min(1),
    code: RunErrorCodeAnswer,
    message: z.string().meta({
      description:
        'Error message. It names the step, and for a failed call method, URL without query string, and status. Secrets are masked.',
    }),
    request: SentRequest.optional().meta({
      description:
        'What the step sent, also without logging, in answers of `GET /execution/{id}`; missing if no request was sent, or it is not kept.',
    }),
    response: ReceivedResponse.optional().meta({
      description: 'What the step received; missing if there was no response.',
    }),
  })
  .meta({ id: 'ExecutionError' });

const ExecutionAnswer = z
  .object({
    executionId: AnswerId,
    connectionId: AnswerId,
    title: z.string().meta({ description: 'Title of the workflow when the run was queued.' }),
    state: z.enum(RUN_STATES),
    wait: z
      .object({
        reason: z.enum(keysOf(WAIT_REASONS)),
        message: z.string().meta({
          description: 'The reason as a sentence, with the error of processes that did not start.',
        }),
      })
      .meta({ id: 'ExecutionWait' })
      .optional()
      .meta({ description: 'Why it is queued; missing if it is not queued.' }),
    trigger: z.enum(keysOf(RUN_TRIGGERS)).meta({ description: 'What started it.' }),
    logging: z
      .boolean()
      .meta({ description: 'Whether its events contain requests and responses.' }),
    hasLog: z.boolean().meta({
      description:
        'Whether it has a log that can be read. Only the newest logs of each workflow are kept.',
    }),
    retryOf: AnswerId.optional().meta({
      description:
        'The run that it retries; for a retry of a retry, the first run. Missing if it is no retry.',
    }),
    retryFrom: z.array(z.enum(keysOf(RETRY_FROM))).meta({
      description:
        'Where a retry of it may begin: `from` of `POST /execution/{id}/retry`. Empty until it has ended.',
    }),
    resumable: z.boolean().meta({
      description:
        'Whether it goes on after a crash; false once what it received is larger than may be kept.',
    }),
    errorOf: AnswerId.optional().meta({ description: 'The run whose failure started it.' }),
    errorExecutionId: AnswerId.optional().meta({
      description: 'The run of the error workflow that its failure started.',
    }),
    startedBy: z
      .object({ userId: AnswerId, email: z.string() })
      .nullable()
      .meta({ description: 'User who started it; null if a schedule or a webhook did.' }),
    queuedTime: AnswerMoment,
    startTime: AnswerMoment.nullable(),
    endTime: AnswerMoment.nullable(),
    duration: z.number().nullable().meta({ description: 'Milliseconds; null until the end.' }),
    steps: z.int().nullable().meta({
      description: 'Number of executed methods, over all loop iterations; null until the end.',
    }),
    warnings: z.int().meta({
      description: 'Number of warnings in its events, such as empty references; 0 until the end.',
    }),
    error: ExecutionError.nullable(),
    arguments: z
      .array(
        z
          .object({
            id: AnswerId.meta({ description: 'Id of the argument.' }),
            name: z.string(),
            aggregatorId: AnswerId,
            stepId: z.string().nullable(),
            index: z.string(),
            value: z.unknown(),
          })
          .meta({ id: 'ExecutionArgument' }),
      )
      .optional()
      .meta({
        description:
          'Results of aggregators, in the order of the methods, with secrets masked; missing if there are none.',
      }),
  })
  .meta({ id: 'Execution' });

function presentExecution(
  run: RunRecord,
  hasLog: boolean,
  wait: RunWait | null,
  exchange: RecordedExchange | null,
): z.input<typeof ExecutionAnswer> {
  const { state, trigger, logging, startedBy, durationMs, steps, error } = run;
  return {
    executionId: run._id,
    connectionId: run.workflowId,
    title: run.workflowTitle,
    state,
    ...(wait && { wait }),
    trigger,
    logging,
    hasLog,
    startedBy,
    ...(run.retryOf !== undefined && { retryOf: run.retryOf }),
    retryFrom: retryFromOf(run, new Date()),
    resumable: isResumable(run),
    ...(run.errorOf !== undefined && { errorOf: run.errorOf }),
    ...(run.errorRunId !== undefined && { errorExecutionId: run.errorRunId }),
    queuedTime: run.queuedAt.getTime(),
    startTime: run.startedAt?.getTime() ?? null,
    endTime: run.finishedAt?.getTime() ?? null,
    duration: durationMs,
    steps,
    warnings: run.warnings ?? 0,
    ...(run.values && {
      arguments: run.values.map(({ argumentId, name, aggregatorId, stepId, index, value }) => ({
        id: argumentId,
        name,
        aggregatorId,
        stepId,
        index,
        value: JSON.parse(value) as unknown,
      })),
    }),
    error: error && {
      stepId: error.step,
      ...(error.name !== undefined && { name: error.name }),
      index: error.index,
      ...(error.loopIndex && { loopIndex: [...error.loopIndex] }),
      attempt: error.attempt,
      code: error.code as RunErrorCode,
      message: error.message,
      ...exchange,
    },
  };
}

export const documentedRuns: RunPresenters = {
  execution: presenter(ExecutionAnswer, presentExecution),
};
