import {
  getNamedType,
  getNullableType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
} from 'graphql';
import type {
  DocumentNode,
  FieldNode,
  GraphQLField,
  GraphQLNamedType,
  GraphQLSchema,
  OperationDefinitionNode,
  SelectionSetNode,
  ValueNode,
} from 'graphql';
import { DEFAULT_PAGE } from '../store/keyset';
import { fragmentsOf } from './document-limits';
import { JSONValue } from './scalars';
import type { Variables } from './variables';

/** Arguments that set how many entries are returned. */
const LIST_ARGUMENTS = ['first', 'last', 'limit', 'top', 'days', 'ids'] as const;
const PAGE_ARGUMENTS: ReadonlySet<string> = new Set(['first', 'last']);

/** A free-form value may be of any size. */
const FREE_FORM_COST = 10;

/** The maximum cost of an operation, and its invalid page sizes. */
interface OperationCost {
  /**
   * One per field, times the maximum size of the lists above it; a field's `complexity` if it
   * declares one; ten for a free-form value.
   */
  readonly cost: number;
  /** Fields with a page size outside 1..`maxPage`. */
  readonly badPages: readonly FieldNode[];
}

/**
 * Adds up the cost of a valid operation with its variables. Skipped fields count too: this is the
 * maximum.
 */
export function costOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Variables,
  maxPage: number,
): OperationCost {
  const fragments = fragmentsOf(document);
  const known = new Map<string, number>();
  const badPages: FieldNode[] = [];
  const valueOf = valueReader(operation, variables);

  /** `entries` is the size of a list directly in this selection set, if a field above set it. */
  const costIn = (
    { selections }: SelectionSetNode,
    parent: GraphQLNamedType | undefined,
    entries: number,
  ): number => {
    let cost = 0;
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) cost += costOfField(selection, parent, entries);
      else if (selection.kind === Kind.FRAGMENT_SPREAD)
        cost += costOfFragment(selection.name.value, entries);
      else
        cost += costIn(
          selection.selectionSet,
          selection.typeCondition ? schema.getType(selection.typeCondition.name.value) : parent,
          entries,
        );
    }
    return cost;
  };

  const costOfFragment = (name: string, entries: number): number => {
    const key = `${name} ${entries}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const fragment = fragments.get(name);
    const cost = fragment
      ? costIn(fragment.selectionSet, schema.getType(fragment.typeCondition.name.value), entries)
      : 0;
    known.set(key, cost);
    return cost;
  };

  const costOfField = (
    node: FieldNode,
    parent: GraphQLNamedType | undefined,
    entries: number,
  ): number => {
    const field =
      isObjectType(parent) || isInterfaceType(parent)
        ? parent.getFields()[node.name.value]
        : undefined;
    const asked = field && entriesAsked(field, node);
    const own = ownCost(field);
    if (!node.selectionSet) return own;
    const type = field && getNamedType(field.type);
    const inner = isCompositeType(type) ? type : undefined;
    return field && isListType(getNullableType(field.type))
      ? own + (asked ?? entries) * costIn(node.selectionSet, inner, 1)
      : own + costIn(node.selectionSet, inner, asked ?? 1);
  };

  const entriesAsked = (
    field: GraphQLField<unknown, unknown>,
    node: FieldNode,
  ): number | undefined => {
    const offered = field.args.filter(({ name }) =>
      (LIST_ARGUMENTS as readonly string[]).includes(name),
    );
    if (offered.length === 0) return undefined;
    const counts = offered.flatMap(({ name, defaultValue }) => {
      const given = node.arguments?.find((argument) => argument.name.value === name);
      const value = given ? valueOf(given.value) : defaultValue;
      const count = Array.isArray(value) ? value.length : value;
      if (typeof count !== 'number') return [];
      if (PAGE_ARGUMENTS.has(name) && (count < 1 || count > maxPage)) badPages.push(node);
      return [Math.max(0, count)];
    });
    return counts.length > 0 ? Math.max(...counts) : Math.min(DEFAULT_PAGE, maxPage);
  };

  const root = schema.getRootType(operation.operation);
  return { cost: costIn(operation.selectionSet, root ?? undefined, 1), badPages };
}

function ownCost(field: GraphQLField<unknown, unknown> | undefined): number {
  const declared = field?.extensions.complexity;
  if (typeof declared === 'number') return declared;
  return field && getNamedType(field.type).name === JSONValue.name ? FREE_FORM_COST : 1;
}

function valueReader(
  operation: OperationDefinitionNode,
  variables: Variables,
): (node: ValueNode) => unknown {
  const literal = (node: ValueNode | undefined): unknown =>
    node?.kind === Kind.INT
      ? Number(node.value)
      : node?.kind === Kind.LIST
        ? node.values
        : undefined;
  return (node) => {
    if (node.kind !== Kind.VARIABLE) return literal(node);
    const name = node.name.value;
    if (Object.hasOwn(variables, name)) return variables[name];
    return literal(
      operation.variableDefinitions?.find(({ variable }) => variable.name.value === name)
        ?.defaultValue,
    );
  };
}
