import fc from 'fast-check';
import { Sandbox } from '../../src/platform/scripts/sandbox';
import { built } from '../support/service/built';
import { SANDBOX_PROGRAM, SLOW_SANDBOXES } from '../support/service/programs';
import { rounds } from '../support/rounds';

const MEBIBYTE = 1024 * 1024;
const opened: Sandbox[] = [];
const never = new AbortController().signal;

function open({
  timeoutMs = 20_000,
  memoryMebibytes = 64,
  program = built(SANDBOX_PROGRAM),
} = {}): Sandbox {
  const sandbox = new Sandbox({ timeoutMs, memoryBytes: memoryMebibytes * MEBIBYTE, program });
  opened.push(sandbox);
  return sandbox;
}
afterAll(() => opened.forEach((sandbox) => sandbox[Symbol.dispose]()));

const shared = open();

async function result(
  code: string,
  variables: Record<string, unknown> = {},
  sandbox = shared,
): Promise<unknown> {
  const inputs = Object.entries(variables).map(
    ([name, value]) => [name, JSON.stringify(value)] as const,
  );
  return JSON.parse(await sandbox.evaluate({ language: 'js', code, variables: inputs }, never));
}

/** Code and message of a script without a value. */
async function failure(code: string, sandbox = shared): Promise<{ code: string; message: string }> {
  return result(code, {}, sandbox).then(
    (value) => {
      throw new Error(`There was a value: ${JSON.stringify(value)}`);
    },
    (error: { code: string; message: string }) => ({ code: error.code, message: error.message }),
  );
}

