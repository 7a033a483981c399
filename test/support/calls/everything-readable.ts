import {
  buildSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isLeafType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import type { GraphQLField, GraphQLNamedType, GraphQLObjectType, GraphQLSchema } from 'graphql';
import { describeApis } from '../../../src/app';
import type { TestService } from '../service/harness';

/** Limits that let one query read everything. */
export const WIDE_OPEN = {
  HYPHA_LIMITS_TOKENS: '1000000',
  HYPHA_LIMITS_DOCUMENT_BYTES: '4000000',
  HYPHA_LIMITS_COST: '100000000',
  HYPHA_LIMITS_ALIASES: '10000',
  HYPHA_LIMITS_DEPTH: '40',
  HYPHA_LIMITS_NESTING: '80',
  HYPHA_LIMITS_VALUES: '1000000',
};

/** A response and its source. */
export interface Shown {
  readonly from: string;
  readonly text: string;
}

/** Depth of the objects below a root field. */
const DEPTH = 4;

function fieldText(
  field: GraphQLField<unknown, unknown>,
  alias: string,
  schema: GraphQLSchema,
  depth: number,
): string {
  if (field.args.some(isRequiredArgument)) return '';
  const type = getNamedType(field.type);
  const page = field.args.some(({ name }) => name === 'first') ? '(first: 20)' : '';
  if (isLeafType(type)) return `${alias}${field.name}${page}`;
  const inner = depth > 0 ? selection(type, schema, depth - 1) : '';
  return inner === '' ? '' : `${alias}${field.name}${page} { ${inner} }`;
}

/** All fields of a type that need no argument, with aliases for fields of union members. */
function selection(type: GraphQLNamedType, schema: GraphQLSchema, depth: number): string {
  if (isAbstractType(type)) {
    return `__typename ${schema
      .getPossibleTypes(type)
      .map(
        (member) =>
          `... on ${member.name} { ${fieldsOf(member, schema, depth, `${member.name}_`)} }`,
      )
      .join(' ')}`;
  }
  return isObjectType(type) ? fieldsOf(type, schema, depth, '') : '';
}

const fieldsOf = (
  type: GraphQLObjectType,
  schema: GraphQLSchema,
  depth: number,
  prefix: string,
): string =>
  [
    '__typename',
    ...Object.values(type.getFields()).map((field) =>
      fieldText(field, prefix && `${prefix}${field.name}: `, schema, depth),
    ),
  ]
    .filter(Boolean)
    .join(' ');

/** One query for each root field that needs no argument or one id. */
async function queries(
  parameters: Parameters,
): Promise<{ name: string; query: string; variables?: object }[]> {
  const schema = buildSchema((await describeApis()).sdl);
  return Object.values(schema.getQueryType()?.getFields() ?? {}).flatMap((field) => {
    const needed = field.args.filter(isRequiredArgument);
    if (needed.some(({ name }) => name !== 'id') || field.name === 'node') return [];
    const type = getNamedType(field.type);
    const below = isCompositeType(type) ? ` { ${selection(type, schema, DEPTH)} }` : '';
    const first = field.args.some(({ name }) => name === 'first') ? ['first: 100'] : [];
    const tests = field.args.some(({ name }) => name === 'includeTest')
      ? ['includeTest: true']
      : [];
    const args = (more: readonly string[]): string =>
      more.length > 0 ? `(${more.join(', ')})` : '';
    if (needed.length === 0)
      return [
        { name: field.name, query: `{ ${field.name}${args([...first, ...tests])}${below} }` },
      ];
    // The same text for all ids is parsed and validated only once.
    const query = `query($id: ID!) { ${field.name}(id: $id)${below} }`;
    const ids = parameters[`query ${field.name}`] ?? parameters.id ?? [];
    return ids.map((id) => ({ name: `${field.name} ${id}`, query, variables: { id } }));
  });
}

/** Values by parameter name, by `path name` for exceptions and by `query field` for the id of a query. Default: `id`. */
export type Parameters = Readonly<Record<string, readonly (string | number)[]>>;

const SHOWS_NOTHING = /\/logout$|\/undo$/;

/** Every GET address, with each of the ids. */
function addresses(
  paths: Record<string, Record<string, unknown>>,
  parameters: Parameters,
): string[] {
  return Object.entries(paths)
    .filter(([path, item]) => 'get' in item && !SHOWS_NOTHING.test(path))
    .flatMap(([path]) => {
      let all = [path];
      for (const [whole, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
        const values = parameters[`${path} ${name}`] ?? parameters[name] ?? parameters.id ?? [];
        all = all.flatMap((one) =>
          values.map((value) => one.replace(whole, encodeURIComponent(value))),
        );
      }
      return all;
    });
}

/** Everything a user can read: every REST address and every query with all its fields. */
export async function everythingReadable(
  service: TestService,
  token: string,
  parameters: Parameters,
): Promise<Shown[]> {
  const { paths } = (await service.api('GET', '/openapi.json')).body;
  const shown: Shown[] = [];
  for (const path of addresses(paths as Record<string, Record<string, unknown>>, parameters)) {
    const answer = await service.api('GET', path, { token });
    shown.push({ from: `GET ${path} ${answer.status}`, text: answer.text });
  }
  for (const { name, ...body } of await queries(parameters)) {
    const answer = await service.api('POST', '/graphql', { body, token });
    shown.push({ from: `query ${name} ${answer.status}`, text: answer.text });
  }
  return shown;
}
