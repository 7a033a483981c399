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
 * A subscription has exactly one root field, so a variable cannot take it away: a rule of GraphQL since September 2025 that graphql-js
 * 16 has not, and without which it fails on what is left.
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

/** What stands at the root under a condition, fragments followed once each. */
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

/** Errors of one document that are reported; the rest would only help whoever guesses. */
const MAX_ERRORS = 10;
/** Errors of one kind among them: the same sentence about other names. */
const MAX_OF_KIND = 3;
/** Each error of a variable prints all of it: errors times values stay below this. */
const PRINTED_VALUES = 20_000;

/** In variables of more characters no names are looked for that are like a wrong one: graphql-js takes 100 ns for each character of what is wrong. */
const MOST_COMPARED = 50_000;

/** From so many values on, reading and running take some milliseconds each: others have their turn in between. */
const MANY_VALUES = 5_000;

/** What follows for the running of an operation that may run. */
export interface Validated {
  /** How many faults of its variables are told. */
  readonly maxErrors: number;
  readonly hideSuggestions: boolean;
  readonly isLarge: boolean;
}

const validated = ({ values, characters }: VariablesSize, introspection: boolean): Validated => ({
  maxErrors: Math.max(1, Math.min(MAX_ERRORS, Math.floor(PRINTED_VALUES / Math.max(1, values)))),
  hideSuggestions: !introspection || characters > MOST_COMPARED,
  isLarge: values >= MANY_VALUES,
});

/** Introspection, and with it the names that suggestions would give away. */
export interface ValidationOptions {
  readonly introspection: boolean;
}

/**
 * Everything that is checked of an operation beyond its text, the same for every door: variables, validity, cost. Never throws.
 */
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
    // graphql-js throws where the root field of a subscription depends on a variable: its rule about that field evaluates what it cannot know.
    if (!(error instanceof GraphQLError)) throw error;
    const ours = validate(schema, document, [SubscriptionRootRule]);
    return ours.length > 0 ? ours : [error];
  }
}

/** A document full of one mistake is answered with some of it. */
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
