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
import type { Limits } from '../../../config/config';
import { apiError } from './error-format';
import { costOf } from './operation-cost';
import { limitExceeded, malformedOperation, withCode } from './documents';
import type { OperationRequest, ReadOperation, InvalidOperation } from './documents';
import { sizeOfVariables } from './variables-size';
import type { VariablesSize } from './variables-size';

export const CONDITIONS: ReadonlySet<string> = new Set(['skip', 'include']);

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
const MAX_SIMILAR_ERRORS = 3;
/** Each error of a variable prints all of it: errors times values stay below this. */
const MAX_PRINTED_VALUES = 20_000;

/**
 * With more characters in the variables, no similar names are suggested for wrong ones: graphql-js
 * takes 100 ns for each character of a wrong name.
 */
const MAX_COMPARED_CHARACTERS = 50_000;

/**
 * From this number of values on, reading and running take some milliseconds each: the event loop is
 * yielded in between.
 */
const LARGE_VALUES = 5_000;

/** How to run a valid operation. */
export interface ExecutionSettings {
  /** Maximum number of errors in variables that are reported. */
  readonly maxErrors: number;
  readonly hideSuggestions: boolean;
  readonly isLarge: boolean;
}

const settingsFor = (
  { values, characters }: VariablesSize,
  introspection: boolean,
): ExecutionSettings => ({
  maxErrors: Math.max(
    1,
    Math.min(MAX_ERRORS, Math.floor(MAX_PRINTED_VALUES / Math.max(1, values))),
  ),
  hideSuggestions: !introspection || characters > MAX_COMPARED_CHARACTERS,
  isLarge: values >= LARGE_VALUES,
});

/** What operations are validated against. */
export interface ValidationParts {
  readonly schema: GraphQLSchema;
  readonly limits: Limits;
  /** Without introspection, errors do not suggest names either. */
  readonly introspection: boolean;
}

/** Validates variables, document and cost; the text was checked before. Never throws. */
export function validateOperation(
  { schema, limits, introspection }: ValidationParts,
  read: ReadOperation,
  { variables }: OperationRequest,
): InvalidOperation | ExecutionSettings {
  const size = sizeOfVariables(variables ?? {}, read.size.values, limits);
  if ('code' in size) return limitExceeded(apiError(size.code, size.message));
  if (!read.isKnown) {
    const errors = validityErrors(schema, read.document, introspection);
    if (errors.length > 0)
      return malformedOperation(
        ...errors.map((error) => withCode(error, 'GRAPHQL_VALIDATION_FAILED')),
      );
  }
  return checkCost(schema, read, variables ?? {}, limits) ?? settingsFor(size, introspection);
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
    return limitSimilarErrors(
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
function limitSimilarErrors(errors: readonly GraphQLError[]): GraphQLError[] {
  const counts = new Map<string, number>();
  return errors.filter(({ message }) => {
    const kind = message.replace(/"[^"]*"/g, '""');
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return count <= MAX_SIMILAR_ERRORS;
  });
}

function checkCost(
  schema: GraphQLSchema,
  { document, operation }: ReadOperation,
  variables: NonNullable<OperationRequest['variables']>,
  limits: Limits,
): InvalidOperation | null {
  const { cost, badPages } = costOf(schema, document, operation, variables, limits.page);
  if (badPages.length > 0)
    return limitExceeded(
      apiError(
        'BAD_USER_INPUT',
        `\`first\` and \`last\` are whole numbers from 1 to ${limits.page}.`,
        badPages.slice(0, MAX_ERRORS),
      ),
    );
  if (cost > limits.cost)
    return limitExceeded(
      apiError(
        'QUERY_TOO_COMPLEX',
        `The operation may cost ${cost}; ${limits.cost} is allowed. Ask for fewer fields or smaller pages.`,
      ),
    );
  return null;
}
