import fc from 'fast-check';
import {
  doTypesOverlap,
  getNullableType,
  GraphQLBoolean,
  GraphQLNonNull,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  isUnionType,
  getNamedType,
  parseConstValue,
  TypeMetaFieldDef,
  valueFromASTUntyped,
} from 'graphql';
import type { GraphQLCompositeType, GraphQLField, GraphQLInputType, GraphQLSchema } from 'graphql';

/** A valid document of queries and mutations, and a request to execute one of its operations. */
export interface FuzzedOperation {
  readonly source: string;
  readonly operationName?: string;
  readonly variableValues: Readonly<Record<string, unknown>>;
}

/** Valid literals of each custom scalar, by its name. */
type ScalarLiterals = Readonly<Record<string, readonly string[]>>;

/** The names of the variables that a part of the document uses. */
type Used = Set<string>;
interface Field {
  readonly head: string;
  readonly used: Used;
}

const LITERALS: ScalarLiterals = {
  Int: ['0', '-1', '7', '2147483647'],
  Float: ['0.5', '1e3', '-2'],
  Boolean: ['true', 'false'],
  ID: ['"id"', '12'],
  String: ['""', '"a"', '"\\"q\\\\\\n\\u2028"', '"é😀"', '"""\n  block\n    text\n"""'],
};
const ANY_LITERAL = ['"text"', '1', 'true', '{a: [1, {b: null}]}'];
const WRONG_VALUES = [null, 'wrong', '', 1.5, 2 ** 31, true, [], [null], {}, { unknown: 1 }];
const ALIASES = ['a', 'b', 'then', '__proto__', 'constructor', 'length', 'toJSON'];
const DEPTH = 4;
/** Selections after which a document gets only leaf fields. */
const SELECTIONS = 30;

const upTo = (max: number) => fc.noBias(fc.nat({ max }));

/** Operations that are valid by the rules of graphql-js; their variables may have wrong values. */
export function fuzzedOperations(
  schema: GraphQLSchema,
  scalars: ScalarLiterals = {},
): fc.Arbitrary<FuzzedOperation> {
  return fc
    .gen()
    .map((draw) =>
      new DocumentWriter(schema, { ...LITERALS, ...scalars }, (max) => draw(upTo, max)).write(),
    );
}

