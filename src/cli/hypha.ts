import { parseArguments } from './arguments';
import type { Asked } from './arguments';
import { exitWhenReaderCloses } from './output';

/** Runs a command and returns the exit code. Modules are loaded on demand. */
async function run(asked: Asked): Promise<number> {
  switch (asked.command) {
    case 'start':
      return (await import('../start.js')).start();
    case 'backup':
      return (await import('./make-backup.js')).makeBackup(asked.directory);
    case 'restore':
      return (await import('./restore-backup.js')).restoreBackup(asked);
    case 'export':
      return (await import('./moving-commands.js')).exportInstance(asked.file, asked.passphrase);
    case 'import':
      return (await import('./moving-commands.js')).importInstance(asked);
    case 'import-released':
      return (await import('./import-released.js')).importReleased(asked);
    case 'doctor':
      return (await import('./doctor/doctor.js')).examine(asked);
    case 'user list':
      return (await import('./user-commands.js')).listUsers(asked.json);
    case 'user create':
      return (await import('./user-commands.js')).createUser(asked);
    case 'user reset-password':
      return (await import('./user-commands.js')).resetPassword(asked);
    case 'user reset-2fa':
      return (await import('./user-commands.js')).resetSecondFactor(asked.email);
    case 'user disable':
    case 'user enable':
      return (await import('./user-commands.js')).changeUserState(
        asked.command === 'user disable' ? 'disable' : 'enable',
        asked.email,
      );
    case 'token list':
      return (await import('./token-commands.js')).listTokens(asked.json);
    case 'token create':
      return (await import('./token-commands.js')).createToken(asked);
    case 'token revoke':
      return (await import('./token-commands.js')).revokeToken(asked.id);
    case 'ldap test':
      return (await import('./ldap-commands.js')).testLdap(asked.email);
    case 'online-services sync':
      return (await import('./online-commands.js')).synchronise(asked);
    case 'secrets rekey':
      return (await import('./secrets-commands.js')).rekeySecrets(asked.keyFile);
    case 'config check':
      return (await import('./config-commands.js')).checkConfig(asked.json);
    case 'config show':
      return (await import('./config-commands.js')).showConfig(asked.json);
  }
}

async function main(): Promise<void> {
  const parsed = parseArguments(process.argv.slice(2));
  // The service handles this itself: it continues when its output is closed.
  if ('exit' in parsed || parsed.asked.command !== 'start') exitWhenReaderCloses();
  process.exit('exit' in parsed ? parsed.exit : await run(parsed.asked));
}

void main();
