import { Arg, Ctx, FieldResolver, ID, Int, Query, Resolver, Root } from 'type-graphql';
import type { GraphqlContext } from '../../../platform/context';
import { databaseId } from '../../../platform/graphql/ids';
import { Needs } from '../../../platform/graphql/needs';
import type { RunRecord } from '../run.model';
import { runPolicy } from '../run.policy';
import { Run } from '../run.types';
import type { LogElement as Element } from './log-element';
import { elementIdOf } from './log-element-id';
import { LogElement, LogElementDetails, LogSearchInput, LogTurn } from './log.types';

@Resolver(() => LogElement)
export class LogResolver {
  @Query(() => [LogElement], {
    description:
      'What stands directly below an element of a log, in order, a page at a time: the next begins after the last of this one. Below a run stands its flowchart, below that every step in no loop and no condition.',
  })
  @Needs(runPolicy.read)
  logElements(
    @Arg('parentId', () => ID, {
      description: '`elementId` of the element; the integer id of a run for the run itself.',
    })
    parentId: string,
    @Arg('loopIndex', () => [Int], {
      nullable: true,
      description:
        'Of a loop: one of its turns, or the turns of all loops around it and its own. Without it: all its turns.',
    })
    loopIndex: number[] | null,
    @Arg('first', () => Int, {
      nullable: true,
      description: 'How many at most, 1 to 100. Without it: 20.',
    })
    first: number | null,
    @Arg('after', () => ID, {
      nullable: true,
      description: '`elementId` of the last that was seen.',
    })
    after: string | null,
    @Ctx() { actor, services, defaultPage }: GraphqlContext,
  ): Promise<readonly Element[]> {
    return services.runs.logs.children(actor, parentId, loopIndex ?? null, {
      first: first ?? defaultPage,
      after,
    });
  }

  @Query(() => LogElementDetails, {
    description: 'One element of a log, with what was sent and what came back.',
  })
  @Needs(runPolicy.read)
  logElement(
    @Arg('elementId', () => ID, { description: 'Its `elementId`.' }) elementId: string,
    @Ctx() { actor, services }: GraphqlContext,
  ): Promise<LogElementDetails> {
    return services.runs.logs.details(actor, elementId) as unknown as Promise<LogElementDetails>;
  }

  @Query(() => LogTurn, {
    nullable: true,
    description:
      'A turn of a loop: what stands in it, `logElements` has. Null when the loop has no such turn with calls or conditions in it.',
  })
  @Needs(runPolicy.read)
  logTurn(
    @Arg('elementId', () => ID, { description: '`elementId` of the loop.' }) elementId: string,
    @Arg('loopIndex', () => [Int], {
      description:
        'As for `logElements`: the turn, or the turns of all loops around it and its own.',
    })
    loopIndex: number[],
    @Ctx() { actor, services }: GraphqlContext,
  ): Promise<LogTurn | null> {
    return services.runs.logs.turn(actor, elementId, loopIndex);
  }

  @Query(() => [LogElement], {
    description:
      'What stands in the logs of a workflow, the newest run first, those of its tests included as far as you may see them; a page at a time: the next begins after the last of this one.',
  })
  @Needs(runPolicy.read)
  logSearch(
    @Arg('workflowId', () => ID, { description: 'Global id or integer.' }) workflowId: string,
    @Arg('search', () => LogSearchInput, {
      nullable: true,
      description: 'What is looked for. Without it: everything.',
    })
    search: LogSearchInput | null,
    @Arg('first', () => Int, {
      nullable: true,
      description: 'How many at most, 1 to 100. Without it: 20.',
    })
    first: number | null,
    @Arg('after', () => ID, {
      nullable: true,
      description: '`elementId` of the last that was seen.',
    })
    after: string | null,
    @Ctx() { actor, services, defaultPage }: GraphqlContext,
  ): Promise<readonly Element[]> {
    return services.runs.logs.search(actor, databaseId(workflowId, 'Workflow'), search ?? {}, {
      first: first ?? defaultPage,
      after,
    });
  }

  @FieldResolver(() => ID, {
    description: 'Its run and the event it begins with, `4711-3`; that of a run is its integer id.',
  })
  elementId(@Root() { run, sequence }: Element): string {
    return elementIdOf({ runId: run._id, sequence });
  }

  @FieldResolver(() => Run, { description: 'The run it stands in.' })
  run(@Root() { run }: Element): RunRecord {
    return run;
  }
}
