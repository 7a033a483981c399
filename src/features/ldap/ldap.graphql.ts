import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { Needs, ServedOnFullDisk } from '../../platform/graphql/schema/needs';
import { payload } from '../../platform/graphql/schema/payload';
import { ldapPolicy } from './ldap.policy';
import { LdapConfigType, LdapTestInput, LdapTestPayload } from './ldap.types';

@Resolver()
export class LdapResolver {
  @Query(() => LdapConfigType, { description: 'The configuration of the LDAP directory.' })
  @Needs(ldapPolicy.readConfig)
  ldapConfig(@Ctx() { services }: GraphqlContext): LdapConfigType {
    return services.ldapCheck.shownConfig();
  }

  @Mutation(() => LdapTestPayload, {
    description:
      'Tests the connection to the LDAP directory in stages: connect, bind, user search, group search, mapping.',
  })
  @ServedOnFullDisk()
  @Needs(ldapPolicy.test)
  ldapTest(
    @Arg('input', () => LdapTestInput, { description: 'The user, and values to test.' })
    input: LdapTestInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('result', () => services.ldapCheck.run(actor, input));
  }
}
