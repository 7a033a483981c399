import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { ConnectionOf } from '../../../platform/graphql/schema/connection';
import { inputType, optional } from '../../../platform/graphql/schema/input-type';
import { enumOf } from '../../../platform/graphql/schema/enums';
import { Node } from '../../../platform/graphql/schema/node';
import { DateTime } from '../../../platform/graphql/schema/scalars';
import { VersionedIdInput, payloadType } from '../../../platform/graphql/schema/record-types';
import { Author } from '../workflow.types';
import { RULE_TYPES, MAX_EXPRESSION_LENGTH } from './rule-expression';
import type { RuleType } from './rule-expression';
import { inCharacters } from '../../../platform/text/characters';

export const MaskingRuleType = enumOf(RULE_TYPES, 'MaskingRuleType', 'Language of a masking rule.');

@ObjectType({
  implements: Node,
  description:
    'A masking rule of a workflow. Its matches are masked in the logs that clients read, in addition to the built-in masking.',
})
export class MaskingRule {
  readonly _id!: number;
  readonly workflowId!: number;

  @Field(() => MaskingRuleType, { description: 'Language of the expression.' })
  readonly type!: RuleType;

  @Field(() => String, { description: 'The expression.' })
  readonly expression!: string;

  @Field(() => Int, {
    description:
      'Starts at 1 and increases with each change. Send it as `expectedVersion` to not overwrite the change of another user.',
  })
  readonly version!: number;

  @Field(() => DateTime, { description: 'Time of creation.' })
  readonly createdAt!: Date;

  @Field(() => Author, { description: 'The user who added it.' })
  readonly createdBy!: Author;

  @Field(() => DateTime, { description: 'Time of the last change.' })
  readonly updatedAt!: Date;

  @Field(() => Author, { description: 'The user who changed it last.' })
  readonly updatedBy!: Author;
}

export const MaskingRuleConnection = ConnectionOf(MaskingRule, 'MaskingRuleConnection');

export const MaskingRulePayload = payloadType(
  'MaskingRulePayload',
  'maskingRule',
  MaskingRule,
  'The masking rule after the mutation; a deleted rule as it was before.',
);

export const MaskingRuleCreateInput = inputType(
  'MaskingRuleCreateInput',
  'A masking rule to add.',
  {
    workflowId: [ID, 'Id of the workflow, global or integer.'],
    type: [MaskingRuleType, 'Language of the expression.'],
    expression: [String, `The expression; at most ${inCharacters(MAX_EXPRESSION_LENGTH)}.`],
  },
);
export type MaskingRuleCreateInput = InstanceType<typeof MaskingRuleCreateInput>;

export const MaskingRuleUpdateInput = inputType(
  'MaskingRuleUpdateInput',
  'A masking rule to change. Fields that are not given keep their value.',
  {
    type: [optional(MaskingRuleType), 'Language of the expression.'],
    expression: [
      optional(String),
      `The expression; at most ${inCharacters(MAX_EXPRESSION_LENGTH)}.`,
    ],
  },
  VersionedIdInput,
);
export type MaskingRuleUpdateInput = InstanceType<typeof MaskingRuleUpdateInput>;

@InputType({ description: 'A masking rule to delete.' })
export class MaskingRuleDeleteInput extends VersionedIdInput {}
