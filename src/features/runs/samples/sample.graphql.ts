import { Arg, Ctx, FieldResolver, Mutation, Resolver, Root } from 'type-graphql';
import { readSampleBody, toJson } from '../../../engine';
import type { RequestSegment } from '../../../engine';
import type { GraphqlContext } from '../../../platform/context';
import { Needs, ServedOnFullDisk } from '../../../platform/graphql/schema/needs';
import { payload } from '../../../platform/graphql/schema/payload';
import { currentDocumentOf } from '../../workflows/workflow.loader';
import type { WorkflowRecord } from '../../workflows/workflow.model';
import { workflowPolicy } from '../../workflows/workflow.policy';
import { Workflow, WorkflowPayload } from '../../workflows/workflow.types';
import { runLoader } from '../run.loader';
import type { RunRecord } from '../run.model';
import { RunType } from '../run.types';
import type { StepSample as StepSampleRecord } from './sample.service';
import {
  SampleAnswer,
  SampleRemoveInput,
  SampleRequest,
  SampleSetInput,
  StepSample,
} from './sample.types';

@Resolver(() => Workflow)
export class SamplesOfWorkflowResolver {
  @FieldResolver(() => [StepSample], {
    description:
      'The samples of its methods that have one, in the order of the steps; then those of steps that only a tested draft has.',
  })
  async samples(
    @Root() workflow: WorkflowRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<StepSampleRecord[]> {
    const document = await currentDocumentOf(workflow, context);
    return context.services.samples.list(context.actor, workflow._id, document);
  }

  @Mutation(() => WorkflowPayload, {
    description:
      'Stores the sample of a step, typed or pinned, in place of the last exchange in a log. It is masked like a log, users who may read the workflow see it, and it is deleted with the workflow.',
  })
  @Needs(workflowPolicy.update)
  sampleSet(
    @Arg('input') { workflowId, stepId, answer, status }: SampleSetInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload(
      'workflow',
      (ids) =>
        services.samples.set(actor, ids.read('Workflow', workflowId, ['workflowId']), {
          stepId,
          answer: answer ?? undefined,
          status,
        }),
      [[['id'], ['workflowId']]],
    );
  }

  @Mutation(() => WorkflowPayload, {
    description: 'Removes the stored sample of a step: the last exchange in a log is used again.',
  })
  @ServedOnFullDisk()
  @Needs(workflowPolicy.update)
  sampleRemove(
    @Arg('input') { workflowId, stepId }: SampleRemoveInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('workflow', (ids) =>
      services.samples.remove(actor, ids.read('Workflow', workflowId, ['workflowId']), stepId),
    );
  }
}

@Resolver(() => StepSample)
export class SampleResolver {
  @FieldResolver(() => RunType, {
    nullable: true,
    description: 'The run of a sample from a log.',
  })
  run(
    @Root() { runId }: StepSampleRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<RunRecord | null> | null {
    return runId === null ? null : runLoader(context).load(runId);
  }

  @FieldResolver(() => SampleRequest, {
    nullable: true,
    description: 'The request; null for a typed sample, or if none was sent.',
  })
  request(@Root() { request }: StepSampleRecord): SampleRequest | null {
    return (
      request && {
        method: request.method as SampleRequest['method'],
        ...shown(request),
        url: request.url,
      }
    );
  }

  @FieldResolver(() => SampleAnswer, {
    nullable: true,
    description: 'The answer, if there was one.',
  })
  answer(@Root() { response }: StepSampleRecord): SampleAnswer | null {
    return response && { status: response.status, ...shown(response) };
  }
}

function shown(segment: Pick<RequestSegment, 'header' | 'payload'>) {
  const { value, isCut: truncated } = readSampleBody(segment);
  const { header } = segment;
  return typeof value === 'string'
    ? { header, body: null, bodyText: value, truncated }
    : { header, body: JSON.parse(toJson(value)) as unknown, bodyText: null, truncated };
}
