import { Field, Int, ObjectType } from 'type-graphql';
import { LOOP_KINDS, OPERAND_KINDS } from '../../../engine';
import type {
  ConditionForm as Condition,
  ConditionGroup as Group,
  ConditionItem as Item,
  ConditionRule as Rule,
  ExpressionForm as Form,
  ExpressionOperand as Operand,
  ExpressionOperator,
  LoopForm as Loop,
  OperatorForm,
  OperatorKind,
} from '../../../engine';
import { enumOf } from '../../../platform/graphql/schema/enums';
import { inputType, optional } from '../../../platform/graphql/schema/input-type';
import { WorkflowProblemCode } from '../validation/validation.graphql';
import type {
  ExpressionFormResult as Result,
  ExpressionProblem as Problem,
} from './expression-forms';

const OperandKind = enumOf(OPERAND_KINDS, 'ExpressionOperandKind', 'Kinds of operands.');
const LoopKind = enumOf(LOOP_KINDS, 'LoopFormKind', 'What a loop iterates over.');
const ConditionJoin = enumOf(
  { AND: 'All are true.', OR: 'At least one is true.' },
  'ConditionJoin',
  'How the parts of a condition are joined.',
);

const TEXT = 'Its text: without quotes for TEXT, otherwise as in expressions.';
const OPERATOR =
  'Name of a comparison, test, list, keys, text or type operator: see `expressionFunctions`.';
const RIGHT = 'The right side; null for tests of one value, such as `IsEmpty`.';
const DELIMITER = 'The regular expression at which SPLIT_STRING splits.';

@ObjectType({ description: 'A value in a rule or loop.' })
export class ExpressionOperand implements Operand {
  @Field(() => OperandKind, { description: 'Its kind.' })
  readonly kind!: Operand['kind'];

  @Field(() => String, { description: TEXT })
  readonly text!: string;
}

@ObjectType({ description: 'A comparison of two values, or a test of one.' })
export class ConditionRule implements Rule {
  @Field(() => ExpressionOperand, { description: 'The left side.' })
  readonly left!: ExpressionOperand;

  @Field(() => String, { description: OPERATOR })
  readonly operator!: string;

  @Field(() => ExpressionOperand, { nullable: true, description: RIGHT })
  readonly right!: ExpressionOperand | null;
}

@ObjectType({ description: 'Rules in parentheses.' })
export class ConditionGroup implements Group {
  @Field(() => ConditionJoin, { description: 'How its rules are joined.' })
  readonly joinedBy!: Group['joinedBy'];

  @Field(() => [ConditionRule], { description: 'Its rules, at least one.' })
  readonly rules!: ConditionRule[];
}

@ObjectType({ description: 'A part of a condition: either a rule or a group.' })
export class ConditionItem implements Item {
  @Field(() => ConditionRule, { nullable: true, description: 'A rule, or null.' })
  readonly rule!: ConditionRule | null;

  @Field(() => ConditionGroup, { nullable: true, description: 'A group, or null.' })
  readonly group!: ConditionGroup | null;
}

@ObjectType({ description: 'A condition: rules and groups of rules.' })
export class ConditionForm implements Condition {
  @Field(() => ConditionJoin, { description: 'How its items are joined.' })
  readonly joinedBy!: Condition['joinedBy'];

  @Field(() => [ConditionItem], { description: 'Its items, at least one.' })
  readonly items!: ConditionItem[];
}

@ObjectType({ description: 'What a loop iterates over.' })
export class LoopForm implements Loop {
  @Field(() => LoopKind, { description: 'Its kind.' })
  readonly kind!: Loop['kind'];

  @Field(() => ExpressionOperand, { description: 'The list, object or text.' })
  readonly list!: ExpressionOperand;

  @Field(() => String, { nullable: true, description: DELIMITER })
  readonly delimiter!: string | null;
}

@ObjectType({ description: 'An expression as a form: either a loop or a condition.' })
export class ExpressionForm implements Form {
  @Field(() => LoopForm, { nullable: true, description: 'A loop, or null.' })
  readonly loop!: LoopForm | null;

  @Field(() => ConditionForm, { nullable: true, description: 'A condition, or null.' })
  readonly condition!: ConditionForm | null;
}

@ObjectType({ description: 'Why a text is no expression.' })
export class ExpressionProblem implements Problem {
  @Field(() => WorkflowProblemCode, { description: 'Kind of the problem, for programs.' })
  readonly code!: Problem['code'];

