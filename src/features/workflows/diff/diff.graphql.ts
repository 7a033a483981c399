import { Arg, Ctx, FieldResolver, ID, Resolver, Root } from 'type-graphql';
import type { GraphqlContext } from '../../../platform/context';
import { inIndexOrder } from '../steps/step-order';
import type { WorkflowRecord } from '../workflow.model';
import { Workflow } from '../workflow.types';
import { FieldBindingDifference, StepDifference, WorkflowDiff } from './diff.types';
import type { PartKind } from './diff.types';
import type { PartDifference } from './part-differences';
import type { WorkflowDiff as Diff } from './workflow-diff';

@Resolver(() => Workflow)
export class DiffOfWorkflowResolver {
  @FieldResolver(() => WorkflowDiff, {
    description: 'What changed from one of its versions to another.',
  })
  diff(
    @Root() { _id }: WorkflowRecord,
    @Arg('from', () => String, { description: 'The earlier version: its `snapshotId`.' })
    from: string,
    @Arg('to', () => String, {
      nullable: true,
      description: 'The later one; without it the current version.',
    })
    to: string | null,
    @Ctx() { services }: GraphqlContext,
  ): Promise<Diff> {
    return services.workflows.diff(_id, from, to);
  }
}

type StepView = PartDifference & { readonly step: PartKind };

@Resolver(() => WorkflowDiff)
export class WorkflowDiffResolver {
  @FieldResolver(() => Boolean, { description: 'Are both the same?' })
  equal(@Root() { methods, operators, bindings, fields }: Diff): boolean {
    return [methods, operators, bindings, fields].every((list) => list.length === 0);
  }

  @FieldResolver(() => [StepDifference], {
    description:
      'Steps that are not the same, in the order in which they run; those that were removed where they ran.',
  })
  steps(@Root() { methods, operators }: Diff): StepView[] {
    const steps = [
      ...methods.map((part): StepView => ({ ...part, step: 'METHOD' })),
      ...operators.map((part): StepView => ({ ...part, step: 'OPERATOR' })),
    ];
    return inIndexOrder(steps, ({ index, indexBefore }) => index ?? indexBefore);
  }

  @FieldResolver(() => [FieldBindingDifference], {
    description: 'Field bindings that are not the same.',
  })
  fieldBindings(@Root() { bindings }: Diff): readonly PartDifference[] {
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
