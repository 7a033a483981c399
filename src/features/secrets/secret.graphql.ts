import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Mutation,
  Query,
  Resolver,
} from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { ConnectionArgs, toOrder } from '../../platform/graphql/connection';
import { databaseId } from '../../platform/graphql/ids';
import { listPayload, payload } from '../../platform/graphql/payload';
import { Needs } from '../../platform/graphql/needs';
import { registerNode } from '../../platform/graphql/node';
import { viewerCan } from '../../platform/graphql/viewer-can';
import { toQuery } from '../../platform/store/filter';
import type { Page } from '../../platform/store/keyset';
import {
  SecretCreateInput,
  SecretDeleteInput,
  SecretIdsInput,
  SecretUpdateInput,
} from './secret.inputs';
import { secretPolicy } from './secret.policy';
import type { Secret } from './secret.service';
import {
  SecretConnection,
  SecretFilter,
  SecretOrder,
  SecretPayload,
  SecretsPayload,
  SecretType,
  SecretViewerCan,
} from './secret.types';

@ArgsType()
class SecretsArgs extends ConnectionArgs {
  @Field(() => SecretFilter, { nullable: true, description: 'Which secrets. Without it: all.' })
  readonly filter?: SecretFilter;

  @Field(() => SecretOrder, { nullable: true, description: 'In which order. Without it: by id.' })
  readonly orderBy?: SecretOrder;
}

const ORDER = { ID: '_id', NAME: 'nameKey' } as const;
const BY_ID = { field: '_id', direction: 'asc' } as const;
const FIELDS = {
  id: { path: '_id', read: (id: unknown) => databaseId(String(id), 'Secret') },
  name: { folded: 'nameKey' },
};

@Resolver(() => SecretType)
export class SecretResolver {
  @Query(() => SecretConnection, {
    description: 'Named secrets, a page at a time. Their values are never answered.',
  })
  @Needs(secretPolicy.read)
  secrets(
    @Args() { filter, orderBy, ...page }: SecretsArgs,
    @Ctx() { services }: GraphqlContext,
  ): Promise<Page<Secret>> {
    return services.secrets.page({
      ...page,
      filter: toQuery(filter, FIELDS),
      orderBy: toOrder(orderBy, ORDER, BY_ID),
    });
  }

  @Query(() => SecretType, { nullable: true, description: 'One secret; null when there is none.' })
  @Needs(secretPolicy.read)
  secret(
    @Arg('id', () => ID, { description: 'Global id or integer.' }) id: string,
    @Ctx() { services }: GraphqlContext,
  ): Promise<Secret | null> {
    return services.secrets.byId(databaseId(id, 'Secret'));
  }

  @FieldResolver(() => SecretViewerCan, { description: 'What the signed-in user may do with it.' })
  viewerCan(@Ctx() { actor }: GraphqlContext): InstanceType<typeof SecretViewerCan> {
    return viewerCan(secretPolicy, actor);
  }

  @Mutation(() => SecretPayload, { description: 'Adds a secret.' })
  @Needs(secretPolicy.create)
  secretCreate(
    @Arg('input', () => SecretCreateInput, {
      description: 'What it is called, what it is, and where it may be sent to.',
    })
    input: SecretCreateInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('secret', () => services.secrets.create(actor, input));
  }

  @Mutation(() => SecretPayload, { description: 'Changes a secret.' })
  @Needs(secretPolicy.update)
  secretUpdate(
    @Arg('input', () => SecretUpdateInput, { description: 'Which secret, and what changes.' })
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
    description: 'Deletes a secret. One that workflows use stays, unless `force` is true.',
  })
  @Needs(secretPolicy.delete)
  secretDelete(
    @Arg('input', () => SecretDeleteInput, { description: 'Which secret to delete.' })
    { id, force, expectedVersion }: SecretDeleteInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('secret', (ids) =>
      services.secrets.remove(actor, ids.read('Secret', id), { force, expectedVersion }),
    );
  }

  @Mutation(() => SecretsPayload, {
    description:
      'Deletes secrets, all or none. Those that workflows use stay, unless `force` is true.',
  })
  @Needs(secretPolicy.delete)
  secretsDelete(
    @Arg('input', () => SecretIdsInput, { description: 'Which secrets to delete.' })
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
