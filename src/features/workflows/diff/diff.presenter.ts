import { z } from 'zod';
import { presenter } from '../../../platform/http/presenters';
import type { Presenter } from '../../../platform/http/presenters';
import { AnswerId, keysOf } from '../../../platform/http/scalars';
import type { FieldDifference } from './field-difference';
import { DIFFERENCE_KINDS } from './field-difference';
import type { PartDifference } from './part-differences';
import type { WorkflowDiff } from './workflow-diff';

export interface WorkflowDiffPresenters {
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
  .meta({ override: { description: 'Null where there is nothing; a secret is `***`.' } });
const Whole = z
  .unknown()
  .meta({ override: { type: ['object', 'null'], additionalProperties: true } });

const Field = z
  .object({
    path: z.string().meta({ description: 'JSON Pointer below the step, binding or document.' }),
    kind: Kind,
    before: Value,
    after: Value,
    masked: z.boolean().meta({ description: 'Something of it is not shown: a secret.' }),
  })
  .meta({ id: 'ConnectionFieldDifference' });

const Part = z
  .object({
    id: text,
    kinds: z.array(Kind),
    indexBefore: text,
    index: text,
    name: text,
    before: Whole,
    after: Whole,
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
    fields: z.array(Field).meta({ description: 'What stands beside steps and bindings.' }),
    complete: z.boolean().meta({ description: 'False: there are more differences than are told.' }),
  })
  .meta({ id: 'ConnectionDiff' });

const presentField = ({
  path,
  kind,
  before,
  after,
  masked,
}: FieldDifference): z.output<typeof Field> => ({ path, kind, before, after, masked });

const presentPart = ({
  partId,
  kinds,
  indexBefore,
  index,
  name,
  before,
  after,
  fields,
}: PartDifference): z.output<typeof Part> => ({
  id: partId,
  kinds: [...kinds],
  indexBefore,
  index,
  name,
  before,
  after,
  fields: fields.map(presentField),
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
  fields: fields.map(presentField),
  complete,
});

export const documentedDiffs: WorkflowDiffPresenters = { one: presenter(DiffAnswer, presentDiff) };
