import { Arg, Args, Ctx, FieldResolver, Mutation, Resolver, Root } from 'type-graphql';
import type { GraphqlContext } from '../../../platform/context';
import { ConnectionArgs, nestedPage } from '../../../platform/graphql/schema/connection';
import { Needs, ServedOnFullDisk } from '../../../platform/graphql/schema/needs';
import { registerNode } from '../../../platform/graphql/schema/node';
import { payload } from '../../../platform/graphql/schema/payload';
import type { Page } from '../../../platform/store/lists/page';
import { workflowLoader } from '../workflow.loader';
import type { WorkflowRecord } from '../workflow.model';
import { workflowPolicy } from '../workflow.policy';
import { Workflow } from '../workflow.types';
import type { RuleRecord } from './rule.model';
import {
  MaskingRule,
  MaskingRuleConnection,
  MaskingRuleCreateInput,
  MaskingRuleDeleteInput,
  MaskingRulePayload,
  MaskingRuleUpdateInput,
} from './rule.types';

/** Masking rules need the permission of their workflow. */
@Resolver(() => MaskingRule)
export class MaskingRuleResolver {
  @Mutation(() => MaskingRulePayload, {
    description: 'Adds a masking rule to a workflow. A workflow has at most 100.',
  })
  @Needs(workflowPolicy.update)
  maskingRuleCreate(
    @Arg('input') { workflowId, ...content }: MaskingRuleCreateInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload(
      'maskingRule',
      async (ids) =>
        (
          await services.maskingRules.add(
            actor,
            ids.read('Workflow', workflowId, ['workflowId']),
            [content],
            () => [],
          )
        )[0],
      [
        [['id'], ['workflowId']],
        [['rules'], ['workflowId']],
      ],
    );
  }

  @Mutation(() => MaskingRulePayload, {
    description: 'Changes the type or expression of a masking rule.',
  })
  @Needs(workflowPolicy.update)
  maskingRuleUpdate(
    @Arg('input') { id, expectedVersion, type, expression }: MaskingRuleUpdateInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload(
      'maskingRule',
      async (ids) =>
        await services.maskingRules.change(
          actor,
          null,
          ids.read('MaskingRule', id),
          { ...(type != null && { type }), ...(expression != null && { expression }) },
          expectedVersion,
        ),
    );
  }

  @Mutation(() => MaskingRulePayload, { description: 'Deletes a masking rule.' })
  @ServedOnFullDisk()
  @Needs(workflowPolicy.update)
  maskingRuleDelete(
    @Arg('input') { id, expectedVersion }: MaskingRuleDeleteInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload(
      'maskingRule',
      async (ids) =>
        await services.maskingRules.remove(
          actor,
          null,
          ids.read('MaskingRule', id),
          expectedVersion,
        ),
    );
  }

  @FieldResolver(() => Workflow, {
    nullable: true,
    description: 'The workflow of the rule; null if it was deleted since.',
  })
  workflow(
    @Root() { workflowId }: RuleRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<WorkflowRecord | null> {
    return workflowLoader(context).load(workflowId);
  }
}

@Resolver(() => Workflow)
export class RulesOfWorkflowResolver {
  @FieldResolver(() => MaskingRuleConnection, {
    description: 'Its masking rules, oldest first.',
  })
  rules(
    @Root() { _id }: WorkflowRecord,
    @Args() page: ConnectionArgs,
    @Ctx() context: GraphqlContext,
  ): Promise<Page<RuleRecord>> {
    return nestedPage(context, 'rules', _id, page, (ids) =>
      context.services.maskingRules.pages(ids, page),
    );
  }
}

registerNode(
  'MaskingRule',
  (id, context) =>
    context
      .loader<number, RuleRecord>('maskingRules', (ids) => context.services.maskingRules.byIds(ids))
      .load(id),
  workflowPolicy.read,
);
