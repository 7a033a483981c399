import { z } from 'zod';
import { presenter } from '../../../platform/http/presenters';
import type { Presenter } from '../../../platform/http/presenters';
import { keysOf } from '../../../platform/http/scalars';
import type { WorkflowProblem } from './problem';
import { WORKFLOW_PROBLEM_CODES } from './problem';

export interface ValidationPresenters {
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
              'Index of the step; null when it is about none, or about one without an index.',
          }),
          stepId: text,
          field: text.meta({
            description: 'Within the step, else within the document: names joined with dots.',
          }),
          code: z.enum(keysOf(WORKFLOW_PROBLEM_CODES)),
          message: z.string(),
          line: position.meta({ description: 'Line of a text that does not parse.' }),
          column: position,
        }),
      )
      .meta({
        description:
          'In the order in which the steps run; what is about no step comes last. 10,000 at most.',
      }),
  })
  .meta({ id: 'ConnectionValidation' });

export const documentedValidation: ValidationPresenters = {
  result: presenter(ValidationAnswer, (problems: readonly WorkflowProblem[]) => ({
    valid: problems.length === 0,
    errors: problems.map((problem) => ({ ...problem })),
  })),
};
