import { Field, ObjectType } from 'type-graphql';
import { MutationPayload } from '../../platform/graphql/schema/payload';
import { inputType } from '../../platform/graphql/schema/input-type';

export const PasswordForgottenInput = inputType(
  'PasswordForgottenInput',
  'The user who forgot the password.',
  { email: [String, 'E-mail address of the user.'] },
);
export type PasswordForgottenInput = InstanceType<typeof PasswordForgottenInput>;

@ObjectType({ description: 'The same whether there is such a user or not.' })
export class PasswordForgottenPayload extends MutationPayload {
  @Field(() => Boolean, { description: 'True if the request was accepted.' })
  readonly accepted!: boolean;
}

export const PasswordResetInput = inputType(
  'PasswordResetInput',
  'A new password, and the link that allows to set it.',
  {
    token: [String, '`token` of the link.'],
    newPassword: [String, '8 to 128 characters.'],
    confirmPassword: [String, 'The same again.'],
  },
);
export type PasswordResetInput = InstanceType<typeof PasswordResetInput>;

@ObjectType({ description: 'Whether the password was set.' })
export class PasswordResetPayload extends MutationPayload {
  @Field(() => Boolean, { description: 'True if the password was set. Sign in with it.' })
  readonly done!: boolean;
}

export const OwnPasswordChangeInput = inputType(
  'OwnPasswordChangeInput',
  'The present and the new password of the signed-in user.',
  {
    currentPassword: [String, 'The present password.'],
    newPassword: [String, '8 to 128 characters.'],
    confirmPassword: [String, 'The same again.'],
  },
);
export type OwnPasswordChangeInput = InstanceType<typeof OwnPasswordChangeInput>;
