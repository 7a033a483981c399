import { Field, ObjectType } from 'type-graphql';
import { enumOf } from '../../../platform/graphql/enums';
import { JSONValue } from '../../../platform/graphql/scalars';
import type { VersionRecord } from '../workflow.model';
import { WorkflowVersion } from '../workflow.types';
import type {
  DifferenceKind as Kind,
  FieldDifference as FieldDifferenceView,
} from './field-difference';
import { DIFFERENCE_KINDS } from './field-difference';
import type { PartDifference } from './part-differences';

export const DifferenceKind = enumOf(
  DIFFERENCE_KINDS,
  'DifferenceKind',
  'What became of something between two versions.',
);

export const PART_KINDS = {
  METHOD: 'A step that calls something.',
  OPERATOR: 'A step that decides or repeats.',
} as const;
export type PartKind = keyof typeof PART_KINDS;
export const StepKind = enumOf(PART_KINDS, 'StepKind', 'The kinds of steps.');

@ObjectType({ description: 'A field that is not the same in two versions.' })
export class FieldDifference implements FieldDifferenceView {
  @Field(() => String, {
    description:
      'JSON Pointer below the step, binding or workflow it belongs to: `/request/header/Accept`.',
  })
  readonly path!: string;

  @Field(() => DifferenceKind, { description: 'What became of it.' })
  readonly kind!: Kind;

  @Field(() => JSONValue, {
    nullable: true,
    description: 'Its value in the earlier version; null where there was none, `***` for a secret.',
  })
  readonly before!: unknown;

  @Field(() => JSONValue, {
    nullable: true,
    description: 'Its value in the later version; null where there is none, `***` for a secret.',
  })
  readonly after!: unknown;

  @Field(() => Boolean, { description: 'Something of it is not shown: a secret.' })
  readonly masked!: boolean;
}

@ObjectType({ description: 'A step that is not the same in two versions.' })
export class StepDifference implements Omit<PartDifference, 'partId'> {
  readonly partId!: string | null;

  @Field(() => StepKind, { description: 'Whether it is a method or an operator.' })
  readonly step!: PartKind;

  @Field(() => [DifferenceKind], { description: 'What became of it; it may be moved and changed.' })
  readonly kinds!: readonly Kind[];

  @Field(() => String, { nullable: true, description: 'Its index in the earlier version.' })
  readonly indexBefore!: string | null;

  @Field(() => String, { nullable: true, description: 'Its index in the later version.' })
  readonly index!: string | null;

  @Field(() => String, { nullable: true, description: 'What people call it.' })
  readonly name!: string | null;

  @Field(() => JSONValue, { nullable: true, description: 'The whole step, when it was removed.' })
  readonly before!: PartDifference['before'];

  @Field(() => JSONValue, { nullable: true, description: 'The whole step, when it was added.' })
  readonly after!: PartDifference['after'];

  @Field(() => [FieldDifference], { description: 'What changed in it beside its index.' })
  readonly fields!: readonly FieldDifference[];
}

@ObjectType({ description: 'A field binding that is not the same in two versions.' })
export class FieldBindingDifference {
  readonly partId!: string | null;

  @Field(() => [DifferenceKind], { description: 'What became of it.' })
  readonly kinds!: readonly Kind[];

  @Field(() => JSONValue, {
    nullable: true,
    description: 'The whole binding, when it was removed.',
  })
  readonly before!: PartDifference['before'];

  @Field(() => JSONValue, { nullable: true, description: 'The whole binding, when it was added.' })
  readonly after!: PartDifference['after'];

  @Field(() => [FieldDifference], { description: 'What changed in it.' })
  readonly fields!: readonly FieldDifference[];
}

@ObjectType({
  description:
    'What is not the same in two versions of a workflow. The order of names, and of steps and bindings in their lists, does not count.',
})
export class WorkflowDiff {
  @Field(() => WorkflowVersion, { description: 'The earlier version.' })
  readonly from!: VersionRecord;

  @Field(() => WorkflowVersion, { description: 'The later version.' })
  readonly to!: VersionRecord;

  readonly methods!: readonly PartDifference[];
  readonly operators!: readonly PartDifference[];
  readonly bindings!: readonly PartDifference[];

  @Field(() => [FieldDifference], {
    description: 'What stands beside steps and bindings: the title, the layout.',
  })
  readonly fields!: readonly FieldDifference[];

  @Field(() => Boolean, {
    description: 'False: there are more than the 10,000 differences that are told.',
  })
  readonly complete!: boolean;
}
