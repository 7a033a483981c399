import { Arg, Args, Ctx, FieldResolver, Mutation, Resolver, Root } from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { ConnectionArgs, nestedPage } from '../../platform/graphql/connection';
import { Needs } from '../../platform/graphql/needs';
import { payload } from '../../platform/graphql/payload';
import type { Page } from '../../platform/store/page';
import { JobPayload } from '../jobs/job.types';
import { runQuery } from './run.graphql';
import { runLoader } from './run.loader';
import type { RunRecord } from './run.model';
import { runPolicy } from './run.policy';
import { RunRetryInput, RunsRetryInput } from './run-repair.types';
import { Run, RunConnection, RunPayload } from './run.types';

@Resolver()
export class RunRepairResolver {
  @Mutation(() => RunPayload, {
    description:
      'Runs again what a run has executed: the same version with the same parameters, and with credentials and secrets as they are now. Answers the new run, as soon as it is queued. What is gone is RUN_NOT_REPEATABLE.',
  })
  @Needs(runPolicy.start)
  runRetry(
    @Arg('input') { id }: RunRetryInput,
    @Ctx() { actor, services }: GraphqlContext,
  ): Promise<RunPayload> {
    return payload('run', (ids) => services.runs.retry(actor, ids.read('Run', id)) as Promise<Run>);
  }

  @Mutation(() => JobPayload, {
    description:
      'Runs again in the background, all or none, what FAILED or was INTERRUPTED: of the runs that the filter finds, tests apart, and that no retry has mended or may and of which nothing is gone, the oldest 1,000. The result of the job is `{ runIds, notRepeatable, more }`: the new runs, the oldest 1,000 of those of which something is gone, and whether there are more.',
  })
  @Needs(runPolicy.start)
  runsRetry(@Arg('input') { filter }: RunsRetryInput, @Ctx() { actor, services }: GraphqlContext) {
    return payload('job', () => services.runs.retryAll(actor, runQuery(filter)), [
      [['id'], ['filter']],
    ]);
  }
}

@Resolver(() => Run)
export class RetriesOfRunResolver {
  @FieldResolver(() => Run, {
    nullable: true,
    description:
      'The run that it runs again; of several retries the first. Null when it is no retry, and when that is kept no more or not for the signed-in user to read.',
  })
  async retryOf(
    @Root() { retryOf }: RunRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<RunRecord | null> {
    return retryOf === undefined ? null : runLoader(context).load(retryOf);
  }

  @FieldResolver(() => Run, {
    nullable: true,
    description:
      'The run whose failure started it; null when none did, and when that is kept no more or not for the signed-in user to read.',
  })
  async errorOf(
    @Root() { errorOf }: RunRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<RunRecord | null> {
    return errorOf === undefined ? null : runLoader(context).load(errorOf);
  }

  @FieldResolver(() => Run, {
    nullable: true,
    description:
      'The run of the error workflow that its failure started; null when there was none, and when that is kept no more or not for the signed-in user to read.',
  })
  async errorRun(
    @Root() { errorRunId }: RunRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<RunRecord | null> {
    return errorRunId === undefined ? null : runLoader(context).load(errorRunId);
  }

  @FieldResolver(() => RunConnection, {
    description:
      'The runs that run it again, the newest first. Retries of retries are linked to the first run.',
  })
  retries(
    @Root() { _id }: RunRecord,
    @Args() page: ConnectionArgs,
    @Ctx() context: GraphqlContext,
  ): Promise<Page<RunRecord>> {
    return nestedPage(context, 'retries', _id, page, (ids) =>
      context.services.runs.retriesOf(context.actor, ids, page),
    );
  }
}
