import fc from 'fast-check';
import { printMasked } from '../../src/engine/secrets/print-masked';
import { RunSecrets } from '../../src/engine/secrets/run-secrets';
import { masked } from '../../src/features/audit/mask';
import { createLogger } from '../../src/platform/log/logger';
import { maskAddress, maskSecrets, scrub } from '../../src/platform/log/redact';
import { isSecretName, isSecretParameter, maskTree } from '../../src/platform/secrets';
import { fold } from '../../src/platform/text/fold';

const log = createLogger({ log: { level: 'info' } }, { write: () => undefined });

const LENGTH = 64 * 1024;

/** Secrets of a run that begin like the pieces below. */
function knowing(): RunSecrets {
  const secrets = new RunSecrets();
  secrets.learn.tree({ password: ['a'.repeat(40), 'aaab', 'eyJabcdeeyJ', 'password=x', '%25%25%25', '\\\\', 'token="token=', 'Bearer Bearer'] });
  return secrets;
}

/** Everything that hides something in a text or a document, each asked about a text that somebody chose. */
const MASKS: Readonly<Record<string, (text: string) => unknown>> = {
  'fold (hides nothing, and meets the same texts)': fold,
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
  'run events, JSON': (text) => printMasked({ password: text, list: [text] }, knowing(), LENGTH),
  'run events, learned from a text': (text) => new RunSecrets().learn.tree([text]),
  'run events, learned from a URL': (text) => new RunSecrets().learn.url(`https://a:${text}`),
  'run events, learned and hidden': (text) => {
    const secrets = new RunSecrets();
    secrets.learn.tree({ password: [text, text.slice(1, 500)] });
    return secrets.hide(text.slice(1), false);
  },
};

/** Pieces of what the masks look for, which repeated look like the beginning of it over and over. */
const PIECES = [
  'a', 'A', 'Aa', 'aA', 'ǅ', 'İ', '\u0301', '\u0323', '\u0301\u0323', '\u0301\u200D\u0323\u200D', '\uFF9E\u0301', '\uD800', '0', '.', '-', '_', ' ', '\n', '\t', ':', '/', '://', '@', '=', '&', '?', '#', '%', '%2', '%25', '+', ',', ';', '\\', '"', "'", '{', '[',
  'eyJ', 'eyJabcde.', 'eyJabcde', 'Bearer', 'Bearer ', 'basic%20', 'token', 'token=', 'token="', 'password: ', 'api-key', 'Authorization: ', 'cookie', 'pass', 'a://b', 'a://b:c', 'x&token', '***',
];

const repeated = (seed: string, length: number): string => seed.repeat(Math.ceil(length / seed.length)).slice(0, length);

/**
 * CPU milliseconds of the quickest of `tries`. The system counts what one process takes by samples, and divides it into the program's and the
 * kernel's by chance when it is short: only both together say what something took.
 */
function cost(work: () => unknown, tries: number): number {
  let quickest = Infinity;
  for (let nth = 0; nth < tries; nth += 1) {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    quickest = Math.min(quickest, (user + system) / 1_000);
  }
  return quickest;
}

/** Twice the text may take a little more than twice the time, and never long. What takes no time at all cannot be compared. */
function expectLinear(mask: (text: string) => unknown, seed: string): void {
  const [half, whole] = [repeated(seed, LENGTH / 2), repeated(seed, LENGTH)];
  if (cost(() => mask(whole), 1) < 60 || cost(() => mask(whole), 3) < 60) return;
  const growth = (tries: number): number => cost(() => mask(whole), tries) / cost(() => mask(half), tries);
  // Compilers and collectors work in between: only what is slow again and again is slow.
  const isLinear = growth(3) < 3 || growth(10) < 3;
  expect({ seed, isLinear }).toEqual({ seed, isLinear: true });
  expect(cost(() => mask(whole), 3)).toBeLessThan(300);
}

describe.each(Object.entries(MASKS))('%s', (_name, mask) => {
  it('takes linear time over 64 KB of any look-alike', () => {
    for (const piece of PIECES) expectLinear(mask, piece);
    fc.assert(fc.property(fc.array(fc.constantFrom(...PIECES), { minLength: 2, maxLength: 5 }), (pieces) => expectLinear(mask, pieces.join(''))), { numRuns: 6 });
  });
});
