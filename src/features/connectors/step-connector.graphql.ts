import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { StepConnector } from '../workflows/steps/step.types';
import { linkedConnector } from './connector.loader';
import type { ConnectorRecord } from './connector.service';
import { ConnectorType } from './connector.types';

@Resolver(() => StepConnector)
export class ConnectorOfStepResolver {
  @FieldResolver(() => ConnectorType, {
    nullable: true,
    description:
      'The connector as it is now; null when there is none, it is deleted, or not for the signed-in user to read.',
  })
  async connector(
    @Root() { connectorId }: StepConnector,
    @Ctx() context: GraphqlContext,
  ): Promise<ConnectorRecord | null> {
    return connectorId === null ? null : linkedConnector(context, connectorId);
  }
}
