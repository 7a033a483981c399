import { Field, InputType, ObjectType } from 'type-graphql';
import { MutationPayload } from '../../platform/graphql/schema/payload';

@InputType({ description: 'The user who forgot the password.' })
export class PasswordForgottenInput {
  @Field(() => String, { description: 'E-mail address of the user.' })
  readonly email!: string;
}

@ObjectType({ description: 'The same whether there is such a user or not.' })
export class PasswordForgottenPayload extends MutationPayload {
  @Field(() => Boolean, { description: 'True if the request was accepted.' })
  readonly accepted!: boolean;
}

@InputType({ description: 'A new password, and the link that allows to set it.' })
export class PasswordResetInput {
  @Field(() => String, { description: '`token` of the link.' })
  readonly token!: string;

  @Field(() => String, { description: '8 to 128 characters.' })
  readonly newPassword!: string;

  @Field(() => String, { description: 'The same again.' })
  readonly confirmPassword!: string;
}

@ObjectType({ description: 'Whether the password was set.' })
export class PasswordResetPayload extends MutationPayload {
  @Field(() => Boolean, { description: 'True if the password was set. Sign in with it.' })
  readonly done!: boolean;
}

@InputType({ description: 'The present and the new password of the signed-in user.' })
export class OwnPasswordChangeInput {
  @Field(() => String, { description: 'The present password.' })
  readonly currentPassword!: string;

  @Field(() => String, { description: '8 to 128 characters.' })
  readonly newPassword!: string;

  @Field(() => String, { description: 'The same again.' })
  readonly confirmPassword!: string;
}
