import {
  buildSchema,
  getNamedType,
  getNullableType,
  GraphQLError,
  isAbstractType,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
} from 'graphql';
import type {
  GraphQLObjectType,
  GraphQLOutputType,
  GraphQLResolveInfo,
  GraphQLSchema,
} from 'graphql';

export const FUZZED_SDL = `
  scalar Odd
  enum Colour { RED GREEN BLUE }
  input Point { x: Int! = 0, y: Float, tags: [String!] }
  input Filter { colour: Colour = GREEN, ids: [ID!], not: Filter, at: Point! = { x: 1 }, odd: Odd }
  input Choice @oneOf { number: Int, text: String }
  interface Node { id: ID!, where: String, next: Node, peers(first: Int! = 2): [Node!] }
  type A implements Node {
    id: ID!, where: String, next: Node, peers(first: Int! = 2): [Node!]
    text(prefix: String = "p", filter: Filter): String, string: String!, number: Int, float: Float
    flag: Boolean, colour: Colour, odd: Odd, oddly: Odd!, a: A, sure: A!, b: B, any: [Any], c: C!
  }
  type B implements Node {
    id: ID!, where: String, next: A, peers(first: Int! = 2): [Node!]
    text(choice: Choice): String, number: Int!, floats: [Float!]!, grid: [[Int!]]!
    colours(among: [Colour!] = [RED]): [Colour], a: A!, bs: [B!]!, any: Any!, flag: Boolean!
  }
  type C { where: String!, texts: [String], ids: [ID!], odds: [[Odd]!], a: A, as: [A!], cs: [[C!]!] }
  union Any = A | B | C
  type Query {
    node(id: ID): Node, nodes(filter: Filter, after: [ID] = ["x"]): [Node], a(at: Point): A, b: B
    any: Any, anys: [Any!], as(first: Int = 3, colour: Colour! = BLUE): [A], sure: A!, text: String
    number(of: Float!): Int!, grid: [[Int]!]!, odd(value: Odd): Odd, c(choice: Choice): C!
  }
  type Mutation {
    setA(filter: Filter!): A, setB(point: Point = { x: 5, tags: [] }): B!, setC: C, order: [String!]!
    setText(text: String!, times: [[Int!]]): String, setSure: A!
  }
`;

const TEXT = '"\\/\b\n\u0000\u007f\u2028 \u00e9\ud800\ud83d\ude00\udc00';
const LARGE = `é"${'x'.repeat(70_000)}`;
const toJSON = (): unknown => ({ of: 'toJSON' });
/** Results of resolvers by leaf type that serialise, and that do not. */
const RIGHT: Readonly<Record<string, readonly unknown[]>> = {
  String: ['', 'text', TEXT, 12, -0, true, { valueOf: () => 'v' }],
  Int: [0, -0, -1, 2 ** 31 - 1, '12', 3.0, true, { valueOf: () => 5 }],
  Float: [0.1, -0, 1e21, 1e-7, 2 ** 53, '3.5', false],
  Boolean: [true, false, 0, 2, { valueOf: () => true }],
  ID: ['id', '"', 7, -1, { valueOf: () => 8 }],
  Colour: [0, 'internal', Symbol.for('blue')],
  Odd: [
    1.5,
    '\u2029',
    [],
    { a: [undefined, Number.NaN], b: undefined, c: { toJSON } },
    new Date(0),
  ],
};
const WRONG: Readonly<Record<string, readonly unknown[]>> = {
  String: [{}, Number.NaN, Symbol.for('s'), []],
  Int: [1.5, 2 ** 31, '', 'x', Number.NaN, [1]],
  Float: [Number.POSITIVE_INFINITY, '', 'x', {}],
  Boolean: ['true', Number.NaN, {}],
  ID: [1.5, {}, true],
  Colour: ['RED', 3, {}],
  Odd: ['null', undefined, 'throw'],
};
const KNOWN_ERROR = new Error('An error that is thrown often "\u2028"');

