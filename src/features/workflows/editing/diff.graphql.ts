import { Arg, Ctx, Field, FieldResolver, ID, ObjectType, Resolver, Root } from 'type-graphql';
import type { GraphqlContext } from '../../../platform/context';
import { enumOf } from '../../../platform/graphql/schema/enums';
import { JSONValue } from '../../../platform/graphql/schema/scalars';
import type { WorkflowDiff as WorkflowDiffView } from '../versions/version.service';
import type { VersionRecord, WorkflowRecord } from '../workflow.model';
import { Workflow, WorkflowVersion } from '../workflow.types';
import type {
  DifferenceKind as Kind,
  FieldDifference as FieldDifferenceView,
  PartDifference,
} from './differences';
import { DIFFERENCE_KINDS } from './differences';
import { sortByIndex } from './step-tree';

const DifferenceKind = enumOf(
  DIFFERENCE_KINDS,
  'DifferenceKind',
  'How a thing differs between two versions.',
);

const PART_KINDS = {
  METHOD: 'A step that sends a request.',
  OPERATOR: 'A condition or a loop.',
} as const;
type PartKind = keyof typeof PART_KINDS;
const StepKind = enumOf(PART_KINDS, 'StepKind', 'The kinds of steps.');

@ObjectType({ description: 'A field that differs between two versions.' })
class FieldDifference implements FieldDifferenceView {
  @Field(() => String, {
    description:
      'JSON Pointer below the step, binding or workflow it belongs to: `/request/header/Accept`.',
  })
  readonly path!: string;

  @Field(() => DifferenceKind, { description: 'How it differs.' })
  readonly kind!: Kind;

  @Field(() => JSONValue, {
    nullable: true,
    description: 'Its value in the earlier version; null if it has none, `***` for a secret.',
  })
  readonly before!: unknown;

  @Field(() => JSONValue, {
    nullable: true,
    description: 'Its value in the later version; null if it has none, `***` for a secret.',
  })
  readonly after!: unknown;

  @Field(() => Boolean, { description: 'True if part of the value is a masked secret.' })
  readonly masked!: boolean;
}

@ObjectType({ description: 'A step that differs between two versions.' })
class StepDifference implements Omit<PartDifference, 'partId'> {
  readonly partId!: string | null;

  @Field(() => StepKind, { description: 'Whether it is a method or an operator.' })
  readonly step!: PartKind;

  @Field(() => [DifferenceKind], {
    description: 'How it differs; a step can be both moved and changed.',
  })
  readonly kinds!: readonly Kind[];

  @Field(() => String, { nullable: true, description: 'Its index in the earlier version.' })
  readonly indexBefore!: string | null;

  @Field(() => String, { nullable: true, description: 'Its index in the later version.' })
  readonly index!: string | null;

  @Field(() => String, { nullable: true, description: 'Its label, or else its name.' })
  readonly name!: string | null;

  @Field(() => JSONValue, { nullable: true, description: 'The whole step, if it was removed.' })
  readonly before!: PartDifference['before'];

  @Field(() => JSONValue, { nullable: true, description: 'The whole step, if it was added.' })
  readonly after!: PartDifference['after'];

  @Field(() => [FieldDifference], { description: 'Its changed fields, except the index.' })
  readonly fields!: readonly FieldDifference[];
}

@ObjectType({ description: 'A field binding that differs between two versions.' })
class FieldBindingDifference {
  readonly partId!: string | null;

  @Field(() => [DifferenceKind], { description: 'How it differs.' })
  readonly kinds!: readonly Kind[];

  @Field(() => JSONValue, { nullable: true, description: 'The whole binding, if it was removed.' })
  readonly before!: PartDifference['before'];

  @Field(() => JSONValue, { nullable: true, description: 'The whole binding, if it was added.' })
  readonly after!: PartDifference['after'];

  @Field(() => [FieldDifference], { description: 'Its changed fields.' })
  readonly fields!: readonly FieldDifference[];
}

@ObjectType({
  description:
    'The differences between two versions of a workflow. The order of object fields, and of steps and bindings in their lists, is ignored.',
})
class WorkflowDiff {
  @Field(() => WorkflowVersion, { description: 'The earlier version.' })
  readonly from!: VersionRecord;

  @Field(() => WorkflowVersion, { description: 'The later version.' })
  readonly to!: VersionRecord;

  @Field(() => [FieldDifference], {
    description: 'Differences outside of steps and bindings, such as the title and the layout.',
  })
  readonly fields!: readonly FieldDifference[];

  @Field(() => Boolean, {
    description: 'False if there are more than 10,000 differences; only these are listed.',
  })
  readonly complete!: boolean;
}

@Resolver(() => Workflow)
export class DiffOfWorkflowResolver {
  @FieldResolver(() => WorkflowDiff, { description: 'Compares two versions of the workflow.' })
  diff(
    @Root() { _id }: WorkflowRecord,
    @Arg('from', () => String, { description: 'The earlier version: its `snapshotId`.' })
    from: string,
    @Arg('to', () => String, {
      nullable: true,
      description: 'The later version. Default: the current one.',
    })
    to: string | null,
    @Ctx() { services }: GraphqlContext,
  ): Promise<WorkflowDiffView> {
    return services.workflowVersions.diff(_id, from, to);
  }

  @FieldResolver(() => WorkflowDiff, {
    nullable: true,
    description:
      'What has changed since `lastSucceededRun`, also if its version was replaced by a small save. Null if there is no such run, or its version is no longer kept.',
  })
  async diffSinceSuccess(
    @Root() { _id }: WorkflowRecord,
    @Ctx() { actor, services }: GraphqlContext,
  ): Promise<WorkflowDiffView | null> {
    const [run] = await services.runs.newestOfWorkflows(actor, [_id], { state: 'SUCCEEDED' });
    return run ? services.workflowVersions.diffSince(_id, run.content) : null;
  }
}

type StepView = PartDifference & { readonly step: PartKind };

@Resolver(() => WorkflowDiff)
export class WorkflowDiffResolver {
  @FieldResolver(() => Boolean, { description: 'True if there are no differences.' })
  equal(@Root() { methods, operators, bindings, fields }: WorkflowDiffView): boolean {
    return [methods, operators, bindings, fields].every((list) => list.length === 0);
  }

  @FieldResolver(() => [StepDifference], {
    description: 'Steps that differ, in execution order; removed steps at their earlier index.',
  })
  steps(@Root() { methods, operators }: WorkflowDiffView): StepView[] {
    const steps = [
      ...methods.map((part): StepView => ({ ...part, step: 'METHOD' })),
      ...operators.map((part): StepView => ({ ...part, step: 'OPERATOR' })),
    ];
    return sortByIndex(steps, ({ index, indexBefore }) => index ?? indexBefore);
  }

  @FieldResolver(() => [FieldBindingDifference], { description: 'Field bindings that differ.' })
  fieldBindings(@Root() { bindings }: WorkflowDiffView): readonly PartDifference[] {
    return bindings;
  }
}

@Resolver(() => StepDifference)
export class StepDifferenceResolver {
  @FieldResolver(() => ID, {
    nullable: true,
    description: 'Identifies the step within the workflow.',
  })
  stepId(@Root() { partId }: PartDifference): string | null {
    return partId;
  }
}

@Resolver(() => FieldBindingDifference)
export class FieldBindingDifferenceResolver {
  @FieldResolver(() => ID, {
    nullable: true,
    description: 'Identifies the binding within the workflow.',
  })
  bindingId(@Root() { partId }: PartDifference): string | null {
    return partId;
  }
}
