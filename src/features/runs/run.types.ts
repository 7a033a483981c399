import { Field, Float, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { AggregatedValue, RunError as RunErrorRecord } from '../../engine';
import { ConnectionOf, orderInput } from '../../platform/graphql/connection';
import {
  ALL_OF,
  ANY_OF,
  BooleanFilter,
  DateTimeFilter,
  enumFilter,
  IdFilter,
  NONE_OF,
} from '../../platform/graphql/filters';
import { enumOf } from '../../platform/graphql/enums';
import { Node } from '../../platform/graphql/node';
import { ListPayload, MutationPayload } from '../../platform/graphql/payload';
import { DateTime } from '../../platform/graphql/scalars';
import { viewerCanType } from '../../platform/graphql/viewer-can';
import { WorkflowInput } from '../workflows/workflow-input.types';
import { Author } from '../workflows/workflow.types';
import { ABOUT_RUN_ERROR_CODES, RUN_ERROR_CODES } from './run-error-codes';
import { WAIT_REASONS } from './run-wait';
import type { RunWait as RunWaitFacts, WaitReason } from './run-wait';
import { RUN_TRIGGERS } from './run-triggers';
import type { RunTriggerName } from './run-triggers';
import type { RunStateName } from './run.events';
import { runPolicy } from './run.policy';

export const RunState = {
  QUEUED: 'QUEUED',
  RUNNING: 'RUNNING',
  SUCCEEDED: 'SUCCEEDED',
  FAILED: 'FAILED',
  CANCELLED: 'CANCELLED',
  INTERRUPTED: 'INTERRUPTED',
} as const satisfies { [S in RunStateName]: S };
registerEnumType(RunState, {
  name: 'RunState',
  description: 'Where a run is.',
  valuesConfig: {
    QUEUED: { description: 'Waits for its turn.' },
    RUNNING: { description: 'Goes on now.' },
    SUCCEEDED: { description: 'Ended well.' },
    FAILED: { description: 'Ended with an error.' },
    CANCELLED: { description: 'Somebody ended it.' },
    INTERRUPTED: {
      description:
        'Its service process stopped, or was lost, after the run had sent something; of a test, at any time.',
    },
  },
});

export const RunWaitReason = enumOf(
  WAIT_REASONS,
  'RunWaitReason',
  'Why a run is queued. Later versions add values.',
);

@ObjectType({ description: 'Why a run is queued.' })
export class RunWait implements RunWaitFacts {
  @Field(() => RunWaitReason, { description: 'For programs.' })
  readonly reason!: WaitReason;

  @Field(() => String, {
    description: 'For people; also what went wrong with processes that did not start.',
  })
  readonly message!: string;
}

export const RunTrigger = enumOf(RUN_TRIGGERS, 'RunTrigger', 'What starts runs.');

export const RunErrorCode = enumOf(RUN_ERROR_CODES, 'RunErrorCode', ABOUT_RUN_ERROR_CODES);

@ObjectType({ description: 'What ended a run.' })
export class RunError implements RunErrorRecord {
  @Field(() => ID, {
    name: 'stepId',
    nullable: true,
    description:
      'Id of the step it happened in, within its workflow; null when the run failed as a whole.',
  })
  readonly step!: string | null;

  @Field(() => String, { nullable: true, description: 'Index of that step.' })
  readonly index!: string | null;

  @Field(() => [Int], {
    nullable: true,
    description:
      'Turns, from 0, of the loops around that step, the outermost first; null when the run failed as a whole or before its first step, and for runs of earlier versions.',
  })
  readonly loopIndex?: readonly number[];

  @Field(() => Int, { description: '1 for the first try.' })
  readonly attempt!: number;

  @Field(() => RunErrorCode, { description: 'What went wrong, for programs.' })
  readonly code!: string;

  @Field(() => String, {
    description:
      'For people. Of a call that failed it has method, URL without the query string, and status; secrets are hidden.',
  })
  readonly message!: string;
}

@ObjectType({ description: 'What an aggregator left of the calls of one method.' })
export class RunValue implements AggregatedValue {
  @Field(() => Int, { description: 'Integer id of the aggregator.' })
  readonly aggregatorId!: number;

  @Field(() => Int, {
    description: 'Number of the argument among those of all aggregators: texts name it by it.',
  })
  readonly argumentId!: number;

  @Field(() => String, { description: 'The argument, as it was called then.' })
  readonly name!: string;

  @Field(() => ID, { nullable: true, description: 'Id of the method, within its workflow.' })
  readonly stepId!: string | null;

  @Field(() => String, { description: 'Index of the method.' })
  readonly index!: string;

  readonly value!: string;
}

export const RunViewerCan = viewerCanType('RunViewerCan', runPolicy);

@ObjectType({ implements: Node, description: 'One execution of a workflow.' })
export class Run {
  readonly _id!: number;
  readonly workflowId!: number;

  @Field(() => RunState, { description: 'Where it is.' })
  readonly state!: RunStateName;

  @Field(() => String, { description: 'Title of the workflow when the run was queued.' })
  readonly workflowTitle!: string;

  @Field(() => Boolean, {
    description: 'A test run: not counted, and its events carry requests and responses.',
  })
  readonly test!: boolean;

  @Field(() => Boolean, { description: 'Do its events carry requests and responses?' })
  readonly logging!: boolean;

  @Field(() => DateTime, { description: 'When it was asked for.' })
  readonly queuedAt!: Date;

  @Field(() => DateTime, {
    nullable: true,
    description:
      'The time at which its schedule was due; null where that did not start it by itself.',
  })
  readonly dueAt?: Date;

  @Field(() => DateTime, { nullable: true, description: 'When it began.' })
  readonly startedAt!: Date | null;

  @Field(() => DateTime, { nullable: true, description: 'When it ended.' })
  readonly finishedAt!: Date | null;

  @Field(() => Float, {
    nullable: true,
    description:
      'How long it took, ms, as `RunFinished` says it; known at the end, 0 when it never began.',
  })
  readonly durationMs!: number | null;

  @Field(() => RunTrigger, { description: 'What started it.' })
  readonly trigger!: RunTriggerName;

  @Field(() => Author, {
    nullable: true,
    description: 'Who asked for it; null when nobody did: a schedule, or a webhook.',
  })
  readonly startedBy!: Author | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Methods that were executed, each turn of a loop counted; known at the end.',
  })
  readonly steps!: number | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Sequence of its last event; known at the end.',
  })
  readonly lastSequence!: number | null;

  @Field(() => RunError, {
    nullable: true,
    description: 'What ended it, when it did not end well.',
  })
  readonly error!: RunError | null;
}

