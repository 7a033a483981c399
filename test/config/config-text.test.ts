import fc from 'fast-check';
import { parseAllDocuments } from 'yaml';
import { ChangeError } from '../../src/platform/config-file/changes';
import type { Change } from '../../src/platform/config-file/changes';
import { readConfigText, sourceOf } from '../../src/platform/config-file/config-text';
import type { ConfigNode, ConfigText } from '../../src/platform/config-file/config-node';
import { editConfig } from '../../src/platform/config-file/edit-config';
import type { Value } from '../../src/platform/config-file/parse-yaml';

const edit = (file: ConfigText, changes: readonly Change[]): ConfigText =>
  editConfig(file, changes).text;
const edited = (source: string, ...changes: Change[]): string =>
  sourceOf(edit(readConfigText(source), changes));
const outline = (nodes: readonly ConfigNode[]): string[] =>
  nodes.flatMap((node) => [
    `${node.status === 'active' ? '' : '#'}${node.path}${node.children.length > 0 ? '' : `=${JSON.stringify(node.value())}`}`,
    ...outline(node.children),
  ]);
const outlineOf = (source: string): string[] => outline(readConfigText(source).roots);

const RELEASED = `# Configuration of the service.
# Restart it after a change.

server:
  port: 9090
#  ssl:
#    key-store: keys.p12   # PKCS12
#    key-alias: tomcat
spring:
  datasource:
    # The user of the database: it must exist.
    username: 'acme'
    password: "secret1234"
# mail:
#   host: smtp.example.com
#   properties:
#     mail.smtp.auth: true
acme:
  debug_mode: on          # aligned
  token: {secret: abc, activity-time: 18000}
  origins:
    - https://a.example
    - https://b.example
  # note: see the manual
  text: |
    one
    # two

    three
  #proxy: http://p
  base: &base 10
  copy: *base

# The end.
`;

describe('reading a configuration file', () => {
  it('finds keys that are commented out, with everything below them', () => {
    expect(outlineOf(RELEASED)).toEqual([
      'server',
      'server.port=9090',
      '#server.ssl',
      '#server.ssl.key-store="keys.p12"',
      '#server.ssl.key-alias="tomcat"',
      'spring',
      'spring.datasource',
      'spring.datasource.username="acme"',
      'spring.datasource.password="secret1234"',
      '#mail',
      '#mail.host="smtp.example.com"',
      '#mail.properties',
      '#mail.properties.mail.smtp.auth=true',
      'acme',
      'acme.debug_mode=true',
      'acme.token',
      'acme.token.secret="abc"',
      'acme.token.activity-time=18000',
      'acme.origins',
      'acme.origins[0]="https://a.example"',
      'acme.origins[1]="https://b.example"',
      'acme.text="one\\n# two\\n\\nthree\\n"',
      '#acme.proxy="http://p"',
      'acme.base=10',
      'acme.copy=10',
    ]);
  });

  it('keeps comments apart: of the file, and of each key', () => {
    const file = readConfigText(RELEASED);
    expect(file.comments).toEqual([
      { position: 'header', text: 'Configuration of the service.\nRestart it after a change.' },
      { position: 'footer', text: 'The end.' },
    ]);
    const commentsOf = (path: string) => file.byPath.get(path)?.comments;
    expect(commentsOf('spring.datasource.username')).toEqual([
      { position: 'before', text: 'The user of the database: it must exist.' },
    ]);
    expect(commentsOf('acme.debug_mode')).toEqual([{ position: 'inline', text: 'aligned' }]);
    expect(commentsOf('server.ssl.key-store')).toEqual([{ position: 'inline', text: 'PKCS12' }]);
  });

  it.each([
    ['# Note: restart the service'],
    ['# note: restart'],
    ['# The port: use one that is free'],
    ['# port: the port that the server listens on'],
    ['# Later: remove'],
    ['# see: https://example.com'],
    ['# Example:'],
    ['# http://example.com'],
    ['# 1. first: this'],
    ['# one two: three'],
    ['#### server: ####'],
    ['#'],
  ])('does not mistake a remark for a key: %s', (comment) => {
    expect(outlineOf(`a: 1\n${comment}\nb: 2\n`)).toEqual(['a=1', 'b=2']);
  });

  it.each([
    ['the # in the first column', '#  x: 1'],
    ['the # at the key', '  #x: 1'],
    ['a blank after the #', '  # x: 1'],
    ['a blank after the # in the first column', '#   x: 1'],
  ])('finds the level of an inactive key with %s', (_what, line) => {
    expect(outlineOf(`a:\n  b: 1\n${line}\n  c: 2\n`)).toEqual(['a', 'a.b=1', '#a.x=1', 'a.c=2']);
  });

  it('reads values as YAML 1.1 does', () => {
    expect(
      outlineOf('a: off\nb: "off"\nc: 0777\nd: ~\ne: 1_000\nf: 12345678901234567890\ng: Yes\n'),
    ).toEqual([
      'a=false',
      'b="off"',
      'c=511',
      'd=null',
      'e=1000',
      'f="12345678901234567890"',
      'g=true',
    ]);
  });
});

