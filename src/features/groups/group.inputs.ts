import { Field, ID, InputType } from 'type-graphql';
import type { FileUpload } from 'graphql-upload-minimal';
import { VersionedInput, WHICH_IDS } from '../../platform/graphql/payload';
import { Upload } from '../../platform/graphql/scalars';

const WHICH = 'Which group: global id or integer.';

@InputType({ description: 'What a group may do with one component.' })
export class ComponentGrantInput {
  @Field(() => ID, { description: 'The component: global id or integer.' })
  readonly componentId!: string;

  @Field(() => [String], {
    description: 'Names of permissions, `READ` and others; replaces those it had.',
  })
  readonly permissions!: string[];
}

@InputType({ description: 'A new group.' })
export class GroupCreateInput {
  @Field(() => String, { description: 'Unique without regard to case, 45 characters at most.' })
  readonly name!: string;

  @Field(() => String, {
    nullable: true,
    description: 'What the group is for, for people to read.',
  })
  readonly description?: string | null;

  @Field(() => [ComponentGrantInput], {
    defaultValue: [],
    description: 'What its members may do. Nobody grants what he does not hold himself.',
  })
  readonly components!: ComponentGrantInput[];
}

@InputType({ description: 'A change of name and description; what is left out stays as it is.' })
export class GroupUpdateInput extends VersionedInput {
  @Field(() => ID, { description: WHICH })
  readonly id!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Its name from now on. Admin and User keep theirs.',
  })
  readonly name?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'What the group is for, for people to read.',
  })
  readonly description?: string | null;
}

@InputType({ description: 'Everything a group may do from now on.' })
export class GroupComponentsSetInput extends VersionedInput {
  @Field(() => ID, { description: WHICH })
  readonly id!: string;

  @Field(() => [ComponentGrantInput], { description: 'Replaces all that was granted.' })
  readonly components!: ComponentGrantInput[];
}

@InputType({ description: 'Which group.' })
export class GroupIdInput extends VersionedInput {
  @Field(() => ID, { description: WHICH })
  readonly id!: string;
}

@InputType({ description: 'Which groups.' })
export class GroupIdsInput {
  @Field(() => [ID], { description: WHICH_IDS })
  readonly ids!: string[];
}

@InputType({ description: 'A new icon.' })
export class GroupIconUploadInput extends VersionedInput {
  @Field(() => ID, { description: WHICH })
  readonly id!: string;

  @Field(() => Upload, { description: 'PNG, JPEG, GIF or WebP, judged by the content.' })
  readonly file!: Promise<FileUpload>;
}