export const RunConnection = ConnectionOf(Run, 'RunConnection');

@ObjectType({ description: 'The run that a mutation is about.' })
export class RunPayload extends MutationPayload {
  @Field(() => Run, { nullable: true, description: 'Null when nothing was done.' })
  readonly run!: Run | null;
}

@ObjectType({ description: 'Runs that were cancelled.' })
export class RunsPayload extends ListPayload {
  @Field(() => [Run], {
    nullable: true,
    description:
      'The runs as they are then: one whose step takes its time to let go is still RUNNING. Null when nothing was changed.',
  })
  readonly runs!: Run[] | null;
}

@InputType({ description: 'Runs to cancel.' })
export class RunIdsInput {
  @Field(() => [ID], { description: 'Global ids or integers, 1,000 at most.' })
  readonly ids!: string[];
}

@InputType({ description: 'A workflow to run.' })
export class WorkflowRunInput {
  @Field(() => ID, { description: 'Its id, global or integer.' })
  readonly workflowId!: string;

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Record requests and responses, secrets masked, in its events.',
  })
  readonly logging!: boolean;
}

@InputType({
  description:
    'What to test: exactly one of `workflowId` and `workflow`. Neither or both are refused.',
})
export class TestRunStartInput {
  @Field(() => ID, {
    nullable: true,
    description:
      'A saved workflow, by its id, global or integer. Left out, or null, where `workflow` is given.',
  })
  readonly workflowId?: string | null;

