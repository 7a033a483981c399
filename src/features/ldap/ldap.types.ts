import { Field, InputType, ObjectType } from 'type-graphql';
import { MutationPayload } from '../../platform/graphql/schema/payload';

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

@InputType({ description: 'Values to test. Omitted ones are those of the configuration.' })
export class LdapTestInput {
  @Field(() => String, {
    nullable: true,
    description: 'The user to look up. Without it, only the search bases are checked.',
  })
  readonly email?: string | null;

  @Field(() => String, { nullable: true, description: 'Servers, separated by blanks.' })
  readonly urls?: string | null;

  @Field(() => String, { nullable: true, description: 'Where users are searched.' })
  readonly userDN?: string | null;

  @Field(() => String, { nullable: true, description: 'Where groups are searched.' })
  readonly groupDN?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The bind account; empty for anonymous searches.',
  })
  readonly username?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'The password of the bind account. The stored one is only sent to the configured servers and account.',
  })
  readonly password?: string | null;

  @Field(() => String, {
    nullable: true,
    description: '`{0}`: what the user enters as e-mail.',
  })
  readonly userSearchFilter?: string | null;

  @Field(() => String, {
    nullable: true,
    description: '`{0}`: the distinguished name of the user.',
  })
  readonly groupSearchFilter?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Maximum duration of a sign-in over all servers, ms.',
  })
  readonly timeout?: string | null;
}

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
