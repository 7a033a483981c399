import { z } from 'zod';
import type { ErrorCode } from '../../../platform/errors/codes';
import { presenter } from '../../../platform/http/presenters';
import type { Presenter, Presenters } from '../../../platform/http/presenters';
import { recordReply } from '../../../platform/http/record-version';
import type { Reply, Route, RouteRequest } from '../../../platform/http/route';
import { routesTagged } from '../../../platform/http/route';
import { AnswerId, IdParams, PathId } from '../../../platform/http/scalars';
import { workflowPolicy } from '../workflow.policy';
import { IN_BODY, IN_STEP } from '../workflow.rest';
import type { ReleasedDocuments } from '../released-documents.service';
import type { EditingService, PatchedWorkflow } from './editing.service';
import { MAX_OPERATIONS } from './json-patch';
import type { PatchTarget } from './workflow-patch';

const route = routesTagged('Workflows');

interface PatchPresenters {
  readonly patched: Presenter<[PatchedWorkflow]>;
}

declare module '../../../platform/http/presenters' {
  interface Presenters {
    readonly patches: PatchPresenters;
  }
}

/** Not parsed here: the service parses it and reports the errors of each operation. */
const JsonPatch = z
  .unknown()
  .refine(Array.isArray, 'Expected a list of operations.')
  .meta({
    id: 'JsonPatch',
    override: {
      type: 'array',
      maxItems: MAX_OPERATIONS,
      items: {
        type: 'object',
        required: ['op', 'path'],
        properties: {
          op: { type: 'string', enum: ['add', 'remove', 'replace', 'move', 'copy', 'test'] },
          path: {
            type: 'string',
            description: 'A JSON pointer; `-` is the position after the last entry of a list.',
          },
          from: { type: 'string', description: 'A JSON pointer, for `move` and `copy`.' },
          value: { description: 'Any value, for `add`, `replace` and `test`.' },
        },
      },
    },
  });

const PatchAnswer = z
  .object({
    connectionId: AnswerId,
    nodeId: z.string().meta({ description: 'Id of the current version snapshot.' }),
    id: z.string().optional().meta({
      description: 'Id of the first method, operator or field binding that the patch added.',
    }),
  })
  .meta({ id: 'PatchedConnection' });

/** The shape of the released line, with the fields that every save returns. */
export const documentedPatches: PatchPresenters = {
  patched: presenter(PatchAnswer, ({ record, addedId }: PatchedWorkflow) => ({
    connectionId: record._id,
    nodeId: record.snapshotId,
    ...(addedId !== null && { id: addedId }),
  })),
};

interface PatchRoute {
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

const MethodParams = z.object({ id: PathId, methodId: z.string() });
const OperatorParams = z.object({ id: PathId, operatorId: z.string() });
const BindingParams = z.object({ id: PathId, fieldBindingId: z.string() });

const PATCH_ROUTES: readonly PatchRoute[] = [
  {
    path: '',
    summary: 'Changes parts of a workflow',
    params: z.object({ id: PathId }),
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
    summary:
      'Changes the steps of a workflow; pointers start at fromConnector, and the connector id is ignored',
    params: z.object({ id: PathId, connectorId: PathId }),
    errors: ['OPERATOR_EXPRESSION_IS_EMPTY'],
    statuses: IN_STEP,
    target: () => ({ kind: 'connector' }),
    example: [{ op: 'move', from: '/methods/0', path: '/methods/-' }],
  },
  {
    path: '/method/:methodId',
    summary: 'Changes a method of a workflow',
    params: MethodParams,
    errors: ['METHOD_NOT_FOUND'],
    statuses: IN_STEP,
    target: (params) => ({
      kind: 'method',
      id: (params as z.output<typeof MethodParams>).methodId,
    }),
    example: [{ op: 'replace', path: '/label', value: 'Read the ticket' }],
  },
  {
    path: '/operator/:operatorId',
    summary: 'Changes an operator of a workflow',
    params: OperatorParams,
    errors: ['OPERATOR_NOT_FOUND', 'OPERATOR_EXPRESSION_IS_EMPTY'],
    target: (params) => ({
      kind: 'operator',
      id: (params as z.output<typeof OperatorParams>).operatorId,
    }),
    example: [{ op: 'replace', path: '/expression', value: '1 = 1' }],
  },
  {
    path: '/fieldBinding/:fieldBindingId',
    summary: 'Changes a field binding of a workflow',
    params: BindingParams,
    errors: ['ENHANCEMENT_NOT_FOUND'],
    target: (params) => ({
      kind: 'fieldBinding',
      id: (params as z.output<typeof BindingParams>).fieldBindingId,
    }),
    example: [{ op: 'replace', path: '/from/0/field', value: 'success.id' }],
  },
];

export function patchRoutes(
  { workflowEditing }: { workflowEditing: EditingService },
  { patches: shown }: Presenters,
): Route[] {
  return PATCH_ROUTES.map(({ path, target, example, errors = [], ...described }) =>
    route(`PATCH /connection/:id${path}`, {
      ...described,
      needs: workflowPolicy.update,
      description:
        'A JSON patch (RFC 6902), applied completely or not at all. Pointers are relative to the object in the URL, in the shape in which it is read. ' +
        'A patch within five minutes of the last patch of the same user is saved into the same version.',
      consumes: 'application/json-patch+json',
      body: JsonPatch,
      example: { body: example },
      bodyLimit: 'workflow',
      invalidAs: 'PATCH_INVALID',
      answer: shown.patched.answer,
      errors: [
        'CONNECTION_NOT_FOUND',
        'PATH_IS_INVALID',
        'PATCH_TEST_FAILED',
        'WORKFLOW_INVALID',
        ...errors,
      ],
      record: 'changed',
      handle: async ({ actor, params, body, expectedVersion }) => {
        const patched = await workflowEditing.patch(
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

export function undoRoutes(
  {
    workflowEditing,
    releasedDocuments,
  }: { workflowEditing: EditingService; releasedDocuments: ReleasedDocuments },
  { workflows: shown }: Presenters,
): Route[] {
  const common = {
    needs: workflowPolicy.update,
    params: IdParams,
    description:
      'Undoes the last save of a workflow that was not undone yet. If there is none, the workflow is returned as it is. An undo is a save; GraphQL can redo it.',
    answer: shown.one.answer,
    errors: ['CONNECTION_NOT_FOUND', 'TITLE_HAS_ALREADY_TAKEN'],
    handle: async ({
      actor,
      params,
      expectedVersion,
      audience,
    }: RouteRequest<{ id: number }, unknown, unknown>): Promise<Reply> => {
      const workflow = await workflowEditing.revert(
        actor,
        { id: params.id, expectedVersion },
        'undo',
      );
      return recordReply(await shown.one(workflow, audience, releasedDocuments), workflow.record);
    },
  } as const;
  return [
    route('POST /connection/:id/undo', {
      ...common,
      summary: 'Undoes the last save of a workflow',
      record: 'changed',
    }),
    route('GET /connection/:id/undo', {
      ...common,
      summary: 'Undoes the last save of a workflow; for clients of the released line',
      record: 'shown',
      changesOnGet: true,
    }),
  ];
}