  @Field(() => WorkflowInput, {
    nullable: true,
    description:
      'A workflow as it stands in an editor; it is not saved. Left out, or null, where `workflowId` is given.',
  })
  readonly workflow?: WorkflowInput | null;

  @Field(() => ID, {
    nullable: true,
    description:
      'The saved workflow, by its id, that `workflow` is a draft of: the test counts for it, and its masking rules hide what they select. Left out, or null: for none.',
  })
  readonly draftOf?: string | null;
}

@InputType({ description: 'A run to cancel.' })
export class RunCancelInput {
  @Field(() => ID, { description: 'Its id, global or integer.' })
  readonly id!: string;
}

export const RunOrderField = {
  DATABASE_ID: 'DATABASE_ID',
  QUEUED_AT: 'QUEUED_AT',
  STARTED_AT: 'STARTED_AT',
  FINISHED_AT: 'FINISHED_AT',
  DURATION: 'DURATION',
  STATE: 'STATE',
} as const;
registerEnumType(RunOrderField, {
  name: 'RunOrderField',
  description: 'What runs can be ordered by.',
  valuesConfig: {
    DATABASE_ID: { description: 'The integer id.' },
    QUEUED_AT: { description: 'When they were asked for.' },
    STARTED_AT: { description: 'When they began.' },
    FINISHED_AT: { description: 'When they ended.' },
    DURATION: { description: 'How long they took. Those that have not ended are the least.' },
    STATE: { description: 'Where they are, by its name.' },
  },
});

export const RunOrder = orderInput(RunOrderField, 'RunOrder');
export const RunStateFilter = enumFilter(RunState, 'RunState');
export const RunTriggerFilter = enumFilter(RunTrigger, 'RunTrigger');
export const RunErrorCodeFilter = enumFilter(RunErrorCode, 'RunErrorCode');

@InputType({ description: 'Which runs; all that are given must hold.' })
export class RunFilter {
  @Field(() => IdFilter, { nullable: true, description: 'These runs.' })
  readonly id?: IdFilter;

  @Field(() => RunStateFilter, { nullable: true, description: 'Where they are.' })
  readonly state?: InstanceType<typeof RunStateFilter>;

  @Field(() => IdFilter, { nullable: true, description: 'Of these workflows.' })
  readonly workflow?: IdFilter;

  @Field(() => IdFilter, {
    nullable: true,
    description: 'Started by these schedules, whoever started those.',
  })
  readonly schedule?: IdFilter;

  @Field(() => IdFilter, { nullable: true, description: 'Asked for by these users.' })
  readonly startedBy?: IdFilter;

  @Field(() => RunTriggerFilter, {
    nullable: true,
    description: 'What started them; tests need `includeTest`.',
  })
  readonly trigger?: InstanceType<typeof RunTriggerFilter>;

  @Field(() => RunErrorCodeFilter, {
    nullable: true,
    description: 'Code of the error that ended them.',
  })
  readonly errorCode?: InstanceType<typeof RunErrorCodeFilter>;

  @Field(() => BooleanFilter, { nullable: true, description: 'Test runs; needs `includeTest`.' })
  readonly test?: BooleanFilter;

  @Field(() => DateTimeFilter, { nullable: true, description: 'When they were asked for.' })
  readonly queuedAt?: DateTimeFilter;

  @Field(() => DateTimeFilter, { nullable: true, description: 'When they began.' })
  readonly startedAt?: DateTimeFilter;

  @Field(() => DateTimeFilter, { nullable: true, description: 'When they ended.' })
  readonly finishedAt?: DateTimeFilter;

  @Field(() => [RunFilter], { nullable: true, description: ALL_OF })
  readonly and?: RunFilter[];

  @Field(() => [RunFilter], { nullable: true, description: ANY_OF })
  readonly or?: RunFilter[];

  @Field(() => RunFilter, { nullable: true, description: NONE_OF })
  readonly not?: object;
}