describe('a script', () => {
  it.each<[string, string, unknown]>([
    ['assigns its result', 'RESULT_VAR = VAR_0.toUpperCase();', 'ABC'],
    ['may declare the result', 'let RESULT_VAR = VAR_0 + 1', 'abc1'],
    ['may return early with a value', 'if (VAR_0) return 7; RESULT_VAR = 8', 7],
    [
      'may return early with the assigned result',
      'RESULT_VAR = 6; if (VAR_0) return; RESULT_VAR = 8',
      6,
    ],
    [
      'may return early with an assigned result that it has read',
      'Object.defineProperty(globalThis, "RESULT_VAR", {get: () => 5}); return',
      5,
    ],
    ['may end in a comment', 'RESULT_VAR = 1 // one', 1],
    ['may use strict mode', '"use strict"; RESULT_VAR = typeof this', 'undefined'],
    [
      'may redeclare its variables',
      'var VAR_0 = VAR_0 || "x"; RESULT_VAR = typeof VAR_0',
      'string',
    ],
    ['gives null', 'RESULT_VAR = null', null],
    ['returns a date as JSON', 'RESULT_VAR = new Date(0)', '1970-01-01T00:00:00.000Z'],
    [
      'returns a list as JSON',
      'RESULT_VAR = [undefined, NaN, () => 1, new String("s")]',
      [null, null, null, 's'],
    ],
    [
      'cannot affect the reader of its result',
      'JSON.stringify = () => "evil"; Object.prototype.toString = Array.prototype.toString = () => { throw 1 }; RESULT_VAR = {a: [1]}',
      { a: [1] },
    ],
  ])('%s', async (_what, code, value) => {
    expect(await result(code, { VAR_0: 'abc' })).toEqual(value);
  });

  it('has no access to the host, and cannot wait or load code', async () => {
    const names = [
      ...['process', 'require', 'module', 'Buffer', 'console', 'fetch', 'setTimeout'],
      ...['queueMicrotask', 'WebAssembly', 'Atomics', 'performance', 'std', 'os', 'print'],
      ...['scriptArgs', 'parse', 'define'],
    ];
    expect(
      await result(
        `RESULT_VAR = ${JSON.stringify(names)}.filter((name) => typeof globalThis[name] !== 'undefined')`,
      ),
    ).toEqual([]);
    expect(
      await result(
        'RESULT_VAR = Object.getOwnPropertyNames(globalThis).filter((name) => typeof globalThis[name] === "function" && !/native code/.test(Function.prototype.toString.call(globalThis[name])))',
      ),
    ).toEqual([]);
  });

  it.each([
    '}); evil = 1; ({',
    '}); evil = 1; (function () {',
    '}, evil = 1, function () {',
    '}(evil = 1), function () {',
    '} evil = 1; function g() {',
    '}, evil: RESULT_VAR = 1, g() {',
    '} }).script; evil = 1; ({ script() {',
    '}, get evil() {',
    '}; evil = 1; {',
    '}\n/*',
    '`}); ${',
    '}//',
    'return 1 } ; { //',
    '}]; evil = 1; [{',
    '} evil() {',
    '}\n`${function () {',
  ])('cannot escape its wrapper: %s', async (code) => {
    expect(await failure(code)).toMatchObject({
      code: 'SCRIPT_ERROR',
      message: expect.stringMatching(/SyntaxError/),
    });
  });

  it('may contain texts, patterns and comments that resemble the end of a function', async () => {
    expect(
      await result(
        '/* }); */ var a = "}); evil(); ({"; var b = /[}\\])({]/.test("}"); var c = `}${"}"}`; RESULT_VAR = [a, b, c] // }, {',
      ),
    ).toEqual(['}); evil(); ({', true, '}}']);
    expect(
      await result('RESULT_VAR = (function () { return { f() { return 3; } }; })().f();'),
    ).toBe(3);
  });

  it('leaves no state for the next script', async () => {
    const leave =
      'leak = 1; globalThis.Array = null; Object.prototype.left = 1; String.prototype.trim = () => "taken"; RESULT_VAR = typeof leak';
    expect(await result(leave)).toBe('number');
    expect(
      await result('RESULT_VAR = [typeof leak, typeof Array, typeof {}.left, " a ".trim()]'),
    ).toEqual(['undefined', 'function', 'undefined', 'a']);
  });

  it('reports the line of an error', async () => {
    expect(await failure('\n\nnull.x')).toEqual({
      code: 'SCRIPT_ERROR',
      message: "Line 3: TypeError: cannot read property 'x' of null",
    });
    expect(await failure('var a = 1;\nlet b = ;')).toMatchObject({
      code: 'SCRIPT_ERROR',
      message: expect.stringMatching(/^Line 2: SyntaxError: /),
    });
    for (const [code, line] of [
      ['f(', 1],
      ['RESULT_VAR = [1,\n2', 2],
      ['if (1) {\n\n', 3],
    ] as const)
      expect((await failure(code)).message).toMatch(new RegExp(`^Line ${line}: SyntaxError: `));
    expect(await failure('function f() {\n  throw new RangeError("too far")\n}\nf()')).toEqual({
      code: 'SCRIPT_ERROR',
      message: 'Line 2: RangeError: too far',
    });
  });
});

describe('a script result that is not a value', () => {
  it.each([
    ['nothing', ''],
    ['nothing before it returns', 'return; RESULT_VAR = 1'],
    ['undefined', 'RESULT_VAR = undefined'],
    ['a function', 'RESULT_VAR = function () {}'],
    ['a symbol', 'RESULT_VAR = Symbol("a")'],
    ['a BigInt', 'RESULT_VAR = 1n'],
    ['a BigInt within', 'RESULT_VAR = {a: [1n]}'],
    ['NaN', 'RESULT_VAR = 0 / 0'],
    ['infinity', 'RESULT_VAR = -1 / 0'],
    ['a cyclic object', 'RESULT_VAR = {}; RESULT_VAR.a = RESULT_VAR'],
    ['a promise', 'RESULT_VAR = Promise.resolve(1)'],
    ['the promise of an async function', 'RESULT_VAR = (async () => { for (;;) await null })()'],
    ['a value that serialises to nothing', 'RESULT_VAR = {toJSON() {}}'],
    [
      'a value that cannot be serialised',
      'Object.prototype.toJSON = () => { throw new Error("no") }; RESULT_VAR = {}',
    ],
    ['a proxy that refuses', 'RESULT_VAR = new Proxy({}, {ownKeys() { throw 1 }})'],
    [
      'a value nested too deeply',
      'let a = []; for (let i = 0; i < 1e5; i++) a = [a]; RESULT_VAR = a',
    ],
  ])('is an error: %s', async (_what, code) => {
    expect(await failure(code)).toMatchObject({
      code: 'SCRIPT_RESULT_INVALID',
      message: expect.stringMatching(/^RESULT_VAR is no JSON: ./),
    });
  });
});

