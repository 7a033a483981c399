import {
  renamedInExpression,
  renamedInPath,
  renamedInText,
  renamedInVariables,
} from '../src/engine';
import type { Renames } from '../src/engine';
import { RunSecrets } from '../src/engine/secrets/run-secrets';
import { masked } from '../src/features/audit/audit.service';
import { createLogger } from '../src/platform/log/logger';
import { maskAddress, maskSecrets, scrub } from '../src/platform/log/redact';
import { maskTree, printMasked, RuleMask } from '../src/platform/redaction';
import {
  isSecretName,
  isSecretParameter,
  normalOrigin,
  secretsNamedIn,
} from '../src/platform/secrets';
import { fold } from '../src/platform/text/fold';
import { listText } from '../src/features/webhooks/call-parameters';
import { maskText } from '../src/features/workflows/masking/mask-document';
import { threadTime } from './measure/loop-watch';
import type { BenchResult } from './result';

const BYTES = Number(process.env.MASKING_BYTES ?? 64 * 1024);
/** Shorter work cannot be compared: the clock of a thread ticks every few milliseconds. */
const MIN_COMPARED_MS = 40;
const TRIES = 5;
const SHOWN = 10;

const RENAMES: Renames = new Map([
  ['i', { to: 'j', isKey: false }],
  ['j', { to: 'k', isKey: true }],
]);
const RULES = new RuleMask(
  ['a(.*z)?', '(?i)(ssn|iban)[:= ]+[A-Z0-9]{5,30}'].map((expression) => ({
    type: 'regex',
    expression,
  })),
);
const log = createLogger({ log: { level: 'info' } }, { write: () => undefined });

/** Secrets of a run that begin like the pieces below. */
function knowing(): RunSecrets {
  const secrets = new RunSecrets();
  secrets.learn.tree({
    password: [
      'a'.repeat(40),
      'aaab',
      'eyJabcdeeyJ',
      'password=x',
      '%25%25%25',
      '\\\\',
      'token="token=',
      'Bearer Bearer',
    ],
  });
  return secrets;
}

/** Every function that searches a text of a caller. */
const MASKS: Readonly<Record<string, (text: string) => unknown>> = {
  fold,
  isSecretName,
  isSecretParameter,
  scrub,
  'maskAddress, of a query': (text) => maskAddress('/', `?${text}`),
  'maskAddress, of a path': (text) => maskAddress(`/${text}`),
  'maskTree, value': (text) => maskTree({ a: [text] }),
  'maskTree, name': (text) => maskTree({ [text]: [text] }),
  maskSecrets: (text) => maskSecrets({ [text]: text, err: new Error(text) }),
  'a line of the log': (text) => log.info({ text, [text]: text }, text),
  'the audit': (text) => masked({ [text]: text, list: [text] }),
  'run events, text': (text) => knowing().mask(text, true),
  'run events, url': (text) => knowing().url(text, true),
  'run events, JSON': (text) =>
    printMasked({ password: text, list: [text] }, BYTES, knowing(), () => null),
  'run events, learned from a text': (text) => new RunSecrets().learn.tree([text]),
  'run events, learned from a URL': (text) => new RunSecrets().learn.url(`https://a:${text}`),
  'run events, learned and hidden': (text) => {
    const secrets = new RunSecrets();
    secrets.learn.tree({ password: [text, text.slice(1, 500)] });
    return secrets.hide(text.slice(1), false);
  },
  'rules of a workflow': (text) => RULES.text(text),
  'secrets of a workflow': (text) => maskText(text),
  'named secrets of a workflow': (text) =>
    secretsNamedIn({
      fromConnector: { methods: [{ id: 'a', request: { body: { fields: text } } }] },
    }),
  'loop variables, in a path': (text) => renamedInPath(text, RENAMES),
  'loop variables, in a text': (text) => renamedInText(text, RENAMES),
  'loop variables, in an expression': (text) => renamedInExpression(text, RENAMES),
  'loop variables, in a script': (text) => renamedInVariables(text, RENAMES),
  'lists in the query of a webhook': (text) => listText(`[${text}]`),
  'origin of a secret': (text) => normalOrigin(`https://${text}`),
};

