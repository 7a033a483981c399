import { Field, Float, ObjectType } from 'type-graphql';
import type { Value } from '../../platform/config-file/parse-yaml';
import { enumOf } from '../../platform/graphql/schema/enums';
import { inputType, optional } from '../../platform/graphql/schema/input-type';
import { MutationPayload } from '../../platform/graphql/schema/payload';
import { DateTime, JSONValue } from '../../platform/graphql/schema/scalars';

const KeyStatusEnum = enumOf(
  { active: 'In use.', inactive: 'Commented out.' },
  'ApplicationConfigKeyStatus',
  'Whether a key of the configuration file is in use.',
);
const ChangeEnum = enumOf(
  {
    added: 'The key is new.',
    removed: 'The key is not in use any more.',
    changed: 'The value differs.',
  },
  'ApplicationConfigDifferenceKind',
  'How a key differs.',
);
const PositionEnum = enumOf(
  {
    header: 'At the beginning of the file.',
    before: 'Above the key.',
    inline: 'On the line of the key.',
    after: 'Below the key.',
    footer: 'At the end of the file.',
  },
  'ApplicationConfigCommentPosition',
  'Where a comment stands.',
);
const ResultEnum = enumOf(
  { saved: 'The file was changed.', unchanged: 'The file is as it was.' },
  'ApplicationConfigChangeStatus',
  'The result of a change of the configuration file.',
);

@ObjectType('ApplicationConfigComment', { description: 'A comment of the configuration file.' })
class ConfigCommentType {
  @Field(() => PositionEnum, { description: 'Where it stands.' })
  readonly position!: string;

  @Field(() => String, { description: 'Its text without `#`.' })
  readonly text!: string;
}

@ObjectType('ApplicationConfigSetting', { description: 'A setting of the service.' })
class ConfigSettingType {
  @Field(() => String, { description: 'Its key.' })
  readonly key!: string;

  @Field(() => String, { description: 'What it does.' })
  readonly meaning!: string;

  @Field(() => String, { description: 'Which values it accepts.' })
  readonly accepts!: string;

  @Field(() => String, { description: 'The value without an entry, in Markdown; empty for none.' })
  readonly default!: string;

  @Field(() => String, { description: 'The environment variable, which wins over the file.' })
  readonly variable!: string;
}

@ObjectType('ApplicationConfigField', { description: 'A key of the configuration file.' })
export class ConfigFieldType {
  @Field(() => String, { description: 'The last key of the path; `[0]` is an entry of a list.' })
  readonly key!: string;

  @Field(() => String, { description: 'Keys from the root, joined with dots.' })
  readonly path!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The path of the key above; null at the root.',
  })
  readonly parentPath!: string | null;

  @Field(() => KeyStatusEnum, { description: 'Whether it is in use.' })
  readonly status!: string;

  @Field(() => Boolean, { description: 'Whether there are keys below it in place of a value.' })
  readonly isBlock!: boolean;

  @Field(() => Boolean, { description: 'Whether its value is masked.' })
  readonly isSecret!: boolean;

  @Field(() => JSONValue, {
    nullable: true,
    description: 'The value with the meaning of YAML 1.1; secrets are `***`.',
  })
  readonly value!: Value | null;

  @Field(() => [ConfigCommentType], { description: 'Its comments.' })
  readonly comments!: readonly ConfigCommentType[];

  @Field(() => ConfigSettingType, {
    nullable: true,
    description: 'Null if the service does not know the key.',
  })
  readonly setting!: ConfigSettingType | null;
}

@ObjectType('ApplicationConfigDifference', {
  description: 'A key that differs between two states.',
})
class ConfigDifferenceType {
  @Field(() => String, { description: 'The path of the key.' })
  readonly path!: string;

  @Field(() => ChangeEnum, { description: 'How it differs.' })
  readonly change!: string;

  @Field(() => JSONValue, { nullable: true, description: 'The former value; secrets are `***`.' })
  readonly before!: Value | undefined;

  @Field(() => JSONValue, { nullable: true, description: 'The new value; secrets are `***`.' })
  readonly after!: Value | undefined;
}

@ObjectType('ApplicationConfig', { description: 'The configuration file of the service.' })
export class ApplicationConfigType {
  @Field(() => String, { description: 'Where it is.' })
  readonly path!: string;

  @Field(() => Boolean, { description: 'Whether it exists; the first change creates it.' })
  readonly exists!: boolean;

  @Field(() => String, { description: 'Changes with every change of the file.' })
  readonly revision!: string;

  @Field(() => [ConfigFieldType], {
    description: 'Its keys in the order of the file, parents first.',
  })
  readonly fields!: readonly ConfigFieldType[];

