import { Field, ID, ObjectType } from 'type-graphql';
import { enumOf } from '../../platform/graphql/schema/enums';
import { inputType } from '../../platform/graphql/schema/input-type';
import { MutationPayload } from '../../platform/graphql/schema/payload';
import { payloadType } from '../../platform/graphql/schema/record-types';
import { EnrolmentType, SessionType } from '../sessions/session.types';
import { UserType } from '../users/user.types';
import type { SecondFactorState } from './second-factor-records';

export const SecondFactorStateEnum = enumOf<SecondFactorState>(
  {
    OFF: 'The user signs in with the password only.',
    PENDING:
      'The user, or their group, needs one: the user must set up an authenticator app at the next login.',
    ON: 'The user signs in with password and code.',
  },
  'SecondFactorState',
  'Whether a user has a second factor.',
);

export const LoginConfirmInput = inputType(
  'LoginConfirmInput',
  'The code for the second step of a login.',
  {
    challengeId: [ID, '`challengeId` of the login.'],
    code: [String, 'Six digits of the authenticator app, or a recovery code.'],
  },
);
export type LoginConfirmInput = InstanceType<typeof LoginConfirmInput>;

const RECOVERY_CODES =
  'Ten codes, each in place of one code of the app. They are shown only here. Null if there are no new ones.';

@ObjectType({ description: 'The result of the second step of a login.' })
export class LoginConfirmPayload extends MutationPayload {
  @Field(() => UserType, { nullable: true, description: 'The signed-in user.' })
  readonly user!: UserType | null;

  @Field(() => String, {
    nullable: true,
    description: 'Send it as `Authorization: Bearer …`. The response also has this header.',
  })
  readonly token!: string | null;

  @Field(() => SessionType, { nullable: true, description: 'The new session.' })
  readonly session!: SessionType | null;

  @Field(() => [String], { nullable: true, description: RECOVERY_CODES })
  readonly recoveryCodes!: readonly string[] | null;
}

export const SecondFactorBeginInput = inputType('SecondFactorBeginInput', 'The present password.', {
  password: [String, 'The present password of the signed-in user.'],
});
export type SecondFactorBeginInput = InstanceType<typeof SecondFactorBeginInput>;

export const SecondFactorCodeInput = inputType(
  'SecondFactorCodeInput',
  'A code of the second factor.',
  { code: [String, 'Six digits of the authenticator app, or a recovery code.'] },
);
export type SecondFactorCodeInput = InstanceType<typeof SecondFactorCodeInput>;

export const SecondFactorBeginPayload = payloadType(
  'SecondFactorBeginPayload',
  'enrolment',
  EnrolmentType,
  'A new secret. It has no effect until `secondFactorConfirm`.',
  'Null if nothing was changed.',
);

@ObjectType({ description: 'New recovery codes.' })
export class RecoveryCodesPayload extends MutationPayload {
  @Field(() => [String], { nullable: true, description: RECOVERY_CODES })
  readonly recoveryCodes!: readonly string[] | null;
}

export const UserSecondFactorInput = inputType(
  'UserSecondFactorInput',
  'The user whose second factor to change.',
  { id: [ID, 'The user: global id or integer.'] },
);
export type UserSecondFactorInput = InstanceType<typeof UserSecondFactorInput>;
