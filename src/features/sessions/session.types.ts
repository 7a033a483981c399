import { Field, ID, ObjectType } from 'type-graphql';
import { DateTime } from '../../platform/graphql/schema/scalars';

@ObjectType('Session', { description: 'One login of a user.' })
export class SessionType {
  @Field(() => ID, {
    name: 'sessionId',
    description: 'The `jti` of its token. Not a global id: `node` does not accept it.',
  })
  readonly id!: string;

  @Field(() => String, { description: 'Network address of the client.' })
  readonly address!: string;

  @Field(() => String, { description: 'User agent of the client.' })
  readonly userAgent!: string;

  @Field(() => DateTime, { description: 'When the user signed in.' })
  readonly createdAt!: Date;

  @Field(() => DateTime, { description: 'When it was last used; up to a minute behind.' })
  readonly lastAccessed!: Date;

  @Field(() => DateTime, { description: 'When it ends at the latest.' })
  readonly expiresAt!: Date;
}

@ObjectType('SecondFactorEnrolment', { description: 'What an authenticator app needs.' })
export class EnrolmentType {
  @Field(() => String, { description: 'The secret in base32, to type it.' })
  readonly secretKey!: string;

  @Field(() => String, { description: '`otpauth://totp/…`' })
  readonly uri!: string;

  @Field(() => String, { description: 'The URI as QR code: a data URL of a PNG.' })
  readonly qr!: string;
}

@ObjectType('LoginChallenge', { description: 'The second step of a login; see `loginConfirm`.' })
export class LoginChallengeType {
  @Field(() => ID, { description: 'For `loginConfirm`. Valid for ten minutes.' })
  readonly challengeId!: string;

  @Field(() => EnrolmentType, {
    nullable: true,
    description: 'For a user who must set up an authenticator app first.',
  })
  readonly enrolment!: EnrolmentType | null;
}
