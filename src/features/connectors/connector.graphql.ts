import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { databaseId } from '../../platform/graphql/schema/ids';
import { listPayload, payload } from '../../platform/graphql/schema/payload';
import { Needs, ServedOnFullDisk } from '../../platform/graphql/schema/needs';
import { registerNode } from '../../platform/graphql/schema/node';
import { readUpload } from '../../platform/graphql/schema/upload';
import { viewerCan } from '../../platform/graphql/schema/viewer-can';
import type { Page } from '../../platform/store/lists/keyset';
import { fileUrl } from '../groups/group.presenter';
import type { CheckOutcome } from './connector-check';
import type { ConnectorField } from './connector-fields';
import {
  ConnectorCheckInput,
  ConnectorCreateInput,
  ConnectorDeleteInput,
  ConnectorIconUploadInput,
  ConnectorIdInput,
  ConnectorIdsInput,
  ConnectorsArgs,
  ConnectorUpdateInput,
  toInputPaths,
  toConnectorQuery,
} from './connector.inputs';
import { connectorLoader, fieldsOf } from './connector.loader';
import type { ConnectorRecord } from './connector.model';
import { CHECK_NEED, connectorPolicy } from './connector.policy';
import {
  ConnectorCheckPayload,
  ConnectorConnection,
  ConnectorFieldType,
  ConnectorPayload,
  ConnectorsPayload,
  ConnectorType,
  ConnectorViewerCan,
  oneConnectorPolicy,
} from './connector.types';

const checkResult = ({ status, error }: CheckOutcome) => ({
  accepted: status === '200',
  status,
  error,
});

@Resolver(() => ConnectorType)
export class ConnectorResolver {
  @Query(() => ConnectorConnection, { description: 'A page of connectors.' })
  @Needs(connectorPolicy.read)
  connectors(
    @Args(() => ConnectorsArgs) args: InstanceType<typeof ConnectorsArgs>,
    @Ctx() { services }: GraphqlContext,
  ): Promise<Page<ConnectorRecord>> {
    return services.connectorCatalog.page(toConnectorQuery(args));
  }

