import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { databaseId } from '../../platform/graphql/schema/ids';
import { toPageQuery } from '../../platform/graphql/schema/record-types';
import { listPayload, payload } from '../../platform/graphql/schema/payload';
import { Needs, ServedOnFullDisk } from '../../platform/graphql/schema/needs';
import { registerNode } from '../../platform/graphql/schema/node';
import { viewerCan } from '../../platform/graphql/schema/viewer-can';
import type { Page } from '../../platform/store/lists/keyset';
import { secretKey } from '../../platform/secrets';
import type { WorkflowRecord } from '../workflows/workflow.model';
import { workflowPolicy } from '../workflows/workflow.policy';
import { Workflow } from '../workflows/workflow.types';
import { secretPolicy } from './secret.policy';
import type { Secret } from './secret.service';
import {
  SecretConnection,
  SecretCreateInput,
  SecretDeleteInput,
  SecretIdsInput,
  SecretPayload,
  SecretsArgs,
  SecretsPayload,
  SecretType,
  SecretUpdateInput,
  SecretViewerCan,
} from './secret.types';

const ORDER = { ID: '_id', NAME: 'nameKey' } as const;
const FIELDS = {
  id: { path: '_id', read: (id: unknown) => databaseId(String(id), 'Secret') },
  name: { folded: 'nameKey' },
};

@Resolver(() => SecretType)
export class SecretResolver {
  @Query(() => SecretConnection, {
    description: 'A page of named secrets, without their values.',
  })
  @Needs(secretPolicy.read)
  secrets(
    @Args(() => SecretsArgs)
    args: InstanceType<typeof SecretsArgs>,
    @Ctx() { services }: GraphqlContext,
  ): Promise<Page<Secret>> {
    return services.secrets.page(
      toPageQuery(args, FIELDS, ORDER, { field: '_id', direction: 'asc' }),
    );
  }

  @Query(() => SecretType, { nullable: true, description: 'A secret; null if it does not exist.' })
  @Needs(secretPolicy.read)
  secret(
    @Arg('id', () => ID, { description: 'Global id or integer.' }) id: string,
    @Ctx() { services }: GraphqlContext,
  ): Promise<Secret | null> {
    return services.secrets.byId(databaseId(id, 'Secret'));
  }

  @FieldResolver(() => [Workflow], {
    nullable: true,
    description:
      'The workflows that use it, by id. Null, with the error FORBIDDEN, if the user may not read workflows.',
  })
  @Needs(workflowPolicy.read)
  async usedBy(
    @Root() { name }: Secret,
    @Ctx() context: GraphqlContext,
  ): Promise<readonly WorkflowRecord[]> {
    const users = context.loader<string, readonly WorkflowRecord[]>(
      'workflowsOfSecrets',
      async (keys) => {
        const workflows = await context.services.workflowReferences.bySecret(keys);
        return keys.map((key) => workflows.get(key) ?? []);
      },
    );
    return (await users.load(secretKey(name))) ?? [];
  }

  @FieldResolver(() => SecretViewerCan, {
    description: 'Permissions of the signed-in user for this secret.',
  })
  viewerCan(@Ctx() { actor }: GraphqlContext): InstanceType<typeof SecretViewerCan> {
    return viewerCan(secretPolicy, actor);
  }

  @Mutation(() => SecretPayload, { description: 'Creates a secret.' })
  @Needs(secretPolicy.create)
  secretCreate(
    @Arg('input', {
      description: 'The new secret.',
    })
    input: SecretCreateInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('secret', () => services.secrets.create(actor, input));
  }

  @Mutation(() => SecretPayload, { description: 'Changes a secret.' })
  @Needs(secretPolicy.update)
  secretUpdate(
    @Arg('input', { description: 'The secret and its changes.' })
    input: SecretUpdateInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    const { name, note, value, origins } = input;
    return payload('secret', (ids) =>
      services.secrets.update(
        actor,
        ids.read('Secret', input.id),
        { name: name ?? undefined, note, value: value ?? undefined, origins: origins ?? undefined },
        input.expectedVersion,
      ),
    );
  }

  @Mutation(() => SecretPayload, {
    description: 'Deletes a secret. One that workflows use is deleted only with `force`.',
  })
  @ServedOnFullDisk()
  @Needs(secretPolicy.delete)
  secretDelete(
    @Arg('input', { description: 'The secret to delete.' })
    { id, force, expectedVersion }: SecretDeleteInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('secret', (ids) =>
      services.secrets.remove(actor, ids.read('Secret', id), { force, expectedVersion }),
    );
  }

  @Mutation(() => SecretsPayload, {
    description:
      'Deletes secrets, all or none. Those that workflows use are deleted only with `force`.',
  })
  @ServedOnFullDisk()
  @Needs(secretPolicy.delete)
  secretsDelete(
    @Arg('input', { description: 'The secrets to delete.' })
    input: SecretIdsInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return listPayload('secrets', 'Secret', (ids) =>
      services.secrets.removeAll(actor, ids.readAll('Secret', input.ids), { force: input.force }),
    );
  }
}

registerNode(
  'Secret',
  (id, context) =>
    context
      .loader<number, Secret>('secrets', (ids) => context.services.secrets.byIds(ids))
      .load(id),
  secretPolicy.read,
);
