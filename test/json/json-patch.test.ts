import fc from 'fast-check';
import { applyPatch as applyByLibrary, getValueByPointer, JsonPatchError } from 'fast-json-patch';
import { MAX_OPERATIONS, parsePatch } from '../../src/features/workflows/editing/json-patch';
import { applyPatch } from '../../src/features/workflows/editing/workflow-patch';
import { DomainError } from '../../src/platform/errors/errors';
import { rounds } from '../support/rounds';

const MOST = 100_000;

/** The value, or the error code. */
function patched(value: object, patch: unknown): unknown {
  try {
    return applyPatch(
      { id: null, value: value as any, ids: [], lists: [], put: (one) => one },
      parsePatch(patch),
      MOST,
    ).value;
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
}

const value = fc.letrec((tie) => ({
  leaf: fc.constantFrom<unknown>(null, true, 0, 1.5, '', 'text', 'a/b~'),
  tree: fc.oneof(
    { depthSize: 'small' },
    tie('leaf'),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'a/b', 'm~n', '', '0', ' '), tie('tree'), {
      maxKeys: 4,
    }),
  ),
})).tree;
const object = fc.dictionary(fc.constantFrom('a', 'b', 'a/b', 'm~n', '0'), value, {
  minKeys: 1,
  maxKeys: 4,
});