describe('a hostile script ends with its code', () => {
  it.each([
    ['null', 'throw null'],
    ['a number', 'throw 5'],
    ['a symbol', 'throw Symbol("a")'],
    ['an empty object', 'throw {}'],
    [
      'a value that throws when it is shown',
      'throw {toString() { throw 1 }, get name() { throw 2 }, get message() { throw 3 }, get stack() { throw 4 }}',
    ],
    ['a message that is not a string', 'throw {name: {}, message: 1, stack: []}'],
    ['a proxy', 'throw new Proxy({}, {get() { throw 1 }})'],
    ['deep calls', 'function f() { return f() + 1 } f()'],
    ['deep sorting', 'function f() { return [1, 2].sort(() => f()) } f()'],
    ['deep generators', 'function* f() { yield* f() } [...f()]'],
    ['deep texts', 'let o = {toString() { return "" + o }}; "" + o'],
    ['deep proxies', 'let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); p.x'],
    ['deep code', 'eval("(".repeat(1e5))'],
    ['deep JSON', 'JSON.parse("[".repeat(1e6))'],
    ['a text beyond the size limit', 'let s = "x"; for (;;) s += s'],
    ['a number beyond the size limit', 'let b = 2n; for (;;) b = b * b'],
    ['a pattern beyond the size limit', 'new RegExp("(".repeat(1e5) + ")".repeat(1e5))'],
    ['code that leaves its function', '}); throw 1; (function () {'],
  ])('SCRIPT_ERROR: %s', async (_what, code) => {
    expect(await failure(code)).toMatchObject({
      code: 'SCRIPT_ERROR',
      message: expect.stringMatching(/./),
    });
  });

  it.each([
    ['a list', 'let a = []; for (;;) a.push(new Array(1000).fill(1))'],
    ['a map', 'let m = new Map(), i = 0; for (;;) m.set(i++, {})'],
    ['buffers', 'let b = []; for (;;) b.push(new Uint8Array(1e6))'],
    ['a single buffer', 'new ArrayBuffer(1e9)'],
    ['a single text', '"x".repeat(2 ** 30 - 1)'],
    ['a result beyond the size limit', 'RESULT_VAR = "é".repeat(3e7)'],
    ['closures', 'let f = () => 1; for (;;) f = f.bind(null)'],
  ])('SCRIPT_OUT_OF_MEMORY: %s', async (_what, code) => {
    expect(await failure(code)).toMatchObject({ code: 'SCRIPT_OUT_OF_MEMORY' });
    expect(await result('RESULT_VAR = 1')).toBe(1);
  });

  it('on a machine with slow memory: for memory if that ended it, otherwise for time', async () => {
    const slow = (): Sandbox => open({ program: SLOW_SANDBOXES.memory });
    expect(await failure('let b = []; for (;;) b.push(new Uint8Array(1e6))', slow())).toMatchObject(
      { code: 'SCRIPT_OUT_OF_MEMORY' },
    );
    expect(
      await failure(
        'let b = []; for (let n = 0; n < 40; n++) b.push(new Uint8Array(1e6)); for (;;);',
        slow(),
      ),
    ).toMatchObject({ code: 'SCRIPT_TIMEOUT' });
  });

  describe('SCRIPT_TIMEOUT:', () => {
    const hasty = open({ timeoutMs: 100 });

    it.each([
      ['a loop', 'for (;;);'],
      ['a loop that catches everything', 'for (;;) { try { for (;;); } catch {} }'],
      ['a loop that cleans up', 'try { for (;;); } finally { for (;;); }'],
      ['a pattern', '/(a+)+b/.test("a".repeat(60))'],
      ['a comparison', '[3, 2, 1].sort(() => { for (;;); })'],
      ['the message of its error', 'throw {get message() { for (;;); }}'],
      [
        'the assigned result',
        'Object.defineProperty(globalThis, "RESULT_VAR", {get() { for (;;); }}); return',
      ],
      ['the serialisation of its result', 'RESULT_VAR = {toJSON() { for (;;); }}'],
      ['garbage', 'for (;;) { try { let a = []; for (;;) a.push("x".repeat(1e5)) } catch {} }'],
    ])('%s', async (_what, code) => {
      expect(await failure(code, hasty)).toMatchObject({ code: 'SCRIPT_TIMEOUT' });
    });

    it('for uninterruptible code, and the next script runs', async () => {
      const sandbox = open({ timeoutMs: 1_000 });
      expect(await failure('[].indexOf.call({length: 2 ** 53 - 1}, 1)', sandbox)).toMatchObject({
        code: 'SCRIPT_TIMEOUT',
      });
      expect(await result('RESULT_VAR = 1', {}, sandbox)).toBe(1);
    });

    it('for a script without any time left', async () => {
      expect(await failure('RESULT_VAR = 1', open({ timeoutMs: 0 }))).toMatchObject({
        code: 'SCRIPT_TIMEOUT',
      });
    });
  });

  it('for input above its size limit', async () => {
    await expect(
      result('RESULT_VAR = 1', { VAR_0: 'x'.repeat(5 * MEBIBYTE) }, open({ memoryMebibytes: 20 })),
    ).rejects.toMatchObject({ code: 'SCRIPT_OUT_OF_MEMORY' });
    await expect(
      shared.evaluate(
        {
          language: 'js',
          code: 'RESULT_VAR = 1',
          variables: [['VAR_0', '['.repeat(1e6) + ']'.repeat(1e6)]],
        },
        never,
      ),
    ).rejects.toMatchObject({ code: 'SCRIPT_ERROR', message: expect.stringContaining('VAR_0') });
  });
});

