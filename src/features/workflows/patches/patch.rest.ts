import { z } from 'zod';
import type { ErrorCode } from '../../../platform/errors/codes';
import type { Presenters } from '../../../platform/http/presenters';
import { recordReply } from '../../../platform/http/record-version';
import type { Route } from '../../../platform/http/route';
import { route } from '../../../platform/http/route';
import { PathId } from '../../../platform/http/scalars';
import { workflowPolicy } from '../workflow.policy';
import { IN_BODY, IN_STEP } from '../workflow.rest';
import type { WorkflowService } from '../workflow.service';
import { JsonPatch } from './patch.schema';
import type { PatchTarget } from './patch-target';

const DESCRIPTION =
  'A JSON patch (RFC 6902), applied whole or not at all. Pointers begin at the object that the address names, in the shape in which it is read. ' +
  'A patch within five minutes of the last one of the same person goes into the version that this one left.';

/** Error codes of every patch route. */
const NOT_PATCHED = [
  'CONNECTION_NOT_FOUND',
  'PATH_IS_INVALID',
  'PATCH_TEST_FAILED',
  'WORKFLOW_INVALID',
] as const;

interface Patchable {
  readonly path: string;
  readonly summary: string;
  readonly params: z.ZodType<{ readonly id: number }>;
  /** Error codes in addition to those of every patch route. */
  readonly errors?: readonly ErrorCode[];
  /** Statuses for errors about things that the patched workflow refers to. */
  readonly statuses?: Route['statuses'];
  readonly example: readonly object[];
  readonly target: (params: { readonly id: number }) => PatchTarget;
}

const ofWorkflow = z.object({ id: PathId });
const ofMethod = z.object({ id: PathId, methodId: z.string() });
const ofOperator = z.object({ id: PathId, operatorId: z.string() });
const ofBinding = z.object({ id: PathId, fieldBindingId: z.string() });
const ofConnector = z.object({ id: PathId, connectorId: PathId });

const RENAMED = [{ op: 'replace', path: '/label', value: 'Read the ticket' }];

const PATCHABLE: readonly Patchable[] = [
  {
    path: '',
    summary: 'Changes a workflow in parts',
    params: ofWorkflow,
    errors: ['TITLE_INVALID', 'TITLE_HAS_ALREADY_TAKEN', 'OPERATOR_EXPRESSION_IS_EMPTY'],
    statuses: IN_BODY,
    target: () => ({ kind: 'workflow' }),
    example: [
      { op: 'test', path: '/title', value: 'Tickets' },
      { op: 'add', path: '/description', value: 'Reads tickets.' },
    ],
  },
  {
    path: '/connector/:connectorId',
    summary: 'Changes the steps of a workflow; pointers begin at fromConnector, whatever the id',
    params: ofConnector,
    errors: ['OPERATOR_EXPRESSION_IS_EMPTY'],
    statuses: IN_STEP,
    target: () => ({ kind: 'connector' }),
    example: [{ op: 'move', from: '/methods/0', path: '/methods/-' }],
  },
  {
    path: '/method/:methodId',
    summary: 'Changes a method of a workflow',
    params: ofMethod,
    errors: ['METHOD_NOT_FOUND'],
    statuses: IN_STEP,
    example: RENAMED,
    target: (params) => ({ kind: 'method', id: (params as z.output<typeof ofMethod>).methodId }),
  },
  {
    path: '/operator/:operatorId',
    summary: 'Changes an operator of a workflow',
    params: ofOperator,
    errors: ['OPERATOR_NOT_FOUND', 'OPERATOR_EXPRESSION_IS_EMPTY'],
    example: [{ op: 'replace', path: '/expression', value: '1 = 1' }],
    target: (params) => ({
      kind: 'operator',
      id: (params as z.output<typeof ofOperator>).operatorId,
    }),
  },
  {
    path: '/fieldBinding/:fieldBindingId',
    summary: 'Changes a field binding of a workflow',
    params: ofBinding,
    errors: ['ENHANCEMENT_NOT_FOUND'],
    example: [{ op: 'replace', path: '/from/0/field', value: 'success.id' }],
    target: (params) => ({
      kind: 'fieldBinding',
      id: (params as z.output<typeof ofBinding>).fieldBindingId,
    }),
  },
];

export function patchRoutes(
  { workflows }: { workflows: WorkflowService },
  { patches: shown }: Presenters,
): Route[] {
  return PATCHABLE.map(({ path, target, example, errors = [], ...described }) =>
    route({
      ...described,
      method: 'patch',
      path: `/connection/:id${path}`,
      needs: workflowPolicy.update,
      tag: 'Workflows',
      success: 200,
      description: DESCRIPTION,
      consumes: 'application/json-patch+json',
      body: JsonPatch,
      example: { body: example },
      bodyLimit: 'workflow',
      invalidAs: 'PATCH_INVALID',
      answer: shown.patched.answer,
      errors: [...NOT_PATCHED, ...errors],
      record: 'changed',
      handle: async ({ actor, params, body, expectedVersion }) => {
        const patched = await workflows.patch(
          actor,
          params.id,
          target(params),
          body,
          expectedVersion,
        );
        return recordReply(shown.patched(patched), patched.record);
      },
    }),
  );
}