function raise(error: unknown): never {
  throw error;
}
function* broken(): Generator<null> {
  yield null;
  throw new Error('The iterator failed');
}
/** What a resolver does instead of returning a value of its type. */
const FAULTS: readonly ((key: string, info?: GraphQLResolveInfo) => unknown)[] = [
  () => null,
  () => undefined,
  () => raise(KNOWN_ERROR),
  (key) =>
    raise(new GraphQLError(`At ${key}`, { extensions: { code: 'FAILED', at: [key, null] } })),
  (key) => raise(Object.assign(new Error(key), { extensions: { of: 'a plain error' } })),
  () => raise('a string'),
  () => raise(undefined),
  () => raise({ message: 'not an error' }),
  (key) => new Error(`Returned at ${key}`),
  (_key, info) =>
    raise(new GraphQLError('Has a path', { path: info ? [...pathOf(info), 'in'] : undefined })),
  () => 'not a list "',
  () => ({ unknown: true }),
  broken,
  () => new Set([null]),
];
/** When a result settles. */
const DELAYS: readonly ((make: () => unknown) => unknown)[] = [
  async (make) => make(),
  async (make) => {
    for (let tick = 0; tick < 6; tick += 1) await Promise.resolve();
    return make();
  },
  (make) => new Promise((resolve) => setImmediate(resolve)).then(make),
  (make) => Promise.reject(new Error('unused')).catch(make),
  (make) => ({ then: (done: any, failed: any) => Promise.resolve().then(make).then(done, failed) }),
];

function pathOf(info: GraphQLResolveInfo): (string | number)[] {
  const keys: (string | number)[] = [];
  for (let at: GraphQLResolveInfo['path'] | undefined = info.path; at; at = at.prev)
    keys.unshift(at.key);
  return keys;
}

/** An executor may ignore a promise when a sibling has failed. */
function settled(promise: Promise<unknown>): Promise<unknown> {
  promise.catch(() => {});
  return promise;
}

const isBelowShared = (key: string): boolean => /^[ABC][0-2]\b/.test(key);

/** Behaviour of one execution: each result depends only on the seed and on where it is. */
export class FuzzedWorld {
  /** Resolver calls in order, for executions without errors. */
  readonly calls: string[] = [];
  /** Mutations in the order of their start. */
  readonly order: string[] = [];
  readonly root: object;
  private readonly shared = new Map<string, object>();

  /** `isSlow`: all that is asynchronous takes longer; the results are the same. */
  constructor(
    private readonly schema: GraphQLSchema,
    private readonly seed: number,
    private readonly isSlow = false,
  ) {
    this.root = this.object(schema.getQueryType()!, 'root');
  }

  /** An object whose fields are getters. Some objects stand in several places. */
  object(type: GraphQLObjectType, key: string): object {
    const random = this.random(key, 'shared');
    const isShared = random % 4 === 0;
    const name = isShared ? `${type.name}${random % 3}` : key;
    const existing = this.shared.get(name);
    if (isShared && existing) return existing;
    const made = Object.create(null, {
      key: { value: name },
      __typename: { value: type.name === 'C' ? undefined : type.name },
    });
    for (const field of Object.values(type.getFields())) {
      const get = () => this.property(field.type, `${name}.${field.name}`);
      Object.defineProperty(made, field.name, { get });
    }
    if (isShared) this.shared.set(name, made);
    return made;
  }

  /** What the default resolver finds: a value, a promise or a function. */
  private property(type: GraphQLOutputType, key: string): unknown {
    if (this.random(key, 'function') % 4 !== 0) return this.result(type, key);
    return (args: object, _world: unknown, info: GraphQLResolveInfo) =>
      this.resolve(type, key, args, info);
  }

  resolve(type: GraphQLOutputType, at: string, args: object, info: GraphQLResolveInfo): unknown {
    const key = `${at}(${JSON.stringify(args)})`;
    // Kept texts are used again where an object is in several places: resolvers have no side effects.
    const isShared = isBelowShared(key);
    const call = isShared ? key : `${key} ${pathOf(info).join('.')}`;
    if (!isShared || !this.calls.includes(call)) this.calls.push(call);
    return this.result(type, key, info);
  }

  private result(type: GraphQLOutputType, key: string, info?: GraphQLResolveInfo) {
    return this.later(key, () => {
      const fault = this.isFaulty(key) && this.pick(key, FAULTS);
      return fault ? fault(key, info) : this.value(type, key);
    });
  }

