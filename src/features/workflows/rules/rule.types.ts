import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { ConnectionOf } from '../../../platform/graphql/connection';
import { enumOf } from '../../../platform/graphql/enums';
import { MutationPayload, VersionedInput } from '../../../platform/graphql/payload';
import { Node } from '../../../platform/graphql/node';
import { DateTime } from '../../../platform/graphql/scalars';
import { Author } from '../workflow.types';
import { RULE_TYPES } from './rule-kinds';
import type { RuleType } from './rule-kinds';

export const MaskingRuleType = enumOf(
  RULE_TYPES,
  'MaskingRuleType',
  'What a masking rule is written in.',
);

@ObjectType({
  implements: Node,
  description:
    'Says what else is hidden in logs of a workflow that are handed on, beside what is hidden always.',
})
export class MaskingRule {
  readonly _id!: number;
  readonly workflowId!: number;

  @Field(() => MaskingRuleType, { description: 'What it is written in.' })
  readonly type!: RuleType;

  @Field(() => String, { description: 'What it says.' })
  readonly expression!: string;

  @Field(() => Int, {
    description:
      'Counts changes from 1. Send it as `expectedVersion` to not overwrite what a colleague changed.',
  })
  readonly version!: number;

  @Field(() => DateTime, { description: 'When it was added.' })
  readonly createdAt!: Date;

  @Field(() => Author, { description: 'Who added it.' })
  readonly createdBy!: Author;

  @Field(() => DateTime, { description: 'When it was changed last.' })
  readonly updatedAt!: Date;

  @Field(() => Author, { description: 'Who changed it last.' })
  readonly updatedBy!: Author;
}

export const MaskingRuleConnection = ConnectionOf(MaskingRule, 'MaskingRuleConnection');

@ObjectType({ description: 'The masking rule that a mutation is about; a deleted one as it was.' })
export class MaskingRulePayload extends MutationPayload {
  @Field(() => MaskingRule, { nullable: true, description: 'Null when nothing was changed.' })
  readonly maskingRule!: MaskingRule | null;
}

@InputType({ description: 'A masking rule to add.' })
export class MaskingRuleCreateInput {
  @Field(() => ID, { description: 'Id of the workflow, global or integer.' })
  readonly workflowId!: string;

  @Field(() => MaskingRuleType, { description: 'What it is written in.' })
  readonly type!: RuleType;

  @Field(() => String, { description: 'What it says; 1,000 characters at most.' })
  readonly expression!: string;
}

@InputType({ description: 'A masking rule to change; what is not given stays.' })
export class MaskingRuleUpdateInput extends VersionedInput {
  @Field(() => ID, { description: 'Its id, global or integer.' })
  readonly id!: string;

  @Field(() => MaskingRuleType, { nullable: true, description: 'What it is written in.' })
  readonly type?: RuleType | null;

  @Field(() => String, { nullable: true, description: 'What it says; 1,000 characters at most.' })
  readonly expression?: string | null;
}

@InputType({ description: 'A masking rule to delete.' })
export class MaskingRuleDeleteInput extends VersionedInput {
  @Field(() => ID, { description: 'Its id, global or integer.' })
  readonly id!: string;
}