describe('editing a configuration file', () => {
  it.each<[string, string, Change, string]>([
    ['keeps double quotes', 'a: "x" # c\n', { path: 'a', value: 'y"' }, 'a: "y\\"" # c\n'],
    ['keeps single quotes', "a:   'x'\n", { path: 'a', value: "it's" }, "a:   'it''s'\n"],
    ['keeps a plain text', 'a: x\r\nb: 1\r\n', { path: 'a', value: 'z' }, 'a: z\r\nb: 1\r\n'],
    ['quotes what would be no text', 'a: x\n', { path: 'a', value: 'off' }, 'a: "off"\n'],
    ['keeps the type of a number', 'a: 1\n', { path: 'a', value: '2' }, 'a: 2\n'],
    ['keeps a quoted number', 'a: "1"\n', { path: 'a', value: 2 }, 'a: "2"\n'],
    ['keeps the word for a boolean', 'a: On\n', { path: 'a', value: false }, 'a: Off\n'],
    [
      'keeps a block text',
      'a: |\n  one\n  two\nb: 1\n',
      { path: 'a', value: 'one\n\nthree\n' },
      'a: |\n  one\n\n  three\nb: 1\n',
    ],
    ['keeps an anchor', 'a: &x 1\nb: *x\n', { path: 'a', value: 2 }, 'a: &x 2\nb: *x\n'],
    ['fills an empty value', 'a: # c\nb: 1\n', { path: 'a', value: 'x' }, 'a: x # c\nb: 1\n'],
    [
      'changes a value in braces',
      'a: {b: 1,  c: 2}\n',
      { path: 'a.c', value: 3 },
      'a: {b: 1,  c: 3}\n',
    ],
    ['adds a key in braces', 'a: {b: 1 }\n', { path: 'a.c', value: 'x' }, 'a: {b: 1, c: x }\n'],
    [
      'adds an entry to a list',
      'a:\n  -  x\nb: 1\n',
      { path: 'a', value: ['x', 'z'] },
      'a:\n  -  x\n  -  z\nb: 1\n',
    ],
    [
      'removes an entry of a list',
      'a:\n- x\n# c\n- y\nb: 1\n',
      { path: 'a', value: ['z'] },
      'a:\n- z\n# c\nb: 1\n',
    ],
    [
      'changes a list in brackets',
      'a: [ x, "y" ]\n',
      { path: 'a', value: ['x', 'z', '1'] },
      'a: [ x, "z", "1" ]\n',
    ],
    [
      'adds a key with the indentation of the file',
      'a:\n    b:\n        c: 1\n# foot\n',
      { path: 'a.d.e', value: 1 },
      'a:\n    b:\n        c: 1\n    d:\n        e: 1\n# foot\n',
    ],
    [
      'adds a key to a file without a line end',
      'a: 1',
      { path: 'b', value: [1] },
      'a: 1\nb:\n  - 1',
    ],
    ['adds a key to an empty file', '', { path: 'a.b', value: true }, 'a:\n  b: true\n'],
    [
      'adds an inactive key',
      'a:\n  b: 1\n',
      { path: 'a.c', value: 2, status: 'inactive' },
      'a:\n  b: 1\n#  c: 2\n',
    ],
    ['keeps a byte order mark', '\ufeffa: 1\n', { path: 'a', value: 2 }, '\ufeffa: 2\n'],
    [
      'changes an inactive value',
      'a:\n  # b: 1\n  c: 1\n',
      { path: 'a.b', value: 2 },
      'a:\n  # b: 2\n  c: 1\n',
    ],
    [
      'activates one key of a block',
      '#a:\n#  b: 1\n#  c: 2\n',
      { path: 'a.c', status: 'active' },
      'a:\n#  b: 1\n  c: 2\n',
    ],
    [
      'adds a key below an inactive one',
      '#a:\n#  b: 1\n',
      { path: 'a.c', value: 2, status: 'active' },
      'a:\n#  b: 1\n  c: 2\n',
    ],
  ])('%s', (_what, before, change, after) => {
    expect(edited(before, change)).toBe(after);
  });

  it('comments out a block with its comments and inactive keys, and restores it', () => {
    const before = 'a:\n  b: |\n    x\n\n    y\n  # remark\n#  c: 2\n\nd: 1\n';
    const file = edit(readConfigText(before), [{ path: 'a', status: 'inactive' }]);
    expect(sourceOf(file)).toBe('#a:\n#  b: |\n#    x\n#\n#    y\n#  # remark\n##  c: 2\n\nd: 1\n');
    expect(sourceOf(edit(file, [{ path: 'a', status: 'active' }]))).toBe(before);
  });

  it('chooses the alternative with the value that was sent', () => {
    expect(edited('#a: 1\n#a: 2\n', { path: 'a', value: 2, status: 'active' })).toBe(
      '#a: 1\na: 2\n',
    );
  });

  it.each<[string, string, Change, RegExp]>([
    ['a value for a block', 'a:\n  b: 1\n', { path: 'a', value: 1 }, /^a: it has keys below it/],
    ['a key below a value', 'a: 1\n', { path: 'a.b', value: 1 }, /^a: it has a value/],
    [
      'an inactive key in braces',
      'a: {b: 1}\n',
      { path: 'a.b', status: 'inactive' },
      /^a.b: the key shares its line/,
    ],
    [
      'an unknown key without a value',
      'a: 1\n',
      { path: 'b', status: 'active' },
      /^b: there is no such key/,
    ],
    ['a path with a line break', 'a: 1\n', { path: 'b\nc', value: 1 }, /not the path of a key/],
  ])('refuses %s', (_what, before, change, reason) => {
    expect(() => edited(before, change)).toThrow(reason);
    expect(() => edited(before, change)).toThrow(ChangeError);
  });
});

