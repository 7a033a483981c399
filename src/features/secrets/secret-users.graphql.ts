import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { Needs } from '../../platform/graphql/needs';
import { secretKey } from '../../platform/secrets';
import type { WorkflowRecord } from '../workflows/workflow.model';
import { workflowPolicy } from '../workflows/workflow.policy';
import { Workflow } from '../workflows/workflow.types';
import type { Secret } from './secret.service';
import { SecretType } from './secret.types';

@Resolver(() => SecretType)
export class WorkflowsOfSecretResolver {
  @FieldResolver(() => [Workflow], {
    nullable: true,
    description:
      'The workflows that name it, by id; null, with the error FORBIDDEN, for who may not read workflows.',
  })
  @Needs(workflowPolicy.read)
  async usedBy(
    @Root() { name }: Secret,
    @Ctx() context: GraphqlContext,
  ): Promise<readonly WorkflowRecord[]> {
    const users = context.loader<string, readonly WorkflowRecord[]>(
      'workflowsOfSecrets',
      async (keys) => {
        const found = await context.services.workflows.workflowsOfSecrets(keys);
        return keys.map((key) => found.get(key) ?? []);
      },
    );
    return (await users.load(secretKey(name))) ?? [];
  }
}
