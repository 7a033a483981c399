import type { FileUpload } from 'graphql-upload-minimal';
import { Field, ID, InputType, Int } from 'type-graphql';
import type { InputPath } from '../../platform/errors/errors';
import type { PathTable } from '../../platform/errors/findings';
import { VersionedInput, WHICH_IDS } from '../../platform/graphql/payload';
import { Upload } from '../../platform/graphql/scalars';
import { FIELD_NAMES, SECOND_FIELDS } from './connector.rules';

const WHICH = 'Which connector: global id or integer.';
const SSL_CERT = 'True switches the validation of certificates off.';
const KEEP_COOKIES =
  'True: cookies that the remote system sets are sent with later calls of the same run.';
const TIMEOUT =
  'Longest a call may take, in milliseconds, an hour at most; 0 is the configured time-out.';

@InputType({ description: 'A field of the credentials.' })
export class ConnectorFieldInput {
  @Field(() => String, { description: "Its name, one of the invoker's required data." })
  readonly name!: string;

  @Field(() => String, { description: 'Its value. Stored encrypted.' })
  readonly value!: string;
}

@InputType({ description: 'A new connector.' })
export class ConnectorCreateInput {
  @Field(() => String, { description: 'Unique without regard to case, 255 characters at most.' })
  readonly title!: string;

  @Field(() => String, {
    nullable: true,
    description: 'What it is for, for people to read; 2,048 characters at most.',
  })
  readonly description?: string | null;

  @Field(() => String, { description: 'Name of the invoker that describes the remote system.' })
  readonly invokerName!: string;

  @Field(() => Boolean, { defaultValue: false, description: SSL_CERT })
  readonly sslCert!: boolean;

  @Field(() => Boolean, { defaultValue: false, description: KEEP_COOKIES })
  readonly keepCookies!: boolean;

  @Field(() => Int, { defaultValue: 0, description: TIMEOUT })
  readonly timeout!: number;

  @Field(() => [ConnectorFieldInput], {
    defaultValue: [],
    description: 'The credentials, each field once.',
  })
  readonly requestData!: ConnectorFieldInput[];
}

@InputType({
  description:
    'A change of a connector; what is left out stays as it is, fields of the credentials too.',
})
export class ConnectorUpdateInput extends VersionedInput {
  @Field(() => ID, { description: WHICH })
  readonly id!: string;

  @Field(() => String, { nullable: true, description: 'Its title from now on.' })
  readonly title?: string | null;

  @Field(() => String, { nullable: true, description: 'What it is for, for people to read.' })
  readonly description?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Its invoker from now on. The fields of another invoker are other fields: what was stored goes.',
  })
  readonly invokerName?: string | null;

  @Field(() => Boolean, { nullable: true, description: SSL_CERT })
  readonly sslCert?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: KEEP_COOKIES })
  readonly keepCookies?: boolean | null;

  @Field(() => Int, { nullable: true, description: TIMEOUT })
  readonly timeout?: number | null;

  @Field(() => [ConnectorFieldInput], {
    nullable: true,
    description: 'Credentials that change, each field once.',
  })
  readonly requestData?: ConnectorFieldInput[] | null;
}

@InputType({ description: 'Which connector.' })
export class ConnectorDeleteInput extends VersionedInput {
  @Field(() => ID, { description: WHICH })
  readonly id!: string;

  @Field(() => Boolean, {
    defaultValue: false,
    description:
      'Also one that workflows use: they stay, and say in their `validation` that it is gone.',
  })
  readonly force!: boolean;
}

@InputType({ description: 'Which connectors.' })
export class ConnectorIdsInput {
  @Field(() => [ID], { description: WHICH_IDS })
  readonly ids!: string[];

  @Field(() => Boolean, { defaultValue: false, description: 'Also those that workflows use.' })
  readonly force!: boolean;
}

@InputType({ description: 'Which connector.' })
export class ConnectorIdInput extends VersionedInput {
  @Field(() => ID, { description: WHICH })
  readonly id!: string;
}

@InputType({ description: 'A new icon.' })
export class ConnectorIconUploadInput extends VersionedInput {
  @Field(() => ID, { description: WHICH })
  readonly id!: string;

  @Field(() => Upload, { description: 'PNG, JPEG, GIF or WebP, judged by the content.' })
  readonly file!: Promise<FileUpload>;
}

@InputType({
  description:
    'What is to be checked: credentials that are given, those of a stored connector, or some of both.',
})
export class ConnectorCheckInput {
  @Field(() => ID, {
    nullable: true,
    description:
      'A stored connector: what is left out is as it is stored; secrets only when every public field is as it is stored. Needs CONNECTOR:UPDATE.',
  })
  readonly id?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Name of the invoker. May be left out for a stored connector.',
  })
  readonly invokerName?: string | null;

  @Field(() => Boolean, { nullable: true, description: SSL_CERT })
  readonly sslCert?: boolean | null;

  @Field(() => Int, { nullable: true, description: TIMEOUT })
  readonly timeout?: number | null;

  @Field(() => [ConnectorFieldInput], {
    defaultValue: [],
    description: 'Credentials, each field once; what is left out is the default of the invoker.',
  })
  readonly requestData!: ConnectorFieldInput[];
}

/** Names in GraphQL inputs that differ from those of the service: fields are a list. */
export const inInput = (fields: readonly ConnectorFieldInput[] = []): PathTable => [
  [['invoker'], ['invokerName']],
  [['connectorId'], ['id']],
  [
    [SECOND_FIELDS, '*'],
    ['requestData', '*', 'name'],
  ],
  ...fields.flatMap(({ name }, at): (readonly [InputPath, InputPath])[] => [
    [
      ['requestData', name],
      ['requestData', at, 'value'],
    ],
    [
      [FIELD_NAMES, name],
      ['requestData', at, 'name'],
    ],
  ]),
];
