import { z } from 'zod';
import { presenter } from '../../platform/http/presenters';
import type { Presenter } from '../../platform/http/presenters';
import { AnswerId, AnswerMoment, keysOf } from '../../platform/http/scalars';
import { ABOUT_RUN_ERROR_CODES, RUN_ERROR_CODES } from './run-error-codes';
import type { RunErrorCode } from './run-error-codes';
import { RUN_TRIGGERS } from './run-triggers';
import { RUN_STATES } from './run.events';
import { WAIT_REASONS } from './run-wait';
import type { RunWait } from './run-wait';
import type { RunRecord } from './run.model';

export interface RunPresenters {
  readonly execution: Presenter<[run: RunRecord, hasLog: boolean, wait: RunWait | null]>;
}

declare module '../../platform/http/presenters' {
  interface Presenters {
    readonly runs: RunPresenters;
  }
}

/** OpenAPI cannot describe single enum values, so the description of the enum lists them. */
const listed = Object.entries(RUN_ERROR_CODES)
  .map(([code, meaning]) => `- \`${code}\`: ${meaning}`)
  .join('\n');

/** One schema, wherever such a code is returned. */
export const RunErrorCodeAnswer = z
  .enum(keysOf(RUN_ERROR_CODES))
  .meta({ id: 'RunErrorCode', description: `${ABOUT_RUN_ERROR_CODES}\n\n${listed}` });

const ExecutionError = z
  .object({
    stepId: z
      .string()
      .nullable()
      .meta({ description: 'Id of the step it happened in; null when the run failed as a whole.' }),
    index: z.string().nullable(),
    loopIndex: z.array(z.int()).optional().meta({
      description:
        'Turns, from 0, of the loops around that step, the outermost first; missing when the run failed as a whole or before its first step, and for runs of earlier versions.',
    }),
    attempt: z.int().min(1),
    code: RunErrorCodeAnswer,
    message: z.string().meta({
      description:
        'For people. Of a call that failed it has method, URL without the query string, and status; secrets are hidden.',
    }),
  })
  .meta({ id: 'ExecutionError' });

const ExecutionAnswer = z
  .object({
    executionId: AnswerId,
    connectionId: AnswerId,
    title: z.string().meta({ description: 'Of the workflow, when the run was asked for.' }),
    state: z.enum(RUN_STATES),
    wait: z
      .object({
        reason: z.enum(keysOf(WAIT_REASONS)),
        message: z.string().meta({
          description: 'For people; also what went wrong with processes that did not start.',
        }),
      })
      .meta({ id: 'ExecutionWait' })
      .optional()
      .meta({ description: 'Why it is queued; missing when it is not.' }),
    trigger: z.enum(keysOf(RUN_TRIGGERS)).meta({ description: 'What started it.' }),
    logging: z.boolean().meta({ description: 'Do its events carry requests and responses?' }),
    hasLog: z.boolean().meta({
      description: 'Has it a log that can be read? Of each workflow the newest are kept.',
    }),
    retryOf: AnswerId.optional().meta({
      description:
        'The run that it runs again; of several retries the first. Missing where it is none.',
    }),
    errorOf: AnswerId.optional().meta({ description: 'The run whose failure started it.' }),
    errorExecutionId: AnswerId.optional().meta({
      description: 'The run of the error workflow that its failure started.',
    }),
    startedBy: z
      .object({ userId: AnswerId, email: z.string() })
      .nullable()
      .meta({ description: 'Who asked for it; null when nobody did.' }),
    queuedTime: AnswerMoment,
    startTime: AnswerMoment.nullable(),
    endTime: AnswerMoment.nullable(),
    duration: z.number().nullable().meta({ description: 'Milliseconds; known at the end.' }),
    steps: z.int().nullable().meta({
      description: 'Methods that were executed, each turn of a loop counted; known at the end.',
    }),
    error: ExecutionError.nullable(),
    arguments: z
      .array(
        z
          .object({
            id: AnswerId.meta({ description: 'Of the argument.' }),
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
          'What aggregators left of the calls of its methods, in the order of the methods, secrets masked; missing where they left nothing.',
      }),
  })
  .meta({ id: 'Execution' });

function presentExecution(
  run: RunRecord,
  hasLog: boolean,
  wait: RunWait | null,
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
    ...(run.errorOf !== undefined && { errorOf: run.errorOf }),
    ...(run.errorRunId !== undefined && { errorExecutionId: run.errorRunId }),
    queuedTime: run.queuedAt.getTime(),
    startTime: run.startedAt?.getTime() ?? null,
    endTime: run.finishedAt?.getTime() ?? null,
    duration: durationMs,
    steps,
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
      index: error.index,
      ...(error.loopIndex && { loopIndex: [...error.loopIndex] }),
      attempt: error.attempt,
      code: error.code as RunErrorCode,
      message: error.message,
    },
  };
}

export const documentedRuns: RunPresenters = {
  execution: presenter(ExecutionAnswer, presentExecution),
};