describe('a stopped run', () => {
  it.each([
    ['a loop', 'for (;;);'],
    ['a native call without interrupt checks', '[].indexOf.call({length: 2 ** 53 - 1}, 1)'],
  ])('ends %s', async (_what, code) => {
    const sandbox = open();
    await result('RESULT_VAR = 1', {}, sandbox);
    const stop = new AbortController();
    const running = sandbox.evaluate({ language: 'js', code, variables: [] }, stop.signal);
    setImmediate(() => stop.abort(new Error('stopped')));
    await expect(running).rejects.toThrow('stopped');
    await expect(
      sandbox.evaluate({ language: 'js', code: '', variables: [] }, stop.signal),
    ).rejects.toThrow('stopped');
  });
});

it('the sandbox passes any JSON to a script and back unchanged', async () => {
  const key = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 5 }),
    fc.constantFrom('__proto__', 'constructor', 'toJSON', 'length', ''),
  );
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .array(fc.integer({ min: 0xd700, max: 0xe000 }))
      .map((codes) => String.fromCharCode(...codes)),
    fc.constant('\0\u2028\ufeff'),
  );
  const number = fc.oneof(
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.maxSafeInteger(),
    fc.constantFrom(5e-324, 1.7976931348623157e308, 1e21, 2 ** 53 + 2),
  );
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom(null, true, false),
      number,
      text,
      fc.array(tie('value'), { maxLength: 4 }),
      fc
        .array(fc.tuple(key, tie('value')), { maxLength: 4 })
        .map((entries) => Object.fromEntries(entries)),
    ),
  }));
  await fc.assert(
    fc.asyncProperty(value, async (any) => {
      const json = JSON.stringify(any);
      expect(
        await shared.evaluate(
          { language: 'js', code: 'RESULT_VAR = VAR_0', variables: [['VAR_0', json]] },
          never,
        ),
      ).toBe(json);
    }),
    { numRuns: rounds(300) },
  );
});