class DocumentWriter {
  private readonly fields = new Map<string, Field[]>();
  private readonly responseNames = new Set<string>();
  private readonly fragments: { name: string; on: GraphQLCompositeType; used: Used }[] = [];
  private readonly fragmentTexts: string[] = [];
  /** By name: the type, and the whole declaration. */
  private readonly variables = new Map<string, { type: string; text: string; value: string }>();
  private readonly composites: GraphQLCompositeType[];
  private selections = 0;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly literals: ScalarLiterals,
    private readonly upTo: (max: number) => number,
  ) {
    this.composites = Object.values(schema.getTypeMap()).filter(isCompositeType);
  }

  write(): FuzzedOperation {
    const names = this.chance(25) ? ['One', 'Two', 'Three'].slice(this.upTo(1)) : ['One'];
    const isAnonymous = names.length === 1 && this.chance(50);
    const operations = names.map((name) => this.operation(isAnonymous ? '' : name));
    const parts = this.chance(50)
      ? [...this.fragmentTexts, ...operations]
      : [...operations, ...this.fragmentTexts];
    const operationName = this.chance(5) ? 'Unknown' : this.pick(names);
    return {
      source: parts.join(this.chance(50) ? '\n' : ' '),
      ...(names.length === 1 && this.chance(50) ? {} : { operationName }),
      ...(isAnonymous ? { operationName: undefined } : {}),
      variableValues: this.values(),
    };
  }

  private operation(name: string): string {
    const mutation = this.schema.getMutationType();
    const isMutation = mutation && this.chance(30);
    const used: Used = new Set();
    const root = isMutation ? mutation : this.schema.getQueryType()!;
    const selections = this.selectionSet(root, used, DEPTH);
    const variables = [...used].map((variable) => this.variables.get(variable)!.text).join(', ');
    return `${isMutation ? 'mutation' : 'query'} ${name}${variables && `(${variables})`} ${selections}`;
  }

  private selectionSet(type: GraphQLCompositeType, used: Used, depth: number): string {
    const count = 1 + this.upTo(depth === DEPTH ? 5 : 3);
    const parts = Array.from({ length: count }, () => this.selection(type, used, depth));
    return `{ ${parts.join(this.chance(20) ? '\n' : ' ')} }`;
  }

  private selection(type: GraphQLCompositeType, used: Used, depth: number): string {
    this.selections += 1;
    return this.selections < SELECTIONS && this.chance(isObjectType(type) ? 20 : 45)
      ? this.fragment(type, used, depth)
      : this.field(type, used, depth);
  }

  private fragment(type: GraphQLCompositeType, used: Used, depth: number): string {
    const types = this.composites.filter((other) => doTypesOverlap(this.schema, type, other));
    const on = this.pick(types);
    if (this.chance(50)) {
      const condition = on === type && this.chance(50) ? '' : ` on ${on.name}`;
      return `...${condition}${this.directives(used)} ${this.selectionSet(on, used, depth)}`;
    }
    const candidates = this.fragments.filter((one) => types.includes(one.on));
    const chosen =
      candidates.length > 0 && this.chance(40)
        ? this.pick(candidates)
        : this.namedFragment(on, depth);
    for (const variable of chosen.used) used.add(variable);
    return `...${chosen.name}${this.directives(used)}`;
  }

  private namedFragment(on: GraphQLCompositeType, depth: number) {
    const used: Used = new Set();
    const selections = this.selectionSet(on, used, depth);
    const fragment = { name: `F${this.fragments.length}`, on, used };
    this.fragments.push(fragment);
    this.fragmentTexts.push(`fragment ${fragment.name} on ${on.name} ${selections}`);
    return fragment;
  }

  private field(type: GraphQLCompositeType, used: Used, depth: number): string {
    const all: GraphQLField<unknown, unknown>[] = isUnionType(type)
      ? []
      : Object.values(type.getFields());
    const isSmall = depth <= 1 || this.selections >= SELECTIONS;
    const fields = isSmall ? all.filter((one) => isLeafType(getNamedType(one.type))) : all;
    if (!isSmall && type === this.schema.getQueryType() && this.chance(3)) {
      fields.push(TypeMetaFieldDef);
    }
    if (fields.length === 0 || this.chance(8)) return `__typename${this.directives(used)}`;
    const field = this.pick(fields);
    const chosen = this.named(field, type);
    for (const variable of chosen.used) used.add(variable);
    const named = getNamedType(field.type);
    const selections = isCompositeType(named) ? this.selectionSet(named, used, depth - 1) : '';
    return `${chosen.head}${this.directives(used)} ${selections}`;
  }

  /**
   * The response name, the field and its arguments. Most names have one meaning in the document.
   * Names that end in a type differ by object, which is valid where the objects exclude each other.
   */
  private named(field: GraphQLField<unknown, unknown>, parent: GraphQLCompositeType): Field {
    const isOwn = isObjectType(parent) && this.chance(15);
    const scope = isOwn ? `${parent.name}.` : '';
    const parameters = field.args.map((arg) => `${arg.name}: ${String(arg.type)}`).join();
    const signature = `${scope}${field.name}(${parameters}): ${String(field.type)}`;
    const candidates = this.fields.get(signature) ?? [];
    if (candidates.length > 0 && this.chance(60)) return this.pick(candidates);
    const names = isOwn
      ? [`own_${String(field.type).replaceAll('!', '_n').replaceAll(/[[\]]/g, '_l')}`]
      : this.chance(30)
        ? [this.pick(ALIASES), field.name]
        : [field.name];
    const name =
      names.find((one) => !this.responseNames.has(scope + one)) ?? `n${this.responseNames.size}`;
    this.responseNames.add(scope + name);
    const used: Used = new Set();
    const alias = name === field.name ? '' : `${name}: `;
    const chosen = { head: `${alias}${field.name}${this.args(field, used)}`, used };
    this.fields.set(signature, [...candidates, chosen]);
    return chosen;
  }

  private args(field: GraphQLField<unknown, unknown>, used: Used): string {
    const texts = field.args
      .filter((arg) => isRequiredArgument(arg) || this.chance(60))
      .map((arg) => `${arg.name}: ${this.input(arg.type, used, arg.defaultValue !== undefined)}`);
    return texts.length > 0 ? `(${texts.join(', ')})` : '';
  }

  private directives(used: Used): string {
    if (!this.chance(12)) return '';
    const name = this.chance(50) ? 'skip' : 'include';
    return ` @${name}(if: ${this.input(new GraphQLNonNull(GraphQLBoolean), used)})`;
  }

  /** A literal or variable, or, without `used`, a literal without variables. */
  private input(type: GraphQLInputType, used?: Used, hasDefault = false, depth = 2): string {
    if (used && this.chance(30)) return this.variable(type, used, hasDefault);
    if (!isNonNullType(type) && this.chance(10)) return 'null';
    const inner = getNullableType(type);
    if (isListType(inner)) {
      if (this.chance(15)) return this.input(new GraphQLNonNull(getNullableType(inner.ofType)));
      const items = Array.from({ length: this.upTo(3) }, () => this.input(inner.ofType, used));
      return `[${items.join(', ')}]`;
    }
    if (isEnumType(inner)) return this.pick(inner.getValues()).name;
    if (!isInputObjectType(inner)) return this.pick(this.literals[inner.name] ?? ANY_LITERAL);
    const fields = Object.values(inner.getFields());
    if (inner.isOneOf) {
      const one = this.pick(fields);
      return `{${one.name}: ${this.input(new GraphQLNonNull(getNullableType(one.type)))}}`;
    }
    const texts = fields
      .filter((one) => isRequiredInputField(one) || (depth > 0 && this.chance(50)))
      .map((one) => {
        const text = this.input(one.type, used, one.defaultValue !== undefined, depth - 1);
        return `${one.name}: ${text}`;
      });
    return `{${texts.join(', ')}}`;
  }

  private variable(location: GraphQLInputType, used: Used, hasDefault: boolean): string {
    const inner = getNullableType(location);
    const nonNull = new GraphQLNonNull(inner);
    const isNullable = isNonNullType(location) ? this.chance(25) : this.chance(70);
    const needsDefault = isNullable && isNonNullType(location) && !hasDefault;
    const type = String(isNullable ? inner : nonNull);
    const candidates = [...this.variables].filter(([, one]) => one.type === type);
    if (!needsDefault && candidates.length > 0 && this.chance(40)) {
      const [name] = this.pick(candidates);
      used.add(name);
      return `$${name}`;
    }
    const value = this.input(needsDefault ? nonNull : isNullable ? inner : nonNull);
    const text = needsDefault || this.chance(20) ? ` = ${value}` : '';
    const name = `v${this.variables.size}`;
    this.variables.set(name, {
      type,
      text: `$${name}: ${type}${text}`,
      value: this.input(isNullable ? inner : nonNull),
    });
    used.add(name);
    return `$${name}`;
  }

  private values(): Record<string, unknown> {
    const isWrong = this.chance(12);
    const values: Record<string, unknown> = {};
    for (const [name, { type, text, value }] of this.variables) {
      const isOptional = !type.endsWith('!') || text.includes(' = ');
      if (this.chance(isOptional ? 25 : isWrong ? 15 : 0)) continue;
      const right = valueFromASTUntyped(parseConstValue(value));
      values[name] = isWrong && this.chance(40) ? this.spoilt(right) : right;
      if (!type.endsWith('!') && this.chance(15)) values[name] = null;
    }
    return values;
  }

  /** The value with a wrong part. */
  private spoilt(value: unknown): unknown {
    if (typeof value !== 'object' || value === null || this.chance(30)) {
      return this.pick(WRONG_VALUES);
    }
    const keys = Object.keys(value);
    const key = keys.length > 0 ? this.pick(keys) : '0';
    const copy: any = Array.isArray(value) ? [...value] : { ...value };
    copy[key] = this.spoilt(copy[key]);
    return copy;
  }

  /** Shrinks to false. */
  private chance(percent: number): boolean {
    return this.upTo(99) >= 100 - percent;
  }

  private pick<T>(list: readonly T[]): T {
    return list[this.upTo(list.length - 1)];
  }
}
