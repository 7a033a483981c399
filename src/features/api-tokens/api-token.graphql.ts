import { Arg, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { Needs, ServedOnFullDisk } from '../../platform/graphql/schema/needs';
import { payload } from '../../platform/graphql/schema/payload';
import type { User } from '../users/user.service';
import { UserType } from '../users/user.types';
import { apiTokenPolicy } from './api-token.policy';
import type { ApiToken } from './api-token.service';
import {
  ApiTokenCreateInput,
  ApiTokenCreatePayload,
  ApiTokenPayload,
  ApiTokenRevokeInput,
  ApiTokenType,
} from './api-token.types';

@Resolver(() => ApiTokenType)
export class ApiTokenResolver {
  @Query(() => [ApiTokenType], { description: 'API tokens of the signed-in user, newest first.' })
  @Needs(apiTokenPolicy.readOwn)
  myApiTokens(@Ctx() { actor, services }: GraphqlContext): Promise<ApiToken[]> {
    return services.apiTokens.ofUser(actor.userId);
  }

  @Mutation(() => ApiTokenCreatePayload, {
    description: 'Creates an API token. Not possible with an API token.',
  })
  @Needs(apiTokenPolicy.create)
  async apiTokenCreate(
    @Arg('input', () => ApiTokenCreateInput, { description: 'The new token.' })
    input: ApiTokenCreateInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    const { created, userErrors } = await payload('created', () =>
      services.apiTokens.create(actor, input),
    );
    return { apiToken: null, token: null, ...created, userErrors };
  }

  @Mutation(() => ApiTokenPayload, {
    description:
      'Revokes an API token of the signed-in user or, with USER:UPDATE, of any user. Not possible with an API token.',
  })
  @ServedOnFullDisk()
  @Needs(apiTokenPolicy.revoke)
  apiTokenRevoke(
    @Arg('input', () => ApiTokenRevokeInput, { description: 'The token.' })
    input: ApiTokenRevokeInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('apiToken', (ids) =>
      services.apiTokens.revoke(actor, ids.read('ApiToken', input.id)),
    );
  }
}

@Resolver(() => UserType)
export class ApiTokensOfUserResolver {
  @FieldResolver(() => [ApiTokenType], {
    nullable: true,
    description:
      'API tokens of the user, newest first; null, with the error FORBIDDEN, without permission to see them.',
  })
  @Needs(apiTokenPolicy.read, (_args, user) => (user as User).id)
  async apiTokens(
    @Root() { id }: User,
    @Ctx() context: GraphqlContext,
  ): Promise<readonly ApiToken[]> {
    const tokens = context.loader<number, readonly ApiToken[]>('apiTokensOfUsers', (ids) =>
      context.services.apiTokens.ofUsers(ids),
    );
    return (await tokens.load(id)) ?? [];
  }
}