  @Query(() => ConnectorType, {
    nullable: true,
    description: 'A connector; null if there is none.',
  })
  @Needs(connectorPolicy.read)
  connector(
    @Arg('id', () => ID, { description: 'Global id or integer.' }) id: string,
    @Ctx() context: GraphqlContext,
  ): Promise<ConnectorRecord | null> {
    return connectorLoader(context).load(databaseId(id, 'Connector'));
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'URL of the icon; null if there is none.',
  })
  icon(@Root() connector: ConnectorRecord, @Ctx() { origin }: GraphqlContext): string | null {
    return fileUrl(connector.icon, origin.baseUrl);
  }

  @FieldResolver(() => [ConnectorFieldType], {
    description:
      'The credentials in the order of the invoker. Values that are not public are hidden unless the request has the master password in `X-Master-Password`.',
  })
  requestData(
    @Root() connector: ConnectorRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<readonly ConnectorField[]> {
    return fieldsOf(connector, context);
  }

  @FieldResolver(() => ConnectorViewerCan, {
    description: 'What the signed-in user may do with the connector.',
  })
  viewerCan(@Ctx() { actor }: GraphqlContext) {
    return viewerCan(oneConnectorPolicy, actor);
  }

  @Mutation(() => ConnectorPayload, { description: 'Creates a connector.' })
  @Needs(connectorPolicy.create)
  connectorCreate(
    @Arg('input') input: ConnectorCreateInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    const { invokerName: invoker, ...rest } = input;
    return payload(
      'connector',
      () => services.connectors.create(actor, { ...rest, invoker }),
      toInputPaths(input.requestData),
    );
  }

  @Mutation(() => ConnectorPayload, {
    description:
      'Changes a connector. A change of the address requires the hidden values again (`CREDENTIALS_NEED_CONFIRMATION`), or the master password in `X-Master-Password`.',
  })
  @Needs(connectorPolicy.update)
  connectorUpdate(
    @Arg('input') input: ConnectorUpdateInput,
    @Ctx() { actor, services, origin }: GraphqlContext,
  ) {
    const { id, expectedVersion, description, requestData } = input;
    const change = {
      title: input.title ?? undefined,
      description,
      invoker: input.invokerName ?? undefined,
      sslCert: input.sslCert ?? undefined,
      keepCookies: input.keepCookies ?? undefined,
      timeout: input.timeout ?? undefined,
      requestData: requestData ?? undefined,
    };
    return payload(
      'connector',
      (ids) =>
        services.connectors.update(
          actor,
          ids.read('Connector', id),
          change,
          origin,
          expectedVersion,
        ),
      toInputPaths(requestData ?? []),
    );
  }

  @Mutation(() => ConnectorPayload, {
    description:
      'Confirms the suspended credentials of a connector: they may be sent to the origins that the invoker and the connector name now. Requires the master password in `X-Master-Password`.',
  })
  @Needs(connectorPolicy.update)
  connectorConfirm(
    @Arg('input') { id, expectedVersion }: ConnectorIdInput,
    @Ctx() { actor, services, origin }: GraphqlContext,
  ) {
    return payload('connector', (ids) =>
      services.connectorFields.confirm(actor, ids.read('Connector', id), origin, expectedVersion),
    );
  }

  @Mutation(() => ConnectorPayload, {
    description:
      'Deletes a connector with its credentials. A connector that a workflow uses is only deleted with `force`.',
  })
  @ServedOnFullDisk()
  @Needs(connectorPolicy.delete)
  connectorDelete(
    @Arg('input') { id, force, expectedVersion }: ConnectorDeleteInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('connector', (ids) =>
      services.connectors.remove(actor, ids.read('Connector', id), { force, expectedVersion }),
    );
  }

  @Mutation(() => ConnectorsPayload, {
    description: 'Deletes connectors with their credentials, all or none.',
  })
  @ServedOnFullDisk()
  @Needs(connectorPolicy.delete)
  connectorsDelete(
    @Arg('input', () => ConnectorIdsInput, { description: 'The connectors.' })
    { ids: globalIds, force }: ConnectorIdsInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return listPayload('connectors', 'Connector', (ids) =>
      services.connectors.removeAll(actor, ids.readAll('Connector', globalIds), { force }),
    );
  }

  @Mutation(() => ConnectorCheckPayload, {
    description: 'Calls the remote system to check credentials.',
  })
  @ServedOnFullDisk()
  @Needs(CHECK_NEED)
  connectorCheck(
    @Arg('input') input: ConnectorCheckInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    const { id, invokerName, sslCert, timeout, requestData } = input;
    return payload(
      'check',
      async (ids) =>
        checkResult(
          await services.connectorCheck.check(actor, {
            connectorId: id == null ? null : ids.read('Connector', id),
            invoker: invokerName ?? undefined,
            sslCert: sslCert ?? undefined,
            timeout: timeout ?? undefined,
            requestData,
          }),
        ),
      toInputPaths(requestData),
    );
  }

  @Mutation(() => ConnectorPayload, { description: 'Sets the icon of a connector.' })
  @Needs(connectorPolicy.update)
  connectorIconUpload(
    @Arg('input') input: ConnectorIconUploadInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('connector', async (ids) => {
      const id = ids.read('Connector', input.id);
      const { bytes } = await readUpload(input.file, services.connectors.maxIconBytes);
      return services.connectors.setIcon(actor, id, bytes, input.expectedVersion);
    });
  }

  @Mutation(() => ConnectorPayload, { description: 'Removes the icon of a connector.' })
  @ServedOnFullDisk()
  @Needs(connectorPolicy.update)
  connectorIconRemove(
    @Arg('input') { id, expectedVersion }: ConnectorIdInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('connector', (ids) =>
      services.connectors.setIcon(actor, ids.read('Connector', id), null, expectedVersion),
    );
  }
}

registerNode('Connector', (id, context) => connectorLoader(context).load(id), connectorPolicy.read);
