import { Field, Int, ObjectType } from 'type-graphql';
import { enumOf } from '../../../platform/graphql/enums';
import type { WorkflowProblem as Problem, WorkflowProblemCode as Code } from './problem';
import { WORKFLOW_PROBLEM_CODES } from './problem';

export const WorkflowProblemCode = enumOf(
  WORKFLOW_PROBLEM_CODES,
  'WorkflowProblemCode',
  'What can be wrong with a workflow.',
);

@ObjectType({ description: 'Something that is wrong with a workflow, and where.' })
export class WorkflowProblem implements Problem {
  @Field(() => String, {
    nullable: true,
    description: 'Index of the step; null when it is about none, or about one without an index.',
  })
  readonly index!: string | null;

  @Field(() => String, { nullable: true, description: 'The step; null when it is about none.' })
  readonly stepId!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Within the step, else within the document: names joined with dots.',
  })
  readonly field!: string | null;

  @Field(() => WorkflowProblemCode, { description: 'What is wrong, for programs.' })
  readonly code!: Code;

  @Field(() => String, { description: 'What is wrong, for people.' })
  readonly message!: string;

  @Field(() => Int, { nullable: true, description: 'Line of a text that does not parse, from 1.' })
  readonly line!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Column of a text that does not parse, from 1.',
  })
  readonly column!: number | null;
}