/** Every path of a value, and invalid neighbours. */
function pointersOf(root: unknown, at = ''): string[] {
  const names = Array.isArray(root)
    ? [...root.keys(), root.length, '-', '01', '-1', '9'].map(String)
    : typeof root === 'object' && root !== null
      ? [...Object.keys(root), 'new']
      : [];
  return [
    at,
    ...names.flatMap((name) => {
      const path = `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      const inside = (root as any)[name];
      return inside === undefined ? [path] : pointersOf(inside, path);
    }),
  ];
}
const patches = object.chain((root) => {
  const pointer = fc.constantFrom(...pointersOf(root).filter((path) => path !== ''));
  const operation = fc.oneof(
    fc.record({ op: fc.constantFrom('add', 'replace', 'test'), path: pointer, value }),
    fc.record({ op: fc.constant('remove'), path: pointer }),
    fc.record({ op: fc.constantFrom('move', 'copy'), path: pointer, from: pointer }),
  );
  return fc.tuple(fc.constant(root), fc.array(operation, { minLength: 1, maxLength: 8 }));
});

/** Whether the path contains a list element without a number, which the library reads as the first. */
function readsAsFirst(root: unknown, pointer: string): boolean {
  let inside: any = root;
  for (const name of pointer.split('/').slice(1)) {
    if (name === '' && Array.isArray(inside)) return true;
    inside = inside?.[name.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return false;
}

/** The parent value of a pointer. */
const parentIn = (root: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1, -1)
    .reduce<any>(
      (inside, name) => inside?.[name.replaceAll('~1', '/').replaceAll('~0', '~')],
      root,
    );

/** RFC 6902, 4.4 and 4.5: a move is a removal and an addition, a copy an addition; the library checks paths in this form. */
function inSimpleOperations(document: unknown, operation: any): any[] {
  const { op, path, from } = operation;
  if (op !== 'move' && op !== 'copy') return [operation];
  const value: unknown = structuredClone(getValueByPointer(document, from));
  if (value === undefined) return [{ op: 'remove', path: from }];
  return [...(op === 'move' ? [{ op: 'remove', path: from }] : []), { op: 'add', path, value }];
}

/** The result of the library; undefined if it rejects. Excludes fields of texts, numbers and null, which it ignores silently. */
function byLibrary(root: object, patch: readonly any[]): unknown {
  let document: any = structuredClone(root);
  try {
    for (const operation of structuredClone(patch) as any[]) {
      for (const pointer of [operation.path, operation.from ?? operation.path]) {
        const parent = parentIn(document, pointer);
        if (typeof parent !== 'object' || parent === null || readsAsFirst(document, pointer))
          return undefined;
      }
      for (const one of inSimpleOperations(document, operation))
        document = applyByLibrary(document, [one], true, false).newDocument;
    }
    return document;
  } catch (error) {
    if (error instanceof JsonPatchError) return undefined;
    throw error;
  }
}

describe('a JSON patch', () => {
  it('gives the same result or rejection as another implementation', () => {
    let [done, refused] = [0, 0];
    fc.assert(
      fc.property(patches, ([root, patch]) => {
        const loose = patch.some(
          (one: any) =>
            /\/(01|-1)(\/| |$)/.test(`${one.path} ${one.from ?? ''}`) ||
            (one.from !== undefined && (one.path as string).startsWith(`${one.from}/`)),
        );
        fc.pre(!loose);
        const before = JSON.stringify(root);
        const [actual, expected] = [patched(root, patch), byLibrary(root, patch)];
        expect(JSON.stringify(root)).toBe(before);
        if (expected === undefined) {
          expect(['PATH_IS_INVALID', 'PATCH_TEST_FAILED']).toContain(actual);
          refused += 1;
        } else {
          expect(actual).toEqual(expected);
          done += 1;
        }
      }),
      { numRuns: rounds(2_000) },
    );
    expect(Math.min(done, refused)).toBeGreaterThan(rounds(100));
  });

  it('requires a number for a list element', () => {
    const root = { list: [[1]], deep: [{ list: [1] }] };
    for (const one of [
      { op: 'add', path: '/list/', value: 1 },
      { op: 'replace', path: '/list/', value: 1 },
      { op: 'remove', path: '/list//0' },
      { op: 'test', path: '/deep/0/list/', value: 1 },
      { op: 'copy', from: '/deep/0/list/', path: '/x' },
      { op: 'move', from: '/deep//list', path: '/x' },
    ]) {
      expect([one, patched(root, [one])]).toEqual([one, 'PATH_IS_INVALID']);
    }
  });

  it('never shares a value between a path and its copy', () => {
    const patch = [
      { op: 'add', path: '/a', value: { deep: { list: [1] } } },
      { op: 'add', path: '/a/deep/list/-', value: 2 },
      { op: 'copy', from: '/a', path: '/b' },
      { op: 'add', path: '/b/deep/list/-', value: 3 },
      { op: 'replace', path: '/a/deep/list/0', value: 0 },
      { op: 'move', from: '/a/deep', path: '/c' },
    ];
    expect(patched({}, patch)).toEqual({
      a: {},
      b: { deep: { list: [1, 2, 3] } },
      c: { list: [0, 2] },
    });
  });

  it.each<[object]>([
    [{ op: 'add', path: '/l/01', value: 1 }],
    [{ op: 'add', path: '/l/3', value: 1 }],
    [{ op: 'remove', path: '/l/-' }],
    [{ op: 'replace', path: '/l/2', value: 1 }],
    [{ op: 'add', path: '/l/+1', value: 1 }],
    [{ op: 'add', path: '/t/0', value: 1 }],
    [{ op: 'add', path: '/no/thing', value: 1 }],
    [{ op: 'move', from: '/o', path: '/o/x' }],
    [{ op: 'move', from: '', path: '/x' }],
    [{ op: 'remove', path: '' }],
    [{ op: 'remove', path: '/o/length' }],
    [{ op: 'test', path: '/l/length', value: 2 }],
    [{ op: 'test', path: '/o/toString', value: null }],
    [{ op: 'add', path: 'l', value: 1 }],
    [{ op: 'add', path: '/~2', value: 1 }],
    [{ op: 'add', path: '/a~', value: 1 }],
    ...['__proto__', 'constructor', 'prototype'].flatMap((name): [object][] => [
      [{ op: 'add', path: `/o/${name}`, value: {} }],
      [{ op: 'add', path: `/${name}/x`, value: 1 }],
      [{ op: 'copy', from: `/${name}`, path: '/o' }],
      [{ op: 'test', path: `/o/${name}/x`, value: 1 }],
    ]),
    [{ op: 'replace', path: '', value: [] }],
  ])('is rejected: %j', (operation) => {
    const root = { l: [1, 2], t: 'text', o: { deep: 1 } };
    expect(patched(root, [operation])).toBe('PATH_IS_INVALID');
    expect(root).toEqual({ l: [1, 2], t: 'text', o: { deep: 1 } });
    expect(({} as any).x).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ['no list', {}],
    ['an invalid operation', [null]],
    ['an unknown operation', [{ op: 'merge', path: '/a' }]],
    ['no operation', [{ path: '/a' }]],
    ['no value', [{ op: 'add', path: '/a' }]],
  ])('is invalid: %s', (_what, sent) => {
    expect(patched({ a: 1 }, sent)).toBe('PATCH_INVALID');
  });

  it('has a maximum number of operations', () => {
    const patch = (count: number): object[] =>
      Array.from({ length: count }, () => ({ op: 'test', path: '/a', value: 1 }));
    expect(patched({ a: 1 }, patch(MAX_OPERATIONS))).toEqual({ a: 1 });
    expect(patched({ a: 1 }, patch(MAX_OPERATIONS + 1))).toBe('PAYLOAD_TOO_LARGE');
  });

  it.each<[string, object[]]>([
    [
      'doubling lists',
      Array.from({ length: 40 }, () => ({ op: 'copy', from: '/a', path: '/a/-' })),
    ],
    [
      'doubling objects',
      Array.from({ length: 40 }, (_, nth) => ({ op: 'copy', from: '/o', path: `/o/x${nth}` })),
    ],
  ])('cannot copy more than the size limit of a workflow: %s', (_what, patch) => {
    expect(['PAYLOAD_TOO_LARGE', 'WORKFLOW_INVALID']).toContain(
      patched({ a: [['x'.repeat(10)]], o: { y: 'z' } }, patch),
    );
  });

  it('compares values as JSON, regardless of key order', () => {
    const root = { a: { x: 1, y: [null, { z: 'é' }] } };
    expect(
      patched(root, [{ op: 'test', path: '/a', value: { y: [null, { z: 'é' }], x: 1.0 } }]),
    ).toEqual(root);
    for (const other of [
      { x: 1 },
      { x: '1', y: [null, { z: 'é' }] },
      { x: 1, y: [{ z: 'é' }, null] },
      null,
    ])
      expect(patched(root, [{ op: 'test', path: '/a', value: other }])).toBe('PATCH_TEST_FAILED');
  });
});
