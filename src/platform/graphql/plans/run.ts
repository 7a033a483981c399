import { getArgumentValues, locatedError } from 'graphql';
import type {
  FieldNode,
  FragmentDefinitionNode,
  GraphQLError,
  GraphQLField,
  GraphQLObjectType,
  GraphQLOutputType,
  GraphQLResolveInfo,
  GraphQLSchema,
  OperationDefinitionNode,
} from 'graphql';
import type { Path } from 'graphql/jsutils/Path';
import { pathToArray } from 'graphql/jsutils/Path';
import type { KeptTexts } from './kept-texts';
import { NotWritable } from './text';

export type Variables = Record<string, unknown>;
export type Arguments = Record<string, unknown>;
export type Fragments = Record<string, FragmentDefinitionNode>;

/** What a plan was compiled from. */
export interface PlanSource {
  readonly schema: GraphQLSchema;
  readonly fragments: Fragments;
  readonly operation: OperationDefinitionNode;
  /** The values of variables in `@skip` and `@include`. */
  readonly conditions: Variables;
  /** Maximum size of an answer. */
  readonly maxBytes: number;
}

/** A field of an object type, as an operation selects it. */
export interface SelectedField {
  readonly definition: GraphQLField<unknown, unknown>;
  readonly nodes: readonly FieldNode[];
  readonly parentType: GraphQLObjectType;
  readonly responseName: string;
}

/** The errors of an operation. */
export class CollectedErrors {
  readonly errors: GraphQLError[] = [];
  private readonly places = new Set<Path | undefined>();

  /** Adds an error, unless its place or one around it is null because of another error. */
  add(error: GraphQLError, path: Path | undefined): void {
    for (let place = path; place !== undefined; place = place.prev)
      if (this.places.has(place)) return;
    if (this.places.has(undefined)) return;
    this.places.add(path);
    this.errors.push(error);
  }
}

const NO_ARGUMENTS: Arguments = Object.freeze({});

/** One execution of a plan. */
export class Run {
  private readonly argumentsOf = new Map<SelectedField, Arguments>();

  constructor(
    readonly source: PlanSource,
    readonly rootValue: unknown,
    readonly context: unknown,
    readonly variables: Variables,
    private readonly collected: CollectedErrors,
    /** Texts of earlier executions; missing in the first, which may be the only one. */
    public keptTexts?: KeptTexts,
  ) {}

  get errorCount(): number {
    return this.collected.errors.length;
  }

  /**
   * Returns the arguments of a field, which are the same for all objects.
   * @throws GraphQLError an argument has no valid value
   */
  argumentsFor(field: SelectedField): Arguments {
    if (field.definition.args.length === 0) return NO_ARGUMENTS;
    const cachedValues = this.argumentsOf.get(field);
    if (cachedValues) return cachedValues;
    const [node] = field.nodes;
    const values = node ? getArgumentValues(field.definition, node, this.variables) : {};
    this.argumentsOf.set(field, values);
    return values;
  }

  /**
   * Makes a place with an error null.
   * @throws GraphQLError the place cannot be null
   * @throws NotWritable there is no answer
   */
  fail(raw: unknown, field: SelectedField, { isNonNull }: PlaceType, path: Path): 'null' {
    if (raw instanceof NotWritable) throw raw;
    const error = locatedError(raw, field.nodes, pathToArray(path));
    if (isNonNull) throw error;
    this.collected.add(error, path);
    return 'null';
  }
}

/** Whether a place in the answer can be null. */
interface PlaceType {
  readonly isNonNull: boolean;
}

/** The last parameter of a resolver. */
export class FieldInfo implements GraphQLResolveInfo {
  constructor(
    private readonly field: SelectedField,
    private readonly run: Run,
    /** The place of the field, or of an entry of its list. */
    private readonly place: Path,
  ) {}

  get path(): Path {
    let path = this.place;
    while (typeof path.key === 'number' && path.prev) path = path.prev;
    return path;
  }

  get fieldName(): string {
    return this.field.definition.name;
  }

  get fieldNodes(): readonly FieldNode[] {
    return this.field.nodes;
  }

  get returnType(): GraphQLOutputType {
    return this.field.definition.type;
  }

  get parentType(): GraphQLObjectType {
    return this.field.parentType;
  }

  get schema(): GraphQLSchema {
    return this.run.source.schema;
  }

  get fragments(): Fragments {
    return this.run.source.fragments;
  }

  get rootValue(): unknown {
    return this.run.rootValue;
  }

  get operation(): OperationDefinitionNode {
    return this.run.source.operation;
  }

  get variableValues(): Variables {
    return this.run.variables;
  }
}
