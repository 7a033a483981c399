import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { AuditActor } from '../audit/audit.types';
import { Author } from '../workflows/workflow.types';
import { linkedUser } from './user.loader';
import type { User } from './user.service';
import { UserType } from './user.types';

const DESCRIPTION =
  'The user as he is now; null when he is gone, or not for the signed-in user to read.';

/** Links the authors of changes to their user records. */
@Resolver(() => Author)
export class UserOfAuthorResolver {
  @FieldResolver(() => UserType, { nullable: true, description: DESCRIPTION })
  user(@Root() { userId }: Author, @Ctx() context: GraphqlContext): Promise<User | null> {
    return linkedUser(context, userId);
  }
}

@Resolver(() => AuditActor)
export class UserOfAuditActorResolver {
  @FieldResolver(() => UserType, { nullable: true, description: DESCRIPTION })
  user(@Root() { userId }: AuditActor, @Ctx() context: GraphqlContext): Promise<User | null> {
    return linkedUser(context, userId);
  }
}
