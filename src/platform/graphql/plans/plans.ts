import { getVariableValues, GraphQLError, Kind, OperationTypeNode, visit } from 'graphql';
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { collectFields } from 'graphql/execution/collectFields';
import { fragmentsOf } from '../operations/document-limits';
import { NotWritable } from './text';
import { CONDITIONS } from '../operations/validate-operation';
import { joinFields, writeAll, writeSerially } from './fields';
import { KeptTexts } from './kept-texts';
import { Selection } from './plan';
import { CollectedErrors, Run } from './run';
import type { Fragments, PlanSource, Variables } from './run';
import { WrittenData } from './text';

/** The result of an operation like that of graphql-js, with the data already written. */
export interface PlanResult {
  readonly data?: WrittenData | null;
  readonly errors?: readonly Error[];
}

/** A valid operation to run. */
export interface PlanRequest {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables: Readonly<Variables> | null | undefined;
  readonly rootValue: unknown;
  readonly context: unknown;
  /** Maximum number of errors in variables that are reported. */
  readonly maxErrors: number;
  readonly hideSuggestions: boolean;
}

/** Maximum number of plans of one operation, which depend on the values of its conditions. */
const MAX_PLANS = 16;

interface CompiledOperation {
  readonly fragments: Fragments;
  /** Names of the variables in `@skip` and `@include`. */
  readonly conditions: readonly string[];
  /** By the values of these variables. */
  readonly plans: Map<string, Plan>;
}

interface Plan {
  readonly source: PlanSource;
  readonly root: Selection;
  /** Whether it has been executed. */
  isUsed: boolean;
}

/**
 * Executes operations by plans: which fields an operation selects from which type, and how each is
 * resolved and written, is determined once for an operation instead of once for each object. Answers
 * are written as JSON directly; apart from that they are those of graphql-js.
 */
export class Plans {
  /** Plans are kept as long as the documents, whose number is limited. */
  private readonly compiled = new WeakMap<OperationDefinitionNode, CompiledOperation>();
  private readonly keptTexts = new KeptTexts();

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly maxBytes: number,
  ) {}

  /** Executes a valid operation. Never throws or rejects. */
  execute(request: PlanRequest): PlanResult | Promise<PlanResult> {
    const { operation, variables, maxErrors, hideSuggestions } = request;
    const { coerced, errors } = getVariableValues(
      this.schema,
      operation.variableDefinitions ?? [],
      variables ?? {},
      { maxErrors, hideSuggestions },
    );
    if (errors) return { errors };
    const collected = new CollectedErrors();
    const failed = (error: unknown): PlanResult => {
      if (error instanceof NotWritable) return { errors: [error.cause as Error] };
      collected.add(error as GraphQLError, undefined);
      return { data: null, errors: collected.errors };
    };
    const succeeded = (data: WrittenData): PlanResult =>
      collected.errors.length === 0 ? { data } : { data, errors: collected.errors };
    try {
      const plan = this.planOf(request, coerced);
      const { source, root, isUsed } = plan;
      plan.isUsed = true;
      const { rootValue, context } = request;
      const texts = isUsed ? this.keptTexts : undefined;
      const data = writeRoot(root, new Run(source, rootValue, context, coerced, collected, texts));
      return data instanceof Promise ? data.then(succeeded, failed) : succeeded(data);
    } catch (error) {
      return failed(error);
    }
  }

  private planOf({ document, operation }: PlanRequest, variables: Variables): Plan {
    const { fragments, conditions, plans } = this.compile(document, operation);
    const key = conditions.map((name) => String(variables[name])).join();
    const cachedPlan = plans.get(key);
    if (cachedPlan) return cachedPlan;
    const source: PlanSource = {
      schema: this.schema,
      fragments,
      operation,
      maxBytes: this.maxBytes,
      conditions: Object.fromEntries(
        conditions.filter((name) => name in variables).map((name) => [name, variables[name]]),
      ),
    };
    const plan = { source, root: rootSelection(source), isUsed: false };
    if (plans.size === MAX_PLANS) plans.clear();
    plans.set(key, plan);
    return plan;
  }

  private compile(document: DocumentNode, operation: OperationDefinitionNode): CompiledOperation {
    const cached = this.compiled.get(operation);
    if (cached) return cached;
    const compiled: CompiledOperation = {
      fragments: Object.fromEntries(fragmentsOf(document)),
      conditions: conditionsOf(document),
      plans: new Map(),
    };
    this.compiled.set(operation, compiled);
    return compiled;
  }
}

function conditionsOf(document: DocumentNode): string[] {
  const names = new Set<string>();
  visit(document, {
    Directive({ name, arguments: [argument] = [] }) {
      if (CONDITIONS.has(name.value) && argument?.value.kind === Kind.VARIABLE)
        names.add(argument.value.name.value);
    },
  });
  return [...names];
}

function rootSelection(source: PlanSource): Selection {
  const { schema, fragments, conditions, operation } = source;
  const type = schema.getRootType(operation.operation);
  if (!type)
    throw new GraphQLError(
      `Schema is not configured to execute ${operation.operation} operation.`,
      { nodes: operation },
    );
  const nodes = collectFields(schema, fragments, conditions, type, operation.selectionSet);
  return new Selection(source, type, nodes);
}

/** Writes the root fields: those of a mutation one after the other, others at the same time. */
function writeRoot({ fields }: Selection, run: Run): WrittenData | Promise<WrittenData> {
  const texts =
    run.source.operation.operation === OperationTypeNode.MUTATION
      ? writeSerially(fields, run.rootValue, run)
      : writeAll(fields, run.rootValue, run, undefined);
  const join = (written: readonly string[]): WrittenData =>
    new WrittenData(
      joinFields(fields, written, run.source.maxBytes),
      written.some((text) => text !== 'null'),
    );
  return texts instanceof Promise ? texts.then(join) : join(texts);
}
