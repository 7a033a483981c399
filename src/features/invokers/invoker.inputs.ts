import { Field, ID, InputType } from 'type-graphql';
import type { FileUpload } from 'graphql-upload-minimal';
import { VersionedInput } from '../../platform/graphql/expected-version';
import { ALL_OF, ANY_OF, IdFilter, NameFilter, NONE_OF } from '../../platform/graphql/filters';
import { WHICH_IDS } from '../../platform/graphql/list-payload';
import { Upload } from '../../platform/graphql/scalars';

const FORCE = 'Delete what is in use, too. Connectors and workflows that use it stay; their validation says that it is missing.';

@InputType({ description: 'Which invokers; all that are given must hold.' })
export class InvokerFilter {
  @Field(() => IdFilter, { nullable: true, description: 'These invokers, by their ids.' })
  readonly id?: IdFilter;

  @Field(() => NameFilter, { nullable: true, description: 'What they are called.' })
  readonly name?: NameFilter;

  @Field(() => [InvokerFilter], { nullable: true, description: ALL_OF })
  readonly and?: InvokerFilter[];

  @Field(() => [InvokerFilter], { nullable: true, description: ANY_OF })
  readonly or?: InvokerFilter[];

  @Field(() => InvokerFilter, { nullable: true, description: NONE_OF })
  readonly not?: object;
}

@InputType({ description: 'What to import: a file or a text.' })
export class InvokerImportInput {
  @Field(() => Upload, { nullable: true, description: 'XML, or a zip archive of XML files, judged by the content.' })
  readonly file?: Promise<FileUpload> | null;

  @Field(() => String, { nullable: true, description: 'XML as text.' })
  readonly xml?: string | null;
}

@InputType({ description: 'Which invoker to delete.' })
export class InvokerDeleteInput extends VersionedInput {
  @Field(() => ID, { description: 'Global id or integer.' })
  readonly id!: string;

  @Field(() => Boolean, { defaultValue: false, description: FORCE })
  readonly force!: boolean;
}

@InputType({ description: 'Which invokers to delete.' })
export class InvokersDeleteInput {
  @Field(() => [ID], { description: WHICH_IDS })
  readonly ids!: string[];

  @Field(() => Boolean, { defaultValue: false, description: FORCE })
  readonly force!: boolean;
}