/** Pieces that, repeated, look like the beginning of what the functions search for. */
const PIECES = [
  'a',
  'A',
  'Aa',
  'aA',
  'ǅ',
  'İ',
  '\u0301',
  '\u0323',
  '\u0301\u0323',
  '\u0301\u200D\u0323\u200D',
  '\uFF9E\u0301',
  '\uD800',
  '0',
  '.',
  '-',
  '_',
  ' ',
  '\n',
  '\t',
  ':',
  '/',
  '://',
  '@',
  '=',
  '&',
  '?',
  '#',
  '%',
  '%2',
  '%25',
  '+',
  ',',
  ';',
  '\\',
  '"',
  "'",
  '{',
  '[',
  'eyJ',
  'eyJabcde.',
  'eyJabcde',
  'Bearer',
  'Bearer ',
  'basic%20',
  'token',
  'token=',
  'token="',
  'password: ',
  'api-key',
  'Authorization: ',
  'cookie',
  'pass',
  'a://b',
  'a://b:c',
  'x&token',
  '***',
  '{%',
  '{%#AABBCC.',
  '{%secret.',
  '{%secret.ab%}',
  "${'",
  "['",
  '[i',
  '#AABBCC.(response)',
  '<password ',
  '<password>',
  '</',
  '<![CDATA[',
  '"password":',
  '{"password":{',
  '"\\"',
  '\\u0061',
  '&amp;',
  '%ff',
  '%252525252541',
  '[a],',
  'a.',
  '*.',
  '-',
  '::',
];

interface Measured {
  readonly name: string;
  readonly ms: number;
  /** Time for the text, of that for half of it; null: too short to compare. */
  readonly growth: number | null;
}

/** Thread time of the quickest of some tries, ms. */
function quickest(work: () => unknown, tries: number): number {
  let least = Infinity;
  for (let nth = 0; nth < tries; nth += 1) {
    const before = threadTime();
    work();
    least = Math.min(least, threadTime() - before);
  }
  return least;
}

function measure(name: string, search: (text: string) => unknown, piece: string): Measured {
  const textOf = (bytes: number): string =>
    piece.repeat(Math.ceil(bytes / piece.length)).slice(0, bytes);
  const [half, full] = [textOf(BYTES / 2), textOf(BYTES)];
  const first = quickest(() => search(full), 1);
  if (first < MIN_COMPARED_MS)
    return { name: `${name}: ${JSON.stringify(piece)}`, ms: first, growth: null };
  const ms = quickest(() => search(full), TRIES);
  return {
    name: `${name}: ${JSON.stringify(piece)}`,
    ms,
    growth: ms < MIN_COMPARED_MS ? null : ms / quickest(() => search(half), TRIES),
  };
}

/** Texts that look like secrets over and over: a doubled text takes about twice the time in every function that searches it. */
export async function run(): Promise<BenchResult[]> {
  const measured: Measured[] = [];
  for (const [name, search] of Object.entries(MASKS))
    for (const piece of PIECES) measured.push(measure(name, search, piece));
  const slowest = measured.toSorted((one, other) => other.ms - one.ms);
  const compared = measured
    .filter(({ growth }) => growth !== null)
    .sort((one, other) => (other.growth ?? 0) - (one.growth ?? 0));
  // On a fast machine, or with a small size, nothing may take long enough to compare.
  const growths = compared.slice(0, 1).map(({ name, growth }): BenchResult => ({
    name: 'time for a text, of that for half of it, at most',
    value: growth ?? NaN,
    unit: 'x',
    target: { below: 3 },
    judged: true,
    detail: name,
  }));
  return [
    ...growths,
    {
      name: `longest of ${measured.length} searches of ${Math.round(BYTES / 1_024)} KB`,
      value: slowest[0].ms,
      unit: 'ms',
      target: { below: 300 },
    },
    ...slowest.slice(0, SHOWN).map(({ name, ms, growth }): BenchResult => ({
      name: `  ${name}`,
      value: ms,
      unit: 'ms',
      detail: growth === null ? undefined : `${growth.toFixed(1)} times that of half of it`,
    })),
  ];
}