  private value(type: GraphQLOutputType, key: string): unknown {
    const inner = getNullableType(type);
    if (isListType(inner)) {
      // graphql-js leaves rejections unhandled if an item fails before its siblings settle.
      const isSafe = !isNonNullType(inner.ofType) || this.seed % 3 === 0;
      const items = Array.from({ length: this.random(key, 'length') % 4 }, (_, index) => {
        const item = this.item(inner.ofType, `${key}[${index}]`);
        return isSafe ? item : settled(Promise.resolve(item));
      });
      return this.pick(key, [items, items, new Set(items), items.values()]);
    }
    if (isObjectType(inner)) return this.object(inner, key);
    if (isAbstractType(inner)) {
      return this.object(this.pick(key, this.schema.getPossibleTypes(inner)), key);
    }
    const name = getNamedType(inner).name;
    if (this.isFaulty(`${key} leaf`)) return this.pick(key, WRONG[name]);
    return name === 'String' && this.random(key, 'large') % 200 === 0
      ? LARGE
      : this.pick(key, RIGHT[name]);
  }

  private item(type: GraphQLOutputType, key: string): unknown {
    try {
      return this.result(type, key);
    } catch (error) {
      return error instanceof Error ? error : null;
    }
  }

  later(key: string, make: () => unknown): unknown {
    const share = [0, 30, 70][this.seed % 3];
    if (this.random(key, 'later') % 100 >= share) return make();
    const delay = this.pick(key, DELAYS);
    const result = delay(this.isSlow ? async () => DELAYS[2](make) : make);
    return result instanceof Promise ? settled(result) : result;
  }

  isFaulty(key: string): boolean {
    return this.random(key, 'fault') % 1000 < [0, 10, 60, 200][this.seed % 4];
  }

  pick<T>(key: string, list: readonly T[]): T {
    return list[this.random(key, 'pick') % list.length];
  }

  /** FNV-1a with a final mix. */
  private random(key: string, purpose: string): number {
    let hash = 2_166_136_261 ^ this.seed;
    for (const char of `${purpose} ${key}`) hash = Math.imul(hash ^ char.charCodeAt(0), 16_777_619);
    hash = Math.imul(hash ^ (hash >>> 15), 2_246_822_519);
    return (hash ^ (hash >>> 13)) >>> 0;
  }
}

/** Every third field of an object has no resolver. The context is a `FuzzedWorld`. */
export function createFuzzedSchema(sdl = FUZZED_SDL): GraphQLSchema {
  const schema = buildSchema(sdl);
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    if (isEnumType(type)) {
      type.getValues().forEach((value, index) => (value.value = RIGHT['Colour'][index]));
    } else if (isScalarType(type) && type.name === 'Odd') {
      type.serialize = (value) =>
        value === 'throw' ? raise(new Error('Odd')) : value === 'null' ? null : value;
    } else if (isObjectType(type)) {
      resolveFields(schema, type);
    } else if (isAbstractType(type)) {
      type.resolveType = (value: any, world: FuzzedWorld) =>
        world.later(`${value?.key} type`, () =>
          world.isFaulty(`${value?.key} type`)
            ? world.pick(value?.key, ['Unknown', 'Colour', 'Query', undefined, 7 as any])
            : (value?.__typename ?? 'C'),
        ) as any;
    }
  }
  const c = schema.getType('C') as GraphQLObjectType;
  c.isTypeOf = (value, world: FuzzedWorld) =>
    world.later(`${value.key} is`, () => !world.isFaulty(`${value.key} is`)) as any;
  return schema;
}

function resolveFields(schema: GraphQLSchema, type: GraphQLObjectType): void {
  Object.values(type.getFields()).forEach((field, index) => {
    if (type.name === 'Mutation') {
      field.resolve = (_root, args, world: FuzzedWorld, info) => {
        world.order.push(`${pathOf(info).join()} after ${world.calls.length}`);
        if (field.name === 'order') return world.order.map((one) => one.split(' ')[0]);
        return world.resolve(field.type, field.name, args, info);
      };
    } else if (field.name === 'where') {
      field.resolve = (source, _args, world: FuzzedWorld, info) =>
        JSON.stringify({
          key: source.key,
          ...(!isBelowShared(source.key) && { path: pathOf(info), typename: info.path.typename }),
          field: `${info.parentType.name}.${info.fieldName}: ${String(info.returnType)}`,
          fieldNodes: info.fieldNodes.map((node) => node.loc),
          schema: info.schema === schema,
          fragments: Object.keys(info.fragments),
          operation: info.operation.name,
          rootValue: info.rootValue === world.root,
          variableValues: Object.keys(info.variableValues),
        });
    } else if (index % 3 !== 0) {
      field.resolve = (source, args, world: FuzzedWorld, info) =>
        world.resolve(field.type, `${source.key}.${field.name}`, args, info);
    }
  });
}
