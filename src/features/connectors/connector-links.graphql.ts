import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { Needs } from '../../platform/graphql/schema/needs';
import { nestedPage } from '../../platform/graphql/schema/connection';
import type { Page } from '../../platform/store/lists/page';
import { linkedInvoker } from '../invokers/invoker.loader';
import type { InvokerRecord } from '../invokers/invoker.model';
import { InvokerType } from '../invokers/invoker.types';
import { StepConnector } from '../workflows/document/step.types';
import { ConnectorsArgs, toConnectorQuery } from './connector.inputs';
import { linkedConnector } from './connector.loader';
import type { ConnectorRecord } from './connector.model';
import { connectorPolicy } from './connector.policy';
import { ConnectorConnection, ConnectorType } from './connector.types';

@Resolver(() => ConnectorType)
export class InvokerOfConnectorResolver {
  @FieldResolver(() => InvokerType, {
    name: 'invoker',
    nullable: true,
    description:
      'The invoker that describes the remote system; null if it was deleted, or if the signed-in user may not read it.',
  })
  invokerOf(
    @Root() { invoker }: ConnectorRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<InvokerRecord | null> {
    return linkedInvoker(context, invoker);
  }
}

@Resolver(() => InvokerType)
export class ConnectorsOfInvokerResolver {
  @FieldResolver(() => ConnectorConnection, {
    nullable: true,
    description:
      'Its connectors; null, with the error FORBIDDEN, if the signed-in user may not list connectors.',
  })
  @Needs(connectorPolicy.read)
  connectors(
    @Root() { name }: InvokerRecord,
    @Args(() => ConnectorsArgs) args: InstanceType<typeof ConnectorsArgs>,
    @Ctx() context: GraphqlContext,
  ): Promise<Page<ConnectorRecord>> {
    return nestedPage(context, 'connectorsOfInvokers', name, args, (names) =>
      context.services.connectorCatalog.pagesOfInvokers(names, toConnectorQuery(args)),
    );
  }
}

@Resolver(() => StepConnector)
export class ConnectorOfStepResolver {
  @FieldResolver(() => ConnectorType, {
    nullable: true,
    description:
      'The current connector; null if there is none, if it was deleted, or if the signed-in user may not read it.',
  })
  async connector(
    @Root() { connectorId }: StepConnector,
    @Ctx() context: GraphqlContext,
  ): Promise<ConnectorRecord | null> {
    return connectorId === null ? null : linkedConnector(context, connectorId);
  }
}
