import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Int,
  Mutation,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import type { FileUpload } from 'graphql-upload-minimal';
import type { GraphqlContext } from '../../platform/context';
import { BadInput } from '../../platform/errors/errors';
import { ConnectionArgs, toOrder } from '../../platform/graphql/connection';
import { databaseId } from '../../platform/graphql/ids';
import { listPayload, payload, VersionedInput, WHICH_IDS } from '../../platform/graphql/payload';
import { Needs } from '../../platform/graphql/needs';
import { registerNode } from '../../platform/graphql/node';
import { readUpload } from '../../platform/graphql/upload';
import { viewerCan } from '../../platform/graphql/viewer-can';
import { toQuery } from '../../platform/store/filter';
import type { Page } from '../../platform/store/keyset';
import { JobPayload } from '../jobs/job.types';
import { definitionOf, invokerByNameLoader, invokerLoader } from './invoker.loader';
import type { InvokerOperation, PaginationParameter, RequiredField } from './invoker';
import type { ImportedInvoker } from './invoker-import';
import type { InvokerRecord } from './invoker.model';
import {
  InvokerOperationType,
  InvokerPaginationParameterType,
  InvokerRequiredFieldType,
} from './invoker-operation.types';
import { InvokerPayload, InvokersPayload } from './invoker.payloads';
import { IMPORT_NEED, invokerPolicy } from './invoker.policy';
import {
  InvokerConnection,
  InvokerOrder,
  InvokerType,
  InvokerViewerCan,
  oneInvokerPolicy,
} from './invoker.types';
import { ALL_OF, ANY_OF, IdFilter, NameFilter, NONE_OF } from '../../platform/graphql/filters';
import { Upload } from '../../platform/graphql/scalars';

const FORCE =
  'Delete what is in use, too. Connectors and workflows that use it stay; their validation says that it is missing.';

@InputType({ description: 'Which invokers; all that are given must hold.' })
class InvokerFilter {
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
class InvokerImportInput {
  @Field(() => Upload, {
    nullable: true,
    description: 'XML, or a zip archive of XML files, judged by the content.',
  })
  readonly file?: Promise<FileUpload> | null;

  @Field(() => String, { nullable: true, description: 'XML as text.' })
  readonly xml?: string | null;
}

@InputType({ description: 'Which invoker to delete.' })
class InvokerDeleteInput extends VersionedInput {
  @Field(() => ID, { description: 'Global id or integer.' })
  readonly id!: string;

  @Field(() => Boolean, { defaultValue: false, description: FORCE })
  readonly force!: boolean;
}

@InputType({ description: 'Which invokers to delete.' })
class InvokersDeleteInput {
  @Field(() => [ID], { description: WHICH_IDS })
  readonly ids!: string[];

  @Field(() => Boolean, { defaultValue: false, description: FORCE })
  readonly force!: boolean;
}

@ArgsType()
class InvokersArgs extends ConnectionArgs {
  @Field(() => InvokerFilter, { nullable: true, description: 'Which invokers. Without it: all.' })
  readonly filter?: InvokerFilter;

  @Field(() => InvokerOrder, { nullable: true, description: 'In which order. Without it: by id.' })
  readonly orderBy?: InvokerOrder;
}

@ArgsType()
class InvokerArgs {
  @Field(() => ID, { nullable: true, description: 'Global id or integer.' })
  readonly id?: string;

  @Field(() => String, { nullable: true, description: 'Its name, without regard to case.' })
  readonly name?: string;
}

const ORDER = { ID: '_id', NAME: 'nameKey', UPDATED_AT: 'updatedAt' } as const;
const BY_ID = { field: '_id', direction: 'asc' } as const;
const FIELDS = {
  id: { path: '_id', read: (id: unknown) => databaseId(String(id), 'Invoker') },
  name: { folded: 'nameKey' },
};

/** The import result of the released line, with warnings. */
const namesOf = (invokers: readonly ImportedInvoker[]): object[] =>
  invokers.map(({ record, warnings }) => ({
    id: record.name,
    ...(warnings.length > 0 && { warnings }),
  }));

@Resolver(() => InvokerType)
export class InvokerResolver {
  @Query(() => InvokerConnection, { description: 'Invokers, a page at a time.' })
  @Needs(invokerPolicy.read)
  invokers(
    @Args() { filter, orderBy, ...page }: InvokersArgs,
    @Ctx() { services }: GraphqlContext,
  ): Promise<Page<InvokerRecord>> {
    return services.invokers.page({
      ...page,
      filter: toQuery(filter, FIELDS),
      orderBy: toOrder(orderBy, ORDER, BY_ID),
    });
  }

