import {
  getNullableType,
  GraphQLError,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  TypeNameMetaFieldDef,
} from 'graphql';
import type {
  FieldNode,
  GraphQLFieldResolver,
  GraphQLNullableType,
  GraphQLObjectType,
  GraphQLOutputType,
} from 'graphql';
import { collectSubfields } from 'graphql/execution/collectFields';
import { getFieldDef } from 'graphql/execution/execute';
import { inspect } from 'graphql/jsutils/inspect';
import { isObjectLike } from 'graphql/jsutils/isObjectLike';
import { isPromise } from 'graphql/jsutils/isPromise';
import { addPath } from 'graphql/jsutils/Path';
import type { Path } from 'graphql/jsutils/Path';
import { joinFields, writeAll } from './fields';
import { leafWriter } from './leaves';
import { isIterableObject } from 'graphql/jsutils/isIterableObject';
import { isPlain } from './kept-texts';
import { FieldInfo } from './run';
import type { Arguments, PlanSource, Run, SelectedField } from './run';
import { runtimeTypeOf, wrongType } from './runtime-type';
import { EventualTexts, joinList, requireLength } from './text';
import type { EventualText } from './text';

type FieldNodes = ReadonlyMap<string, readonly FieldNode[]>;

/** The fields that an operation selects from objects of one type. */
export class Selection {
  readonly fields: readonly FieldPlan[];

  constructor(
    private readonly source: PlanSource,
    private readonly type: GraphQLObjectType,
    nodes: FieldNodes,
  ) {
    this.fields = [...nodes].flatMap(([responseName, fieldNodes]) => {
      const [node] = fieldNodes;
      const definition = node && getFieldDef(source.schema, type, node);
      if (!definition) return [];
      const field = { definition, nodes: fieldNodes, parentType: type, responseName };
      return [new FieldPlan(source, field)];
    });
  }

  /** Whether the text of an object depends on nothing else. */
  get isPlain(): boolean {
    return !this.type.isTypeOf && this.fields.every(({ isPlain }) => isPlain);
  }

  /** Writes an object that is the value of a field. */
  write(object: unknown, field: SelectedField, run: Run, path: Path): EventualText {
    if (!this.type.isTypeOf) return this.writeFields(object, run, path);
    const write = (isOfType: boolean): EventualText => {
      if (isOfType) return this.writeFields(object, run, path);
      throw wrongType(this.type, object, field.nodes);
    };
    const isOfType = this.type.isTypeOf(object, run.context, new FieldInfo(field, run, path));
    return isPromise(isOfType) ? isOfType.then(write) : write(isOfType);
  }

  /** Writes the fields, one by one until the first whose text has to wait. */
  private writeFields(object: unknown, run: Run, path: Path): EventualText {
    const { maxBytes } = this.source;
    let text = '{';
    let index = 0;
    for (const field of this.fields) {
      const value = field.write(object, run, path);
      if (typeof value !== 'string') return this.writeRest(text, index, value, object, run, path);
      text = requireLength(text + (index === 0 ? '' : ',') + field.label + value, maxBytes);
      index += 1;
    }
    return `${text}}`;
  }

  private writeRest(
    text: string,
    from: number,
    first: EventualText,
    object: unknown,
    run: Run,
    path: Path,
  ): EventualText {
    const fields = this.fields.slice(from);
    const { maxBytes } = this.source;
    const texts = writeAll(fields, object, run, path, [first]);
    return texts instanceof Promise
      ? texts.then((written) => joinFields(fields, written, maxBytes, text))
      : joinFields(fields, texts, maxBytes, text);
  }
}

/** How a field is resolved and written. */
class FieldPlan {
  /** Name and colon. */
  readonly label: string;
  private readonly value: ValuePlan;
  private readonly resolve: GraphQLFieldResolver<unknown, unknown> | undefined;
  private readonly needsPath: boolean;
  private readonly hasPlainResolver: boolean;

  constructor(
    source: PlanSource,
    private readonly field: SelectedField,
  ) {
    const { definition, parentType, responseName } = field;
    this.label = `${JSON.stringify(responseName)}:`;
    this.value = new ValuePlan(source, definition.type, field);
    this.resolve = definition === TypeNameMetaFieldDef ? () => parentType.name : definition.resolve;
    this.needsPath = this.resolve !== undefined || this.value.hasParts;
    this.hasPlainResolver =
      !definition.resolve || isPlain(definition.resolve) || definition === TypeNameMetaFieldDef;
  }

  /** Whether the value depends on nothing but the object, if that has neither methods nor getters. */
  get isPlain(): boolean {
    return this.hasPlainResolver && this.value.isPlain;
  }

  /**
   * Resolves and writes the field. If that fails, it is null.
   * @throws GraphQLError it fails, and cannot be null
   */
  write(object: unknown, run: Run, parentPath: Path | undefined): EventualText {
    const path = this.needsPath ? this.pathBelow(parentPath) : undefined;
    const fail = (error: unknown): string =>
      run.fail(error, this.field, this.value, path ?? this.pathBelow(parentPath));
    try {
      const values = run.argumentsFor(this.field);
      const value = this.resolve
        ? this.resolve(object, values, run.context, new FieldInfo(this.field, run, path as Path))
        : this.propertyOf(object, values, run, parentPath);
      const text = this.value.writeEventual(value, run, path);
      return typeof text === 'string' ? text : text.then(undefined, fail);
    } catch (error) {
      return fail(error);
    }
  }

