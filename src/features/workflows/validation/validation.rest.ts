import { z } from 'zod';
import { presenter } from '../../../platform/http/presenters';
import type { Presenter, Presenters } from '../../../platform/http/presenters';
import type { Route } from '../../../platform/http/route';
import { routesTagged } from '../../../platform/http/route';
import { keysOf } from '../../../platform/http/scalars';
import { CONNECTION_EXAMPLE, ConnectionInput } from '../document/connection.schema';
import { workflowPolicy } from '../workflow.policy';
import type { WorkflowProblem } from './problem';
import { WORKFLOW_PROBLEM_CODES } from './problem';
import type { WorkflowValidation } from './workflow-validation';

const route = routesTagged('Workflows');

interface ValidationPresenters {
  readonly result: Presenter<[readonly WorkflowProblem[]]>;
}

declare module '../../../platform/http/presenters' {
  interface Presenters {
    readonly workflowValidation: ValidationPresenters;
  }
}

const text = z.string().nullable();
const position = z.int().min(1).nullable();

const ValidationAnswer = z
  .object({
    valid: z.boolean(),
    errors: z
      .array(
        z.object({
          index: text.meta({
            description:
              'Index of the step; null if the problem is not about a step, or the step has no index.',
          }),
          stepId: text,
          bindingId: text.meta({ description: 'Id of the field binding, if it is about one.' }),
          field: text.meta({
            description:
              'Path within the step, or else within the document: names joined with dots.',
          }),
          path: z.array(z.string()).meta({
            description:
              'The same as a list: within the field binding, or else the step, or the document.',
          }),
          code: z.enum(keysOf(WORKFLOW_PROBLEM_CODES)),
          message: z.string(),
          line: position.meta({ description: 'Line in a text that does not parse.' }),
          column: position,
        }),
      )
      .meta({
        description:
          'In execution order; problems that are not about a step come last. At most 10,000.',
      }),
  })
  .meta({ id: 'ConnectionValidation' });

export const documentedValidation: ValidationPresenters = {
  result: presenter(ValidationAnswer, (problems: readonly WorkflowProblem[]) => ({
    valid: problems.length === 0,
    errors: problems.map(({ path, ...problem }) => ({ ...problem, path: [...path] })),
  })),
};

export function validationRoutes(
  { workflowValidation }: { workflowValidation: WorkflowValidation },
  { workflowValidation: shown }: Presenters,
): Route[] {
  return [
    route('POST /connection/validate', {
      servedOnFullDisk: true,
      needs: workflowPolicy.read,
      summary: 'Validates a workflow',
      description:
        'Returns all problems, step by step. The workflow has the 5.0 or the 4.x shape; problems of a 4.x workflow have the indexes of its conversion to 5.0. Nothing is saved.',
      body: ConnectionInput,
      example: { body: CONNECTION_EXAMPLE },
      bodyLimit: 'workflow',
      invalidAs: 'WORKFLOW_INVALID',
      answer: shown.result.answer,
      handle: async ({ body }) => shown.result(await workflowValidation.validate(body)),
    }),
  ];
}