/** Comments in unusual places. Some look like keys, or like parts of the key above. */
const comment = fc.constantFrom(
  '# a remark of the author',
  '#',
  '# note: this is no key',
  '#   indented far, as some people do',
  '  # with a margin',
  '#!tight',
  '',
  '   ',
  '# https://example.com/a: b',
  '  #   d: x',
  '#  k: 1',
  ' # odd: 1',
  '# k0: old',
  '#k1:',
  '#    - item',
  '    #- item',
  '#   text: |',
  '#      of it',
  '## k2: 1',
);
const scalar = fc.constantFrom(
  '1',
  'text',
  '"quoted # text"',
  "'single'",
  'off',
  '~',
  '0.5',
  'a b c',
  '[x, "y"]',
  '{p: 1, q: x}',
  '"12"',
  '',
  '&s',
  '&s 1',
  '2001-01-01',
  '!!str 5',
);
const step = fc.constantFrom(' ', '  ', '    ');

/** Lines of keys, nested up to `depth` levels. */
function block(
  depth: number,
  indent: string,
  unit: string,
  prefix: string,
): fc.Arbitrary<string[]> {
  const entry = (name: string): fc.Arbitrary<string[]> => {
    const below = `${indent}${unit}`;
    const body = (...lines: string[]): fc.Arbitrary<string[]> =>
      fc.array(comment, { maxLength: 2 }).map((above) => [...above, ...lines]);
    const leaf = fc
      .tuple(
        scalar,
        fc.constantFrom('', ' # inline', '   # aligned: far'),
        fc.constantFrom(' ', '   '),
      )
      .chain(([value, after, gap]) =>
        body(`${indent}${name}:${value === '' ? '' : gap}${value}${after}`),
      );
    const text = fc
      .constantFrom('|', '|-', '>', '|+')
      .chain((style) => body(`${indent}${name}: ${style}`, `${below}one`, '', `${below}# two`));
    const longText = fc
      .constantFrom(['long', 'text of it'], ['"quoted', '# text"'], ['[ 1,', '2 ]'])
      .chain(([first, second]) => body(`${indent}${name}: ${first}`, `${below}${second}`));
    const items = fc
      .tuple(
        fc.array(fc.constantFrom('x', '"y"', '3', 'p: 1'), { minLength: 1, maxLength: 3 }),
        fc.constantFrom('', unit),
      )
      .chain(([values, more]) =>
        body(`${indent}${name}:`, ...values.map((value) => `${indent}${more}- ${value}`)),
      );
    const off = fc
      .tuple(fc.constantFrom('#', '# '), fc.constantFrom(true, false))
      .map(([hash, isFirst]) =>
        isFirst
          ? [`#${indent}${name}: x1`]
          : [`${indent}${hash}${name}:`, `${indent}${hash}${unit}below: 2`],
      );
    const kinds = [leaf, leaf, leaf, text, longText, items, off];
    if (depth === 0) return fc.oneof(...kinds);
    const nested = block(depth - 1, below, unit, name).chain((lines) =>
      body(`${indent}${name}:`, ...lines),
    );
    return fc.oneof(...kinds, nested, nested, nested);
  };
  return fc
    .integer({ min: 1, max: 4 })
    .chain((count) =>
      fc.tuple(...Array.from({ length: count }, (_each, index) => entry(`${prefix}k${index}`))),
    )
    .map((entries) => entries.flat());
}