  @Query(() => InvokerType, {
    nullable: true,
    description: 'One invoker, by `id` or by `name`; null when there is none.',
  })
  @Needs(invokerPolicy.read)
  async invoker(
    @Args() { id, name }: InvokerArgs,
    @Ctx() context: GraphqlContext,
  ): Promise<InvokerRecord | null> {
    if ((id == null) === (name == null))
      throw new BadInput('ONE_OF_REQUIRED', 'Give `id` or `name`.', { path: ['id'] });
    return id != null
      ? invokerLoader(context).load(databaseId(id, 'Invoker'))
      : invokerByNameLoader(context).load(name ?? '');
  }

  @FieldResolver(() => [InvokerRequiredFieldType], {
    description: 'What a connector of it has to know.',
  })
  async requiredData(
    @Root() row: InvokerRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<readonly RequiredField[]> {
    return (await definitionOf(row, context))?.requiredData ?? [];
  }

  @FieldResolver(() => [InvokerPaginationParameterType], {
    description:
      'How pages of its operations follow each other, where an operation says nothing of its own.',
  })
  async pagination(
    @Root() row: InvokerRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<readonly PaginationParameter[]> {
    return (await definitionOf(row, context))?.pagination ?? [];
  }

  @FieldResolver(() => [InvokerOperationType], {
    description: 'Its operations, in the order of the XML.',
  })
  async operations(
    @Root() row: InvokerRecord,
    @Ctx() context: GraphqlContext,
    @Arg('name', () => String, {
      nullable: true,
      description: 'The one of this name only; of several the first.',
    })
    name?: string | null,
  ): Promise<readonly InvokerOperation[]> {
    const { operations = [] } = (await definitionOf(row, context)) ?? {};
    return name == null
      ? operations
      : operations.filter((operation) => operation.name === name).slice(0, 1);
  }

  @FieldResolver(() => [String], {
    description: 'What was assumed while its XML was read, each with its line.',
  })
  async warnings(
    @Root() row: InvokerRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<readonly string[]> {
    return (await definitionOf(row, context))?.warnings ?? [];
  }

  @FieldResolver(() => Int, { description: 'How many operations it has.' })
  operationCount(@Root() { operations }: InvokerRecord): number {
    return operations;
  }

  @FieldResolver(() => InvokerViewerCan, {
    description: 'What the signed-in user may do with the invoker.',
  })
  viewerCan(@Ctx() { actor }: GraphqlContext) {
    return viewerCan(oneInvokerPolicy, actor);
  }

  @Mutation(() => JobPayload, {
    description:
      'Adds or replaces invokers in the background, all or none. The result of the job is a list of `id`, the name, and where something was assumed of the file `warnings`. Adding needs INVOKER:CREATE, replacing one of the same name INVOKER:UPDATE.',
  })
  @Needs(IMPORT_NEED)
  invokerImport(
    @Arg('input', () => InvokerImportInput, { description: 'The XML.' })
    { file, xml }: InvokerImportInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('job', async () => {
      if ((file == null) === (xml == null))
        throw new BadInput('ONE_OF_REQUIRED', 'Give `file` or `xml`.', { path: ['file'] });
      if (xml != null)
        return services.invokers.startImport(
          actor,
          { fileName: null, xml, path: ['xml'] },
          namesOf,
        );
      const { fileName, bytes } = await readUpload(
        file as Promise<FileUpload>,
        services.invokers.uploadBytes,
      );
      return services.invokers.startImport(
        actor,
        { fileName, xml: bytes, path: ['file'] },
        namesOf,
      );
    });
  }

  @Mutation(() => InvokerPayload, {
    description: 'Deletes an invoker that nothing uses, or by `force` any.',
  })
  @Needs(invokerPolicy.delete)
  invokerDelete(
    @Arg('input', () => InvokerDeleteInput, { description: 'Which invoker.' })
    { id, force, expectedVersion }: InvokerDeleteInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('invoker', (ids) =>
      services.invokers.removeById(actor, ids.read('Invoker', id), { force, expectedVersion }),
    );
  }

  @Mutation(() => InvokersPayload, { description: 'Deletes invokers, all or none.' })
  @Needs(invokerPolicy.delete)
  invokersDelete(
    @Arg('input', () => InvokersDeleteInput, { description: 'Which invokers.' })
    input: InvokersDeleteInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return listPayload('invokers', 'Invoker', (ids) =>
      services.invokers.removeAllById(actor, ids.readAll('Invoker', input.ids), {
        force: input.force,
      }),
    );
  }
}

registerNode('Invoker', async (id, context) => invokerLoader(context).load(id), invokerPolicy.read);
