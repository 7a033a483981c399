import { z } from 'zod';
import { presenter } from '../../../platform/http/presenters';
import type { Presenter, Presenters } from '../../../platform/http/presenters';
import type { Route } from '../../../platform/http/route';
import { routesTagged } from '../../../platform/http/route';
import { AnswerId, IdParams, keysOf } from '../../../platform/http/scalars';
import type { VersionService, WorkflowDiff } from '../versions/version.service';
import { workflowPolicy } from '../workflow.policy';
import type { PartDifference } from './differences';
import { DIFFERENCE_KINDS } from './differences';

const route = routesTagged('Workflow versions');

interface WorkflowDiffPresenters {
  readonly one: Presenter<[WorkflowDiff]>;
}

declare module '../../../platform/http/presenters' {
  interface Presenters {
    readonly workflowDiffs: WorkflowDiffPresenters;
  }
}

const Kind = z.enum(keysOf(DIFFERENCE_KINDS));
const text = z.string().nullable();
const Value = z
  .unknown()
  .meta({ override: { description: 'Null if there is no value. Secrets are `***`.' } });
const Differences = z
  .unknown()
  .meta({ override: { type: ['object', 'null'], additionalProperties: true } });

const Field = z
  .object({
    path: z.string().meta({ description: 'JSON Pointer below the step, binding or document.' }),
    kind: Kind,
    before: Value,
    after: Value,
    masked: z.boolean().meta({ description: 'True if part of the value is a masked secret.' }),
  })
  .meta({ id: 'ConnectionFieldDifference' });

const Part = z
  .object({
    id: text,
    kinds: z.array(Kind),
    indexBefore: text,
    index: text,
    name: text,
    before: Differences,
    after: Differences,
    fields: z.array(Field),
  })
  .meta({ id: 'ConnectionPartDifference' });

const DiffAnswer = z
  .object({
    connectionId: AnswerId,
    from: z.string(),
    to: z.string(),
    equal: z.boolean(),
    methods: z.array(Part),
    operators: z.array(Part),
    fieldBinding: z.array(Part),
    fields: z.array(Field).meta({ description: 'Differences outside of steps and bindings.' }),
    complete: z
      .boolean()
      .meta({ description: 'False if there are more differences than reported.' }),
  })
  .meta({ id: 'ConnectionDiff' });

const presentPart = ({
  partId,
  kinds,
  fields,
  ...part
}: PartDifference): z.output<typeof Part> => ({
  id: partId,
  kinds: [...kinds],
  ...part,
  fields: [...fields],
});

const presentDiff = ({
  from,
  to,
  methods,
  operators,
  bindings,
  fields,
  complete,
}: WorkflowDiff): z.output<typeof DiffAnswer> => ({
  connectionId: to.workflowId,
  from: from._id,
  to: to._id,
  equal: [methods, operators, bindings, fields].every((list) => list.length === 0),
  methods: methods.map(presentPart),
  operators: operators.map(presentPart),
  fieldBinding: bindings.map(presentPart),
  fields: [...fields],
  complete,
});

export const documentedDiffs: WorkflowDiffPresenters = { one: presenter(DiffAnswer, presentDiff) };

export function diffRoutes(
  { workflowVersions }: { workflowVersions: VersionService },
  { workflowDiffs: shown }: Presenters,
): Route[] {
  return [
    route('GET /connection/:id/diff', {
      needs: workflowPolicy.read,
      summary: 'Compares two versions of a workflow',
      params: IdParams,
      query: z.object({
        from: z.string().meta({ description: 'The earlier version: its `snapshotId`.' }),
        to: z
          .string()
          .optional()
          .meta({ description: 'The later version. Default: the current one.' }),
      }),
      answer: shown.one.answer,
      errors: ['CONNECTION_NOT_FOUND', 'VERSION_NOT_FOUND'],
      handle: async ({ params, query }) =>
        shown.one(await workflowVersions.diff(params.id, query.from, query.to ?? null)),
    }),
  ];
}