  /** The value of a field without a resolver: a property, or the result of a method. */
  private propertyOf(
    object: unknown,
    values: Arguments,
    run: Run,
    parentPath: Path | undefined,
  ): unknown {
    if (!isObjectLike(object) && typeof object !== 'function') return undefined;
    const source = object as Readonly<Record<string, unknown>>;
    const property = source[this.field.definition.name];
    if (typeof property !== 'function') return property;
    const info = new FieldInfo(this.field, run, this.pathBelow(parentPath));
    return property.call(object, values, run.context, info) as unknown;
  }

  private pathBelow(parent: Path | undefined): Path {
    return addPath(parent, this.field.responseName, this.field.parentType.name);
  }
}

type Write = (value: unknown, run: Run, path: Path) => EventualText;

/** How the value of a field, or an entry of a list, is written. */
class ValuePlan {
  readonly isNonNull: boolean;
  /** Whether there are places below this one, whose paths continue that of this one. */
  readonly hasParts: boolean;
  private readonly writeValue: Write;
  private readonly selections = new Map<GraphQLObjectType, Selection>();
  /** Of a list. */
  private readonly item: ValuePlan | undefined;
  private mayBePlain = true;

  constructor(
    private readonly source: PlanSource,
    type: GraphQLOutputType,
    private readonly field: SelectedField,
  ) {
    const nullable = getNullableType(type);
    this.isNonNull = isNonNullType(type);
    this.hasParts = !isLeafType(nullable);
    if (isListType(nullable)) this.item = new ValuePlan(source, nullable.ofType, field);
    this.writeValue = this.writerOf(nullable);
  }

  /** Whether the texts written so far depend on nothing but the values. */
  get isPlain(): boolean {
    this.mayBePlain &&=
      (this.item?.isPlain ?? true) && [...this.selections.values()].every(({ isPlain }) => isPlain);
    return this.mayBePlain;
  }

  /**
   * Writes a value, or what a promise resolves to.
   * @throws Error it is null or an error, and the place cannot be null
   */
  writeEventual(value: unknown, run: Run, path: Path | undefined): EventualText {
    return isPromise(value)
      ? value.then((resolved) => this.write(resolved, run, path))
      : this.write(value, run, path);
  }

  private write(value: unknown, run: Run, path: Path | undefined): EventualText {
    if (value instanceof Error) throw value;
    if (value != null)
      return run.keptTexts && this.hasParts && this.mayBePlain
        ? run.keptTexts.write(value, this, run, () => this.writeValue(value, run, path as Path))
        : this.writeValue(value, run, path as Path);
    if (!this.isNonNull) return 'null';
    const { parentType, definition } = this.field;
    throw new Error(
      `Cannot return null for non-nullable field ${parentType.name}.${definition.name}.`,
    );
  }

  private writerOf(type: GraphQLNullableType): Write {
    if (isLeafType(type)) return leafWriter(type);
    if (isObjectType(type))
      return (value, run, path) => this.selectionOf(type).write(value, this.field, run, path);
    const { item } = this;
    if (item) return (values, run, path) => this.writeList(values, item, run, path);
    if (!isAbstractType(type)) throw new Error(`${inspect(type)} is no output type.`);
    const { field } = this;
    return (value, run, path) => {
      const info = new FieldInfo(field, run, path);
      const written = (object: GraphQLObjectType): EventualText =>
        this.selectionOf(object).write(value, field, run, path);
      const runtimeType = runtimeTypeOf(type, value, run.context, info);
      return isPromise(runtimeType) ? runtimeType.then(written) : written(runtimeType);
    };
  }

  private writeList(values: unknown, item: ValuePlan, run: Run, path: Path): EventualText {
    const { parentType, definition } = this.field;
    const { maxBytes } = this.source;
    if (!isIterableObject(values))
      throw new GraphQLError(
        `Expected Iterable, but did not find one for field "${parentType.name}.${definition.name}".`,
      );
    const texts = new EventualTexts();
    try {
      for (const value of values) texts.add(item.writeItem(value, texts.length, run, path));
    } catch (error) {
      texts.ignoreRejections();
      throw error;
    }
    const all = texts.all();
    return all instanceof Promise
      ? all.then((items) => joinList(items, maxBytes))
      : joinList(all, maxBytes);
  }

  private selectionOf(type: GraphQLObjectType): Selection {
    const existing = this.selections.get(type);
    if (existing) return existing;
    const { schema, fragments, conditions } = this.source;
    const nodes = collectSubfields(schema, fragments, conditions, type, this.field.nodes);
    const selection = new Selection(this.source, type, nodes);
    this.selections.set(type, selection);
    return selection;
  }

  private writeItem(value: unknown, index: number, run: Run, listPath: Path): EventualText {
    const path = this.hasParts ? addPath(listPath, index, undefined) : undefined;
    const fail = (error: unknown): string =>
      run.fail(error, this.field, this, path ?? addPath(listPath, index, undefined));
    try {
      const text = this.writeEventual(value, run, path);
      return typeof text === 'string' ? text : text.then(undefined, fail);
    } catch (error) {
      return fail(error);
    }
  }
}