  @Field(() => [ConfigCommentType], { description: 'Comments that belong to no key.' })
  readonly comments!: readonly ConfigCommentType[];

  @Field(() => [ConfigDifferenceType], {
    description: 'What the service uses after its next start, but not now.',
  })
  readonly pending!: readonly ConfigDifferenceType[];

  @Field(() => [String], { description: 'Why the service would not start with this file.' })
  readonly problems!: readonly string[];

  @Field(() => [String], {
    description: 'Why no change can be saved: what is not writable, or not read by all processes.',
  })
  readonly writeProblems!: readonly string[];

  @Field(() => Boolean, {
    description:
      'Whether a supervisor is declared, so that the service can be restarted. False with a MongoDB, which several processes may use.',
  })
  readonly canRestart!: boolean;

  @Field(() => [ConfigSettingType], { description: 'All settings of the service.' })
  readonly settings!: readonly ConfigSettingType[];
}

@ObjectType('ApplicationConfigBackup', {
  description: 'A copy of the configuration file, made before a change.',
})
export class ConfigBackupType {
  @Field(() => String, { description: 'Its name.' })
  readonly name!: string;

  @Field(() => DateTime, { description: 'When it was made.' })
  readonly createdAt!: Date;

  @Field(() => Float, { description: 'Its size in bytes.' })
  readonly bytes!: number;
}

@ObjectType('ApplicationConfigBackupDetails', { description: 'A backup with its content.' })
export class ConfigBackupDetailsType extends ConfigBackupType {
  @Field(() => [ConfigFieldType], {
    description: 'Its keys in the order of the file, parents first.',
  })
  readonly fields!: readonly ConfigFieldType[];

  @Field(() => [ConfigDifferenceType], { description: 'What restoring it would change.' })
  readonly changes!: readonly ConfigDifferenceType[];
}

export const ApplicationConfigFieldInput = inputType(
  'ApplicationConfigFieldInput',
  'A key that changes.',
  {
    path: [String, 'Keys from the root, joined with dots.'],
    key: [optional(String), 'The last key of a new path, if it contains dots.'],
    status: [optional(KeyStatusEnum), 'Default: as it is; `ACTIVE` for a new key.'],
    value: [
      optional(JSONValue),
      'A text, number, boolean, null, or a list of these. Omitted: the value stays.',
    ],
  },
);

export const ApplicationConfigUpdateInput = inputType(
  'ApplicationConfigUpdateInput',
  'Changes of the configuration file.',
  {
    fields: [[ApplicationConfigFieldInput], 'The keys that change. Others stay.'],
    revision: [
      optional(String),
      'The revision that was read. If the file has another one, nothing is changed.',
    ],
  },
);
export type ApplicationConfigUpdateInput = InstanceType<typeof ApplicationConfigUpdateInput>;

export const ApplicationConfigRestoreInput = inputType(
  'ApplicationConfigRestoreInput',
  'A backup to restore.',
  {
    name: [String, 'Name of the backup.'],
    revision: [
      optional(String),
      'The revision that was read. If the file has another one, nothing is changed.',
    ],
  },
);
export type ApplicationConfigRestoreInput = InstanceType<typeof ApplicationConfigRestoreInput>;

@ObjectType('ApplicationConfigChange', {
  description: 'The result of a change of the configuration file.',
})
class ConfigChangeType {
  @Field(() => ResultEnum, { description: 'Whether the file was changed.' })
  readonly status!: string;

  @Field(() => Boolean, { description: 'Whether changes wait for a restart.' })
  readonly restartRequired!: boolean;

  @Field(() => String, { description: 'The result, for people.' })
  readonly message!: string;

  @Field(() => [ConfigDifferenceType], { description: 'What waits for a restart.' })
  readonly pending!: readonly ConfigDifferenceType[];

  @Field(() => String, { description: 'The revision of the file now.' })
  readonly revision!: string;

  @Field(() => String, { nullable: true, description: 'Name of the copy of the former file.' })
  readonly backup!: string | null;
}

export const ServiceRestartInput = inputType('ServiceRestartInput', 'A restart of the service.', {
  revision: [
    optional(String),
    'The revision that was read. If the file has another one, nothing is restarted.',
  ],
});
export type ServiceRestartInput = InstanceType<typeof ServiceRestartInput>;

@ObjectType({ description: 'The result of a request for a restart.' })
export class ServiceRestartPayload extends MutationPayload {
  @Field(() => Boolean, { nullable: true, description: 'True: the service restarts now.' })
  readonly restarting!: boolean | null;
}

@ObjectType({ description: 'The result of a change of the configuration file.' })
export class ApplicationConfigChangePayload extends MutationPayload {
  @Field(() => ConfigChangeType, { nullable: true, description: 'The result.' })
  readonly result!: ConfigChangeType | null;
}
