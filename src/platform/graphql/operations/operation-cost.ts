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
  FragmentDefinitionNode,
  GraphQLField,
  GraphQLNamedType,
  GraphQLSchema,
  OperationDefinitionNode,
  SelectionSetNode,
  ValueNode,
} from 'graphql';
import { DEFAULT_PAGE } from '../../store/lists/keyset';
import { fragmentsOf } from './document-limits';
import { JSONValue } from '../schema/scalars';
import type { Variables } from './variables-size';

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
  const counter = new CostCounter(schema, document, operation, variables, maxPage);
  const root = schema.getRootType(operation.operation) ?? undefined;
  const cost = counter.costOfSelection(operation.selectionSet, root, 1);
  return { cost, badPages: counter.badPages };
}

class CostCounter {
  readonly badPages: FieldNode[] = [];
  private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  private readonly fragmentCosts = new Map<string, number>();

  constructor(
    private readonly schema: GraphQLSchema,
    document: DocumentNode,
    private readonly operation: OperationDefinitionNode,
    private readonly variables: Variables,
    private readonly maxPage: number,
  ) {
    this.fragments = fragmentsOf(document);
  }

  /** `entries` is the size of a list directly in this selection set, if a field above set it. */
  costOfSelection(
    { selections }: SelectionSetNode,
    parent: GraphQLNamedType | undefined,
    entries: number,
  ): number {
    let cost = 0;
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) cost += this.costOfField(selection, parent, entries);
      else if (selection.kind === Kind.FRAGMENT_SPREAD)
        cost += this.costOfFragment(selection.name.value, entries);
      else
        cost += this.costOfSelection(
          selection.selectionSet,
          selection.typeCondition
            ? this.schema.getType(selection.typeCondition.name.value)
            : parent,
          entries,
        );
    }
    return cost;
  }

  private costOfFragment(name: string, entries: number): number {
    const key = `${name} ${entries}`;
    const cachedCost = this.fragmentCosts.get(key);
    if (cachedCost !== undefined) return cachedCost;
    const fragment = this.fragments.get(name);
    const cost = fragment
      ? this.costOfSelection(
          fragment.selectionSet,
          this.schema.getType(fragment.typeCondition.name.value),
          entries,
        )
      : 0;
    this.fragmentCosts.set(key, cost);
    return cost;
  }

  private costOfField(
    node: FieldNode,
    parent: GraphQLNamedType | undefined,
    entries: number,
  ): number {
    const field =
      isObjectType(parent) || isInterfaceType(parent)
        ? parent.getFields()[node.name.value]
        : undefined;
    const requested = field && this.requestedEntries(field, node);
    const own = ownCost(field);
    if (!node.selectionSet) return own;
    const type = field && getNamedType(field.type);
    const inner = isCompositeType(type) ? type : undefined;
    return field && isListType(getNullableType(field.type))
      ? own + (requested ?? entries) * this.costOfSelection(node.selectionSet, inner, 1)
      : own + this.costOfSelection(node.selectionSet, inner, requested ?? 1);
  }

  private requestedEntries(
    field: GraphQLField<unknown, unknown>,
    node: FieldNode,
  ): number | undefined {
    const offered = field.args.filter(({ name }) =>
      (LIST_ARGUMENTS as readonly string[]).includes(name),
    );
    if (offered.length === 0) return undefined;
    const counts = offered.flatMap(({ name, defaultValue }) => {
      const argumentNode = node.arguments?.find((argument) => argument.name.value === name);
      const value = argumentNode ? this.valueOf(argumentNode.value) : defaultValue;
      const count = Array.isArray(value) ? value.length : value;
      if (typeof count !== 'number') return [];
      if (PAGE_ARGUMENTS.has(name) && (count < 1 || count > this.maxPage)) this.badPages.push(node);
      return [Math.max(0, count)];
    });
    return counts.length > 0 ? Math.max(...counts) : Math.min(DEFAULT_PAGE, this.maxPage);
  }

  private valueOf(node: ValueNode): unknown {
    if (node.kind !== Kind.VARIABLE) return literalOf(node);
    const name = node.name.value;
    if (Object.hasOwn(this.variables, name)) return this.variables[name];
    const definitions = this.operation.variableDefinitions;
    return literalOf(
      definitions?.find(({ variable }) => variable.name.value === name)?.defaultValue,
    );
  }
}

function ownCost(field: GraphQLField<unknown, unknown> | undefined): number {
  const declared = field?.extensions.complexity;
  if (typeof declared === 'number') return declared;
  return field && getNamedType(field.type).name === JSONValue.name ? FREE_FORM_COST : 1;
}

function literalOf(node: ValueNode | undefined): unknown {
  if (node?.kind === Kind.INT) return Number(node.value);
  return node?.kind === Kind.LIST ? node.values : undefined;
}
