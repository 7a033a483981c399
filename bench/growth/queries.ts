import { readFileSync } from 'node:fs';
import {
  buildSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import type { GraphQLField, GraphQLInputField, GraphQLInputObjectType } from 'graphql';
import {
  aggregatorOf,
  categoryOf,
  connectorOf,
  idOf,
  invokerOf,
  momentOf,
  nextFireOf,
  secretOf,
} from './records';

/** One question at one list. */
export interface GrowthQuery {
  readonly name: string;
  readonly document: string;
}

/** What the record with a number has in the field of a filter; enums and booleans speak for themselves. */
const SAMPLES: Readonly<
  Record<string, Readonly<Record<string, (number: number) => string | number | Date>>>
> = {
  users: {
    id: idOf,
    email: (n) => `user${n}@growth.test`,
    name: (n) => `Name ${n}`,
    surname: (n) => `Surname ${n % 5_000}`,
    department: (n) => `Department ${n % 50}`,
    organisation: (n) => `Organisation ${n % 50}`,
    groupId: () => 1,
    createdAt: momentOf,
    disabledAt: momentOf,
  },
  userGroups: { id: () => 1, name: () => 'Admin', description: () => 'Admin role' },
  permissions: { id: () => 1, name: () => 'READ' },
  workflows: {
    id: idOf,
    title: (n) => `Workflow ${n}`,
    createdAt: momentOf,
    updatedAt: momentOf,
    description: () => 'none',
    createdBy: (n) => idOf(n % 1_000),
    updatedBy: (n) => idOf(n % 1_000),
    version: () => 1,
    category: categoryOf,
    connector: connectorOf,
    invoker: invokerOf,
    secret: secretOf,
    aggregator: aggregatorOf,
  },
  aggregators: { id: aggregatorOf, name: (n) => `Aggregator ${n}` },
  categories: { id: idOf, name: (n) => `Category ${n}`, parentId: categoryOf },
  connectors: {
    id: connectorOf,
    title: (n) => `Connector ${n}`,
    invokerName: invokerOf,
    createdAt: momentOf,
    updatedAt: momentOf,
  },
  invokers: { id: () => 1, name: () => 'Echo' },
  jobs: { id: idOf, createdAt: momentOf },
  schedules: {
    id: idOf,
    title: (n) => `Schedule ${n}`,
    workflow: (n) => idOf(n % 100),
    nextFire: nextFireOf,
  },
  messageTemplates: { id: () => 1, name: (n) => `Message ${n}` },
  secrets: { id: () => 1, name: (n) => `secret${n}` },
  supportLogs: { id: idOf, workflow: (n) => idOf(n % 100), createdAt: momentOf },
  templates: {
    id: idOf,
    name: (n) => `Template ${n}`,
    templateId: () => '00000000-0000-4000-8000-000000000000',
    createdAt: momentOf,
    updatedAt: momentOf,
  },
  runs: {
    id: idOf,
    workflow: (n) => idOf(n % 100),
    workflowTitle: (n) => `Workflow ${n % 100}`,
    schedule: (n) => idOf(n % 100),
    startedBy: (n) => idOf(n % 1_000),
    queuedAt: momentOf,
    startedAt: momentOf,
    finishedAt: momentOf,
    errorCode: () => 'HTTP_STATUS_ERROR',
  },
  auditEvents: {
    action: () => 'USER_UPDATE',
    actorId: (n) => idOf(n % 1_000),
    actorEmail: (n) => `user${n % 1_000}@growth.test`,
    at: momentOf,
    requestId: (n) => `request-${n}`,
    targetId: (n) => String(idOf(n)),
    targetType: () => 'USER',
  },
};

/** Filter fields that are accepted only together with another field. */
const COMPANION_FILTERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  auditEvents: { targetId: 'targetType: { eq: USER }' },
};

const COMBINATORS = new Set(['and', 'or', 'not']);

/** Every list of the schema with every order and every filter it offers, asked about the record with a number. */
export function listQueries(middle: number): GrowthQuery[] {
  const { Query } = buildSchema(readFileSync('schema/schema.graphql', 'utf8')).getTypeMap();
  if (!Query || !('getFields' in Query)) throw new Error('The schema has no queries.');
  return Object.values(Query.getFields() as Record<string, GraphQLField<unknown, unknown>>)
    .filter((field) => getNamedType(field.type).name.endsWith('Connection'))
    .flatMap((field) => queriesOf(field, middle));
}

