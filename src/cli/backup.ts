import { EXIT } from '../platform/exit-codes';
import { makeBackup } from './make-backup';
import { refuse } from './output';

/** `npm run backup -- DIR`: the older form of `hypha backup DIR`. */
async function main(targets: readonly string[]): Promise<number> {
  if (targets.length !== 1 || targets[0] === '' || targets[0].startsWith('-'))
    return refuse(EXIT.wrongUse, 'Usage: npm run backup -- DIRECTORY (a new or empty one)');
  return makeBackup(targets[0]);
}

void main(process.argv.slice(2)).then((code) => process.exit(code));
