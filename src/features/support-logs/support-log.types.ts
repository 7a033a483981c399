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
    'Logs of a workflow, packed for somebody who is asked for help: a zip archive. A workflow has ten at most; the oldest gives way to the next.',
})
export class SupportLog {
  readonly _id!: number;
  readonly workflowId!: number;
  readonly runIds!: readonly number[];

  @Field(() => String, { description: 'What it is called: unique.' })
  readonly fileName!: string;

  @Field(() => String, { description: 'The title of the workflow, as it was then.' })
  readonly workflowTitle!: string;

  @Field(() => Int, { description: 'Bytes.' })
  readonly size!: number;

  @Field(() => DateTime, { description: 'When it was packed.' })
  readonly createdAt!: Date;

  @Field(() => Author, { description: 'Who asked for it.' })
  readonly createdBy!: Author;

  @Field(() => DateTime, { description: 'When it is removed.' })
  readonly expiresAt!: Date;
}

export const SupportLogConnection = ConnectionOf(SupportLog, 'SupportLogConnection');

@ObjectType({ description: 'What has changed in the list of support files.' })
export class SupportLogsChange {
  @Field(() => [SupportLog], { description: 'Those that became ready.' })
  readonly changed!: readonly SupportLog[];

  @Field(() => [ID], { description: 'Global ids of those that are no more.' })
  readonly removedIds!: readonly string[];
}

@ObjectType({ description: 'A support file that was deleted.' })
export class SupportLogPayload extends MutationPayload {
  @Field(() => SupportLog, {
    nullable: true,
    description: 'As it was; null when nothing was changed.',
  })
  readonly supportLog!: SupportLog | null;
}

@InputType({
  description:
    'What is hidden in a support file, beside what the rules of its workflow select. It is not kept.',
})
export class SupportLogRuleInput {
  @Field(() => MaskingRuleType, { description: 'What it is written in.' })
  readonly type!: RuleType;

  @Field(() => String, { description: 'What it says; 1,000 characters at most.' })
  readonly expression!: string;
}

@InputType({ description: 'What is to be packed.' })
export class SupportLogCreateInput {
  @Field(() => ID, { description: 'The workflow, global id or integer.' })
  readonly workflowId!: string;

  @Field(() => [SupportLogRuleInput], {
    defaultValue: [],
    description: 'What is hidden beside what the rules of the workflow select; 100 at most.',
  })
  readonly rules!: SupportLogRuleInput[];

  @Field(() => Boolean, {
    defaultValue: false,
    description:
      'Execute the workflow first, with a log; this needs CONNECTION:UPDATE, too. Without it the logs are packed that are there.',
  })
  readonly execute!: boolean;
}

@InputType({ description: 'Which support file.' })
export class SupportLogDeleteInput {
  @Field(() => ID, { description: 'Its id, global or integer.' })
  readonly id!: string;
}

export const SupportLogOrderField = {
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

@InputType({ description: 'Which support files; all that are given must hold.' })
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