const fileText = fc
  .tuple(step, fc.constantFrom('\n', '\r\n'), fc.boolean(), fc.boolean())
  .chain(([unit, lineEnd, isMarked, isClosed]) =>
    fc
      .tuple(block(2, '', unit, ''), fc.array(comment, { maxLength: 2 }))
      .map(
        ([lines, end]) =>
          (isMarked ? '\ufeff' : '') + [...lines, ...end].join(lineEnd) + (isClosed ? lineEnd : ''),
      ),
  )
  .filter((source) => parseAllDocuments(source).every(({ errors }) => errors.length === 0));

const pick = <T>(list: readonly T[], at: number): T => list[at % list.length];
describe('any sequence of edits', () => {
  it('of deactivations can be taken back, byte for byte', () => {
    fc.assert(
      fc.property(
        fileText,
        fc.array(fc.nat(), { minLength: 1, maxLength: 5 }),
        (source, choices) => {
          const files = [readConfigText(source)];
          const paths: string[] = [];
          for (const choice of choices) {
            const file = files[files.length - 1];
            const nodes = [...file.byPath.values()].filter(
              ({ status, ownsLines, key }) =>
                status === 'active' && ownsLines && !key.startsWith('['),
            );
            if (nodes.length === 0) break;
            const { path } = pick(nodes, choice);
            files.push(edit(file, [{ path, status: 'inactive' }]));
            paths.push(path);
          }
          for (const path of paths.reverse()) {
            const after = edit(files[files.length - 1], [{ path, status: 'active' }]);
            files.pop();
            expect(sourceOf(after)).toBe(sourceOf(files[files.length - 1]));
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it('of values, new keys and states changes only the lines of the key', () => {
    let [changes, refused] = [0, 0];
    fc.assert(
      fc.property(
        fileText,
        fc.array(
          fc.tuple(
            fc.nat(),
            fc.constantFrom('value', 'new', 'state'),
            fc.constantFrom<Value>('v w', 7, true, 'off', "it's", ['l', 2], '#', 'a: b', ''),
          ),
          { minLength: 1, maxLength: 6 },
        ),
        (source, steps) => {
          let file = readConfigText(source);
          for (const [choice, kind, value] of steps) {
            const node = pick([...file.byPath.values()], choice);
            const { path, status } = node;
            const change: Change = {
              value: { path, value },
              new: { path: `${path}.fresh${choice % 100}`, value: 1 },
              state: { path, status: status === 'active' ? 'inactive' : 'active' } as const,
            }[kind];
            const after = attempt(file, change);
            changes += 1;
            if (after === null) {
              refused += 1;
              continue;
            }
            expectUntouched(file, after, node, kind);
            file = after;
          }
        },
      ),
      { numRuns: 250 },
    );
    expect(changes).toBeGreaterThan(refused * 2);
  });
});

/** Applies a change. Null for a key that cannot take it: with keys below it, or in braces. */
function attempt(file: ConfigText, change: Change): ConfigText | null {
  try {
    return edit(file, [change]);
  } catch (error) {
    if (!(error instanceof ChangeError)) throw error;
    return null;
  }
}

/** All lines outside those of the key, or of the block that was commented out with it, stay. */
function expectUntouched(
  before: ConfigText,
  after: ConfigText,
  node: ConfigNode,
  kind: string,
): void {
  let top = node;
  while (top.parent?.status === 'inactive') top = top.parent;
  const linesOf = (file: ConfigText): string[] => sourceOf(file).split('\n');
  const [old, now] = [linesOf(before), linesOf(after)];
  expect(now.slice(0, top.firstLine)).toEqual(old.slice(0, top.firstLine));
  const rest = old.slice(top.lastLine + 1);
  if (rest.length > 0) expect(now.slice(-rest.length)).toEqual(rest);
  if (kind === 'new') expect(now.length).toBeGreaterThanOrEqual(old.length);
}