  @Field(() => String, { description: 'Description of the problem, for users.' })
  readonly message!: string;

  @Field(() => Int, { nullable: true, description: 'Line in the text, from 1.' })
  readonly line!: number | null;

  @Field(() => Int, { nullable: true, description: 'Column in the text, from 1.' })
  readonly column!: number | null;
}

@ObjectType({ description: 'The form of an expression, or the problem of its text.' })
export class ExpressionFormResult implements Result {
  @Field(() => ExpressionForm, {
    nullable: true,
    description:
      'The form. Null without a problem: the expression is valid, but more than a form can show.',
  })
  readonly form!: ExpressionForm | null;

  @Field(() => ExpressionProblem, { nullable: true, description: 'Why the text is no expression.' })
  readonly problem!: ExpressionProblem | null;
}

const ExpressionOperandInput = inputType('ExpressionOperandInput', 'A value in a rule or loop.', {
  kind: [OperandKind, 'Its kind.'],
  text: [String, TEXT],
});
const ConditionRuleInput = inputType(
  'ConditionRuleInput',
  'A comparison of two values, or a test of one.',
  {
    left: [ExpressionOperandInput, 'The left side.'],
    operator: [String, OPERATOR],
    right: [optional(ExpressionOperandInput), RIGHT],
  },
);
const ConditionGroupInput = inputType('ConditionGroupInput', 'Rules in parentheses.', {
  joinedBy: [ConditionJoin, 'How its rules are joined.'],
  rules: [[ConditionRuleInput], 'Its rules, at least one.'],
});
const ConditionItemInput = inputType(
  'ConditionItemInput',
  'A part of a condition: give either `rule` or `group`.',
  {
    rule: [optional(ConditionRuleInput), 'A rule.'],
    group: [optional(ConditionGroupInput), 'A group of rules.'],
  },
);
const ConditionFormInput = inputType('ConditionFormInput', 'Rules and groups of rules.', {
  joinedBy: [ConditionJoin, 'How its items are joined.'],
  items: [[ConditionItemInput], 'Its items, at least one.'],
});
const LoopFormInput = inputType('LoopFormInput', 'What a loop iterates over.', {
  kind: [LoopKind, 'Its kind.'],
  list: [ExpressionOperandInput, 'The list, object or text.'],
  delimiter: [optional(String), DELIMITER],
});
export const ExpressionFormInput = inputType(
  'ExpressionFormInput',
  'An expression as a form: give either `loop` or `condition`.',
  {
    loop: [optional(LoopFormInput), 'A loop.'],
    condition: [optional(ConditionFormInput), 'A condition.'],
  },
);
export type ExpressionFormInput = InstanceType<typeof ExpressionFormInput>;

const FunctionKind = enumOf(
  {
    logic: 'Joins conditions.',
    comparison: 'Compares two values.',
    arithmetic: 'Calculates.',
    test: 'Tests one value.',
    list: 'Searches in a list or text.',
    keys: 'Searches for a field of an object.',
    text: 'Compares a text with patterns.',
    type: 'Tests the type of a value.',
    loop: 'Stands at the start of the expression of a loop.',
  } satisfies Record<OperatorKind, string>,
  'ExpressionFunctionKind',
  'What an operator is about.',
);
const FunctionForm = enumOf(
  {
    binary: '`left NAME right`.',
    unary: '`left NAME`.',
    prefix: '`NAME right`.',
    call: '`NAME(list)`.',
  } satisfies Record<OperatorForm, string>,
  'ExpressionFunctionForm',
  'How an operator is written.',
);

@ObjectType({ description: 'An operator or function of the expression language.' })
export class ExpressionFunction implements ExpressionOperator {
  @Field(() => String, { description: 'Its name in expressions, without regard to case.' })
  readonly name!: string;

  @Field(() => [String], { description: 'Other names in expressions.' })
  readonly aliases!: string[];

  @Field(() => FunctionKind, { description: 'What it is about.' })
  readonly kind!: OperatorKind;

  @Field(() => FunctionForm, { description: 'How it is written.' })
  readonly form!: OperatorForm;

  @Field(() => String, { description: 'Its name in forms: "is empty".' })
  readonly label!: string;

  @Field(() => String, { description: 'What it does.' })
  readonly description!: string;

  @Field(() => String, { description: 'An expression that uses it.' })
  readonly example!: string;
}
