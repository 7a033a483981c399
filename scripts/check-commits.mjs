// `npm run check:commits`: fails if a commit subject is longer than 72 characters or is not `type(scope): subject`.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const MAX_LENGTH = 72;
const FORM =
  /^(?:feat|fix|refactor|perf|test|docs|build|ci|style|chore|revert)(?:\([\w./-]+\))?!?: \S/;
const EXCEPT = /^(?:Merge|Revert) /;
const root = fileURLToPath(new URL('..', import.meta.url));

function git(...args) {
  const options = { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
  return execFileSync('git', args, options).trim();
}

let subjects = [];
try {
  // Earlier commits were written without this rule.
  const [addedAt = ''] = git(
    ...['log', '--format=%H', '--diff-filter=A', '--', 'scripts/check-commits.mjs'],
  ).split('\n');
  if (addedAt !== '') subjects = git('log', '--format=%s', `${addedAt}..HEAD`).split('\n');
} catch {
  console.log('Not a git clone: no commits to check.');
}

const wrong = subjects
  .filter((subject) => subject !== '' && !EXCEPT.test(subject))
  .filter((subject) => subject.length > MAX_LENGTH || !FORM.test(subject));
for (const subject of wrong) console.error(`${subject.length} characters: ${subject}`);
if (wrong.length > 0) {
  console.error(
    `Commit subjects have the form "type(scope): subject" and at most ${MAX_LENGTH} characters.`,
  );
  process.exit(1);
}
