import { Field, ID, InputType, registerEnumType } from 'type-graphql';
import { VersionedInput, WHICH_IDS } from '../../platform/graphql/payload';
import {
  ALL_OF,
  ANY_OF,
  BooleanFilter,
  DateTimeFilter,
  ExactIdFilter,
  ExactStringFilter,
  IdFilter,
  NONE_OF,
  StringFilter,
} from '../../platform/graphql/filters';
import { orderInput } from '../../platform/graphql/connection';
import { WorkflowInput } from './workflow-input.types';

@InputType({ description: 'A workflow to save.' })
export class WorkflowSaveInput extends VersionedInput {
  @Field(() => ID, {
    nullable: true,
    description: 'The workflow to change; without it a new one is made.',
  })
  readonly id?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'What to remember about this version; 500 characters at most.',
  })
  readonly comment?: string | null;

  @Field(() => WorkflowInput, {
    description: 'The content: all of it for a new workflow, else what changes.',
  })
  readonly workflow!: WorkflowInput;
}

@InputType({ description: 'A workflow to delete.' })
export class WorkflowDeleteInput extends VersionedInput {
  @Field(() => ID, { description: 'Its id, global or integer.' })
  readonly id!: string;
}

@InputType({ description: 'Workflows to delete.' })
export class WorkflowIdsInput {
  @Field(() => [ID], { description: WHICH_IDS })
  readonly ids!: string[];
}

export const WorkflowOrderField = {
  DATABASE_ID: 'DATABASE_ID',
  TITLE: 'TITLE',
  CREATED_AT: 'CREATED_AT',
  UPDATED_AT: 'UPDATED_AT',
} as const;
registerEnumType(WorkflowOrderField, {
  name: 'WorkflowOrderField',
  description: 'What workflows can be ordered by.',
  valuesConfig: {
    DATABASE_ID: { description: 'The integer id.' },
    TITLE: { description: 'The title, without regard to case.' },
    CREATED_AT: { description: 'When it was saved first.' },
    UPDATED_AT: { description: 'When it was saved last.' },
  },
});

export const WorkflowOrder = orderInput(WorkflowOrderField, 'WorkflowOrder');

@InputType({ description: 'Which workflows; all that are given must hold.' })
export class WorkflowFilter {
  @Field(() => IdFilter, { nullable: true, description: 'These workflows.' })
  readonly id?: IdFilter;

  @Field(() => StringFilter, { nullable: true, description: 'What they are called.' })
  readonly title?: StringFilter;

  @Field(() => DateTimeFilter, { nullable: true, description: 'When it was saved first.' })
  readonly createdAt?: DateTimeFilter;

  @Field(() => DateTimeFilter, { nullable: true, description: 'When it was saved last.' })
  readonly updatedAt?: DateTimeFilter;

  @Field(() => IdFilter, { nullable: true, description: 'Saved last by these users.' })
  readonly updatedBy?: IdFilter;

  @Field(() => BooleanFilter, {
    nullable: true,
    description: 'Made for a test run; needs `includeTest`.',
  })
  readonly test?: BooleanFilter;

  @Field(() => ExactIdFilter, { nullable: true, description: 'A step of it calls this connector.' })
  readonly connector?: ExactIdFilter;

  @Field(() => ExactStringFilter, {
    nullable: true,
    description: 'It names this invoker itself, as imported workflows do; without regard to case.',
  })
  readonly invoker?: ExactStringFilter;

  @Field(() => ExactStringFilter, {
    nullable: true,
    description: 'It uses the secret of this name, in whatever case it is written.',
  })
  readonly secret?: ExactStringFilter;

  @Field(() => ExactIdFilter, {
    nullable: true,
    description: 'A method of it names this aggregator.',
  })
  readonly aggregator?: ExactIdFilter;

  @Field(() => IdFilter, { nullable: true, description: 'It is in these categories.' })
  readonly category?: IdFilter;

  @Field(() => [WorkflowFilter], { nullable: true, description: ALL_OF })
  readonly and?: WorkflowFilter[];

  @Field(() => [WorkflowFilter], { nullable: true, description: ANY_OF })
  readonly or?: WorkflowFilter[];

  @Field(() => WorkflowFilter, { nullable: true, description: NONE_OF })
  readonly not?: object;
}
