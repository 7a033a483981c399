import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { Needs } from '../../platform/graphql/needs';
import { nestedPage } from '../../platform/graphql/connection';
import type { Page } from '../../platform/store/page';
import { linkedInvoker } from '../invokers/invoker.loader';
import type { InvokerRecord } from '../invokers/invoker.model';
import { InvokerType } from '../invokers/invoker.types';
import { askedConnectors, ConnectorsArgs } from './connector.args';
import { connectorPolicy } from './connector.policy';
import type { ConnectorRecord } from './connector.service';
import { ConnectorConnection, ConnectorType } from './connector.types';

@Resolver(() => ConnectorType)
export class InvokerOfConnectorResolver {
  @FieldResolver(() => InvokerType, {
    name: 'invoker',
    nullable: true,
    description:
      'The invoker that describes the remote system; null when it is deleted, or not for the signed-in user to read.',
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
    description: 'Its connectors; null, with the error FORBIDDEN, for who may not list connectors.',
  })
  @Needs(connectorPolicy.read)
  connectors(
    @Root() { name }: InvokerRecord,
    @Args() args: ConnectorsArgs,
    @Ctx() context: GraphqlContext,
  ): Promise<Page<ConnectorRecord>> {
    return nestedPage(context, 'connectorsOfInvokers', name, args, (names) =>
      context.services.connectors.pagesOfInvokers(names, askedConnectors(args)),
    );
  }
}