function queriesOf(field: GraphQLField<unknown, unknown>, middle: number): GrowthQuery[] {
  const list = field.name;
  const argument = (name: string) => field.args.find((candidate) => candidate.name === name)?.type;
  const page = (extra: string): string =>
    `{ ${list}(${['first: 20', extra].filter(Boolean).join(', ')}) { nodes { __typename } } }`;
  const ask = (name: string, extra: string): GrowthQuery[] => [
    { name: `${list} ${name}`, document: page(extra) },
    { name: `${list} ${name}, backwards`, document: page(extra).replace('first: 20', 'last: 20') },
    {
      name: `${list} ${name}, count`,
      document: `{ ${list}${extra === '' ? '' : `(${extra})`} { totalCount } }`,
    },
  ];
  const orders = argument('orderBy');
  const order = orders && getNamedType(orders);
  const byOrder = isInputObjectType(order)
    ? enumNames(order.getFields().field).flatMap((by) =>
        ['ASC', 'DESC'].flatMap((direction) =>
          ask(`by ${by} ${direction}`, `orderBy: { field: ${by}, direction: ${direction} }`),
        ),
      )
    : [];
  const filters = argument('filter');
  const filter = filters && getNamedType(filters);
  const conditions = isInputObjectType(filter) ? conditionsOf(list, filter, middle) : [];
  const byFilter = conditions.flatMap((condition) => ask(condition, `filter: { ${condition} }`));
  const other = isInputObjectType(order) ? enumNames(order.getFields().field) : [];
  const inOtherOrder =
    other.length === 0
      ? []
      : conditions.flatMap((condition, at) =>
          ask(
            `${condition} by ${other[at % other.length]}`,
            `filter: { ${condition} }, orderBy: { field: ${other[at % other.length]}, direction: DESC }`,
          ),
        );
  const combinations = isInputObjectType(filter)
    ? combined(conditions, filter).flatMap((condition) =>
        ask(condition, `filter: { ${condition} }`),
      )
    : [];
  return [...ask('as it comes', ''), ...byOrder, ...byFilter, ...inOtherOrder, ...combinations];
}

/** Each condition that must not hold, with another one, and instead of another one. */
function combined(conditions: readonly string[], filter: GraphQLInputObjectType): string[] {
  if (!('not' in filter.getFields())) return [];
  const plain = conditions.filter((condition) => !condition.includes('contains:'));
  return plain.flatMap((condition, at) => {
    const other = plain[(at + Math.ceil(plain.length / 3)) % plain.length];
    return [
      `not: { ${condition} }`,
      `and: [{ ${condition} }, { ${other} }]`,
      `or: [{ ${condition} }, { ${other} }]`,
      `and: [{ not: { ${condition} } }, { ${other} }]`,
    ];
  });
}

function conditionsOf(list: string, filter: GraphQLInputObjectType, middle: number): string[] {
  return Object.values(filter.getFields())
    .filter(({ name }) => !COMBINATORS.has(name))
    .flatMap((field) => {
      const operators = getNamedType(field.type);
      if (!isInputObjectType(operators))
        return [`${field.name}: ${literal(valueOf(list, field, middle))}`];
      const companion = COMPANION_FILTERS[list]?.[field.name];
      return Object.values(operators.getFields()).map(
        (operator) =>
          `${companion === undefined ? '' : `${companion}, `}${field.name}: { ${operator.name}: ${operandOf(list, field, operator, middle)} }`,
      );
    });
}

function operandOf(
  list: string,
  field: GraphQLInputField,
  operator: GraphQLInputField,
  middle: number,
): string {
  const type = getNamedType(operator.type);
  if (type.name === 'Boolean') return 'true';
  const sample = isEnumType(type)
    ? SAMPLES[list]?.[field.name]?.(middle)
    : valueOf(list, field, middle);
  const value = isEnumType(type)
    ? String(sample ?? type.getValues()[0].name)
    : literal(
        operator.name === 'contains'
          ? partOf(String(sample))
          : operator.name === 'startsWith'
            ? beginningOf(String(sample))
            : (sample ?? ''),
      );
  const several = isListType(isNonNullType(operator.type) ? operator.type.ofType : operator.type);
  return several ? `[${value}]` : value;
}

function valueOf(list: string, field: GraphQLInputField, middle: number): string | number | Date {
  const sample = SAMPLES[list]?.[field.name];
  if (!sample)
    throw new Error(`bench/growth/queries.ts has no sample for the filter ${list}.${field.name}.`);
  return sample(middle);
}

/** What tells the record from others: its number, else how the text begins. */
const partOf = (text: string): string => /\d+/.exec(text)?.[0] ?? text.slice(0, 4);

/** Many names begin like this. */
const beginningOf = (text: string): string =>
  text.replace(/\d{1,3}(?!\d).*$/, '') || text.slice(0, 1);

const literal = (value: string | number | Date): string => JSON.stringify(value);
const enumNames = (field: GraphQLInputField | undefined): string[] => {
  const type = field && getNamedType(field.type);
  return isEnumType(type) ? type.getValues().map(({ name }) => name) : [];
};
