import { Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import { ConnectionOf, orderInput } from '../../platform/graphql/connection';
import { ALL_OF, ANY_OF, DateTimeFilter, IdFilter, NONE_OF } from '../../platform/graphql/filters';
import { Node } from '../../platform/graphql/node';
import { MutationPayload } from '../../platform/graphql/payload';
import { DateTime } from '../../platform/graphql/scalars';
import { Author } from '../workflows/workflow.types';
import { MaskingRuleType } from '../workflows/rules/rule.types';
import type { RuleType } from '../workflows/rules/rule-expression';

@ObjectType({
  implements: Node,
  description:
    'Logs of a workflow, packed for support as a zip archive. A workflow has at most ten; a new one replaces the oldest.',
})
export class SupportLog {
  readonly _id!: number;
  readonly workflowId!: number;
  readonly runIds!: readonly number[];

  @Field(() => String, { description: 'Its unique name.' })
  readonly fileName!: string;

  @Field(() => String, { description: 'The title of the workflow when it was packed.' })
  readonly workflowTitle!: string;

  @Field(() => Int, { description: 'Bytes.' })
  readonly size!: number;

  @Field(() => DateTime, { description: 'When it was packed.' })
  readonly createdAt!: Date;

  @Field(() => Author, { description: 'Who requested it.' })
  readonly createdBy!: Author;

  @Field(() => DateTime, { description: 'When it is removed.' })
  readonly expiresAt!: Date;
}

export const SupportLogConnection = ConnectionOf(SupportLog, 'SupportLogConnection');

@ObjectType({ description: 'Changes in the list of support files.' })
export class SupportLogsChange {
  @Field(() => [SupportLog], { description: 'Files that became ready.' })
  readonly changed!: readonly SupportLog[];

  @Field(() => [ID], { description: 'Global ids of deleted files.' })
  readonly removedIds!: readonly string[];
}

@ObjectType({ description: 'A support file that was deleted.' })
export class SupportLogPayload extends MutationPayload {
  @Field(() => SupportLog, {
    nullable: true,
    description: 'The file as it was before. Null after an error.',
  })
  readonly supportLog!: SupportLog | null;
}

@InputType({
  description:
    'A masking rule for a support file, in addition to those of its workflow. It is not stored.',
})
class SupportLogRuleInput {
  @Field(() => MaskingRuleType, { description: 'The language of the expression.' })
  readonly type!: RuleType;

  @Field(() => String, { description: 'The expression, at most 1,000 characters.' })
  readonly expression!: string;
}

@InputType({ description: 'What to pack.' })
export class SupportLogCreateInput {
  @Field(() => ID, { description: 'The workflow: global id or integer.' })
  readonly workflowId!: string;

  @Field(() => [SupportLogRuleInput], {
    defaultValue: [],
    description: 'Masking rules in addition to those of the workflow, at most 100.',
  })
  readonly rules!: SupportLogRuleInput[];

  @Field(() => Boolean, {
    defaultValue: false,
    description:
      'Execute the workflow first, with a log; this also requires CONNECTION:UPDATE. Otherwise only existing logs are packed.',
  })
  readonly execute!: boolean;
}

@InputType({ description: 'Which support file.' })
export class SupportLogDeleteInput {
  @Field(() => ID, { description: 'Global id or integer.' })
  readonly id!: string;
}

const SupportLogOrderField = {
  DATABASE_ID: 'DATABASE_ID',
  CREATED_AT: 'CREATED_AT',
} as const;
registerEnumType(SupportLogOrderField, {
  name: 'SupportLogOrderField',
  description: 'What support files can be ordered by.',
  valuesConfig: {
    DATABASE_ID: { description: 'The integer id.' },
    CREATED_AT: { description: 'When they were packed.' },
  },
});

export const SupportLogOrder = orderInput(SupportLogOrderField, 'SupportLogOrder');

@InputType({ description: 'Which support files; all given conditions must match.' })
export class SupportLogFilter {
  @Field(() => IdFilter, { nullable: true, description: 'These support files.' })
  readonly id?: IdFilter;

  @Field(() => IdFilter, { nullable: true, description: 'Those of these workflows.' })
  readonly workflow?: IdFilter;

  @Field(() => DateTimeFilter, { nullable: true, description: 'When they were packed.' })
  readonly createdAt?: DateTimeFilter;

  @Field(() => [SupportLogFilter], { nullable: true, description: ALL_OF })
  readonly and?: SupportLogFilter[];

  @Field(() => [SupportLogFilter], { nullable: true, description: ANY_OF })
  readonly or?: SupportLogFilter[];

  @Field(() => SupportLogFilter, { nullable: true, description: NONE_OF })
  readonly not?: object;
}
