import {
  GraphQLError,
  Kind,
  NoSchemaIntrospectionCustomRule,
  OperationTypeNode,
  specifiedRules,
  validate,
} from 'graphql';
import type {
  ASTVisitor,
  DocumentNode,
  GraphQLSchema,
  SelectionNode,
  SelectionSetNode,
  ValidationContext,
} from 'graphql';
import type { Limits } from '../../config/config';
import { doorError } from './error-format';
import { costOf } from './operation-cost';
import { documentsOf, limit, malformed, withCode } from './read-operation';
import type { OperationRequest, ReadOperation, UnfitOperation } from './read-operation';
import { sizeOfVariables } from './variables';
import type { VariablesSize } from './variables';

const CONDITIONS: ReadonlySet<string> = new Set(['skip', 'include']);

/**
 * Rejects @skip and @include at the root of a subscription, which must have exactly one root field:
 * a rule of GraphQL since September 2025. graphql-js 16 lacks the rule and fails on such
 * operations.
 */
function SubscriptionRootRule(context: ValidationContext): ASTVisitor {
  return {
    OperationDefinition({ operation, selectionSet }) {
      if (operation !== OperationTypeNode.SUBSCRIPTION) return;
      const nodes = conditionalSelections(context, selectionSet, new Set());
      if (nodes.length > 0)
        context.reportError(
          new GraphQLError('The root field of a subscription takes neither @skip nor @include.', {
            nodes,
          }),
        );
    },
  };
}

/** Returns the root selections with @skip or @include, following each fragment once. */
function conditionalSelections(
  context: ValidationContext,
  { selections }: SelectionSetNode,
  seen: Set<string>,
): SelectionNode[] {
  return selections.flatMap((selection) => {
    const own = selection.directives?.some(({ name }) => CONDITIONS.has(name.value))
      ? [selection]
      : [];
    if (selection.kind === Kind.INLINE_FRAGMENT)
      return [...own, ...conditionalSelections(context, selection.selectionSet, seen)];
    if (selection.kind !== Kind.FRAGMENT_SPREAD || seen.has(selection.name.value)) return own;
    seen.add(selection.name.value);
    const fragment = context.getFragment(selection.name.value);
    return fragment
      ? [...own, ...conditionalSelections(context, fragment.selectionSet, seen)]
      : own;
  });
}

/** Maximum number of errors reported for a document; more would only help to guess names. */
const MAX_ERRORS = 10;
/** Maximum number of errors among them that differ only in names. */
const MAX_OF_KIND = 3;
/** Each error of a variable prints all of it: errors times values stay below this. */
const PRINTED_VALUES = 20_000;

/**
 * With more characters in the variables, no similar names are suggested for wrong ones: graphql-js
 * takes 100 ns for each character of a wrong name.
 */
const MOST_COMPARED = 50_000;

/**
 * From this number of values on, reading and running take some milliseconds each: the event loop is
 * yielded in between.
 */
const MANY_VALUES = 5_000;

/** How to run a valid operation. */
export interface Validated {
  /** Maximum number of errors in variables that are reported. */
  readonly maxErrors: number;
  readonly hideSuggestions: boolean;
  readonly isLarge: boolean;
}

const validated = ({ values, characters }: VariablesSize, introspection: boolean): Validated => ({
  maxErrors: Math.max(1, Math.min(MAX_ERRORS, Math.floor(PRINTED_VALUES / Math.max(1, values)))),
  hideSuggestions: !introspection || characters > MOST_COMPARED,
  isLarge: values >= MANY_VALUES,
});

/** Without introspection, errors do not suggest names either. */
interface ValidationOptions {
  readonly introspection: boolean;
}

/** Validates variables, document and cost; the text was checked before. Never throws. */
export function validateOperation(
  schema: GraphQLSchema,
  read: ReadOperation,
  { variables }: OperationRequest,
  limits: Limits,
  { introspection }: ValidationOptions,
): UnfitOperation | Validated {
  const size = sizeOfVariables(variables ?? {}, read.size.values, limits);
  if ('code' in size) return limit(doorError(size.code, size.message));
  if (read.hash !== null) {
    const errors = validityErrors(schema, read.document, introspection);
    if (errors.length > 0)
      return malformed(...errors.map((error) => withCode(error, 'GRAPHQL_VALIDATION_FAILED')));
    documentsOf(schema).set(read.hash, { document: read.document, size: read.size });
  }
  return tooCostly(schema, read, variables ?? {}, limits) ?? validated(size, introspection);
}

function validityErrors(
  schema: GraphQLSchema,
  document: DocumentNode,
  introspection: boolean,
): readonly GraphQLError[] {
  const rules = [
    ...specifiedRules,
    SubscriptionRootRule,
    ...(introspection ? [] : [NoSchemaIntrospectionCustomRule]),
  ];
  try {
    return fewOfEachKind(
      validate(schema, document, rules, { maxErrors: MAX_ERRORS, hideSuggestions: !introspection }),
    );
  } catch (error) {
    // graphql-js throws if the root field of a subscription depends on a variable, whose value its
    // rule does not know.
    if (!(error instanceof GraphQLError)) throw error;
    const ours = validate(schema, document, [SubscriptionRootRule]);
    return ours.length > 0 ? ours : [error];
  }
}

/** Limits the errors that differ only in names. */
function fewOfEachKind(errors: readonly GraphQLError[]): GraphQLError[] {
  const told = new Map<string, number>();
  return errors.filter(({ message }) => {
    const kind = message.replace(/"[^"]*"/g, '""');
    const count = (told.get(kind) ?? 0) + 1;
    told.set(kind, count);
    return count <= MAX_OF_KIND;
  });
}

function tooCostly(
  schema: GraphQLSchema,
  { document, operation }: ReadOperation,
  variables: NonNullable<OperationRequest['variables']>,
  limits: Limits,
): UnfitOperation | null {
  const { cost, badPages } = costOf(schema, document, operation, variables, limits.page);
  if (badPages.length > 0)
    return limit(
      doorError(
        'BAD_USER_INPUT',
        `\`first\` and \`last\` are whole numbers from 1 to ${limits.page}.`,
        { nodes: badPages.slice(0, MAX_ERRORS) },
      ),
    );
  if (cost > limits.cost)
    return limit(
      doorError(
        'QUERY_TOO_COMPLEX',
        `The operation may cost ${cost}; ${limits.cost} is allowed. Ask for fewer fields or smaller pages.`,
      ),
    );
  return null;
}
