import { Field, ObjectType } from 'type-graphql';
import { MutationPayload } from '../../platform/graphql/schema/payload';
import { inputType, optional } from '../../platform/graphql/schema/input-type';

@ObjectType('LdapConfig', { description: 'The configuration of the LDAP directory.' })
export class LdapConfigType {
  @Field(() => String, {
    description: 'Servers, separated by blanks, in the order in which they are tried.',
  })
  readonly urls!: string;

  @Field(() => String, { description: 'Where users are searched.' })
  readonly userDN!: string;

  @Field(() => String, { description: 'Where groups are searched.' })
  readonly groupDN!: string;

  @Field(() => String, { description: 'The bind account; empty for anonymous searches.' })
  readonly username!: string;

  @Field(() => String, { description: 'The masked password of the bind account.' })
  readonly password!: string;

  @Field(() => String, { description: '`{0}`: what the user enters as e-mail.' })
  readonly userSearchFilter!: string;

  @Field(() => String, { description: '`{0}`: the distinguished name of the user.' })
  readonly groupSearchFilter!: string;

  @Field(() => String, {
    description: 'Maximum duration of a sign-in over all servers, ms.',
  })
  readonly timeout!: string;
}

export const LdapTestInput = inputType(
  'LdapTestInput',
  'Values to test. Omitted ones are those of the configuration.',
  {
    email: [
      optional(String),
      'The user to look up. Without it, only the search bases are checked.',
    ],
    urls: [optional(String), 'Servers, separated by blanks.'],
    userDN: [optional(String), 'Where users are searched.'],
    groupDN: [optional(String), 'Where groups are searched.'],
    username: [optional(String), 'The bind account; empty for anonymous searches.'],
    password: [
      optional(String),
      'The password of the bind account. The stored one is only sent to the configured servers and account.',
    ],
    userSearchFilter: [optional(String), '`{0}`: what the user enters as e-mail.'],
    groupSearchFilter: [optional(String), '`{0}`: the distinguished name of the user.'],
    timeout: [optional(String), 'Maximum duration of a sign-in over all servers, ms.'],
  },
);
export type LdapTestInput = InstanceType<typeof LdapTestInput>;

@ObjectType('LdapTestMessage', { description: 'What happened in one stage of a test.' })
class LdapTestMessageType {
  @Field(() => String, { description: 'The stage.' })
  readonly title!: string;

  @Field(() => String, { description: 'What happened.' })
  readonly text!: string;
}

@ObjectType('LdapTestResult', { description: 'The result of a test of the LDAP directory.' })
class LdapTestResultType {
  @Field(() => Boolean, { description: 'Whether all stages succeeded.' })
  readonly isSuccessful!: boolean;

  @Field(() => [LdapTestMessageType], {
    description: 'One for each stage; the last one is the failed stage, if one failed.',
  })
  readonly messages!: readonly LdapTestMessageType[];
}

@ObjectType({ description: 'The result of a test of the LDAP directory.' })
export class LdapTestPayload extends MutationPayload {
  @Field(() => LdapTestResultType, { nullable: true, description: 'The result.' })
  readonly result!: LdapTestResultType | null;
}
