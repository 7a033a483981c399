import type { FileUpload } from 'graphql-upload-minimal';
import { Arg, Args, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { BadInput } from '../../platform/errors/errors';
import { databaseId } from '../../platform/graphql/schema/ids';
import { listPayload, payload } from '../../platform/graphql/schema/payload';
import { Needs, ServedOnFullDisk } from '../../platform/graphql/schema/needs';
import { registerNode } from '../../platform/graphql/schema/node';
import { readUpload } from '../../platform/graphql/schema/upload';
import { viewerCan } from '../../platform/graphql/schema/viewer-can';
import type { Page } from '../../platform/store/lists/keyset';
import { JobPayload } from '../jobs/job.types';
import type { InvokerOperation, PageParameter, RequiredField } from './invoker';
import type { ImportedInvoker } from './invoker-import.service';
import {
  InvokerOperationType,
  InvokerPaginationParameterType,
  InvokerRequiredFieldType,
} from './invoker-operation.types';
import { definitionOf, invokerByNameLoader, invokerLoader } from './invoker.loader';
import type { InvokerRecord } from './invoker.model';
import { IMPORT_NEED, invokerPolicy } from './invoker.policy';
import {
  InvokerArgs,
  InvokerConnection,
  InvokerDeleteInput,
  InvokerImportInput,
  InvokerPayload,
  InvokersArgs,
  InvokersDeleteInput,
  InvokersPayload,
  InvokerType,
  InvokerUpdateInput,
  InvokerViewerCan,
  oneInvokerPolicy,
  toInvokerQuery,
} from './invoker.types';

/** The import result of the released line, with warnings. */
const toJobResult = (invokers: readonly ImportedInvoker[]): object[] =>
  invokers.map(({ record, warnings }) => ({
    id: record.name,
    ...(warnings.length > 0 && { warnings }),
  }));

@Resolver(() => InvokerType)
export class InvokerResolver {
  @Query(() => InvokerConnection, { description: 'A page of invokers.' })
  @Needs(invokerPolicy.read)
  invokers(
    @Args(() => InvokersArgs) args: InstanceType<typeof InvokersArgs>,
    @Ctx() { services }: GraphqlContext,
  ): Promise<Page<InvokerRecord>> {
    return services.invokerCatalog.page(toInvokerQuery(args));
  }

  @Query(() => InvokerType, {
    nullable: true,
    description: 'An invoker, by `id` or by `name`; null if there is none.',
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
    description: 'The data that a connector needs.',
  })
  async requiredData(
    @Root() row: InvokerRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<readonly RequiredField[]> {
    return (await definitionOf(row, context))?.requiredData ?? [];
  }

  @FieldResolver(() => [InvokerPaginationParameterType], {
    description:
      'How pages of its operations follow each other, unless an operation declares its own pagination.',
  })
  async pagination(
    @Root() row: InvokerRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<readonly PageParameter[]> {
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
      description: 'Only the operation of this name; of several the first.',
    })
    name?: string | null,
  ): Promise<readonly InvokerOperation[]> {
    const { operations = [] } = (await definitionOf(row, context)) ?? {};
    return name == null
      ? operations
      : operations.filter((operation) => operation.name === name).slice(0, 1);
  }

  @FieldResolver(() => [String], {
    description: 'Assumptions made while its XML was parsed, each with its line.',
  })
  async warnings(
    @Root() row: InvokerRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<readonly string[]> {
    return (await definitionOf(row, context))?.warnings ?? [];
  }

  @FieldResolver(() => String, {
    description:
      'Its XML as imported. Without INVOKER:UPDATE it is generated, with masked secrets and without comments.',
  })
  async xml(
    @Root() { name }: InvokerRecord,
    @Ctx() { actor, services }: GraphqlContext,
  ): Promise<string> {
    return (await services.invokers.xml(actor, name)).text;
  }

  @FieldResolver(() => Int, { description: 'Number of operations.' })
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
      'Creates or replaces invokers in the background, all or none. The result of the job is a list with the name as `id` and, if assumptions were made, `warnings`. Creating requires INVOKER:CREATE, replacing an invoker of the same name INVOKER:UPDATE.',
  })
  @Needs(IMPORT_NEED)
  invokerImport(
    @Arg('input') { file, xml }: InvokerImportInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    const { invokerImport } = services;
    return payload('job', async () => {
      if ((file == null) === (xml == null))
        throw new BadInput('ONE_OF_REQUIRED', 'Give `file` or `xml`.', { path: ['file'] });
      if (xml != null) {
        const text = { fileName: null, xml, path: ['xml'] };
        return invokerImport.startImport(actor, text, toJobResult);
      }
      const upload = file as Promise<FileUpload>;
      const { fileName, bytes } = await readUpload(upload, invokerImport.uploadBytes);
      const archive = { fileName, xml: bytes, path: ['file'] };
      return invokerImport.startImport(actor, archive, toJobResult);
    });
  }

  @Mutation(() => InvokerPayload, {
    description:
      'Replaces the XML of an invoker. An invalid one is rejected with the lines of its errors.',
  })
  @Needs(invokerPolicy.update)
  invokerUpdate(
    @Arg('input') { id, xml, expectedVersion }: InvokerUpdateInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('invoker', (ids) =>
      services.invokers.update(actor, ids.read('Invoker', id), xml, expectedVersion),
    );
  }

  @Mutation(() => InvokerPayload, {
    description: 'Deletes an invoker. An invoker in use is only deleted with `force`.',
  })
  @ServedOnFullDisk()
  @Needs(invokerPolicy.delete)
  invokerDelete(
    @Arg('input') { id, force, expectedVersion }: InvokerDeleteInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('invoker', (ids) =>
      services.invokers.remove(actor, ids.read('Invoker', id), { force, expectedVersion }),
    );
  }

  @Mutation(() => InvokersPayload, { description: 'Deletes invokers, all or none.' })
  @ServedOnFullDisk()
  @Needs(invokerPolicy.delete)
  invokersDelete(
    @Arg('input') input: InvokersDeleteInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return listPayload('invokers', 'Invoker', (ids) =>
      services.invokers.removeAll(actor, ids.readAll('Invoker', input.ids), {
        force: input.force,
      }),
    );
  }
}

registerNode('Invoker', async (id, context) => invokerLoader(context).load(id), invokerPolicy.read);
