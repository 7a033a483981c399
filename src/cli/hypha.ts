import { parseArguments } from './arguments';
import type { Invocation } from './arguments';
import { exitWhenReaderCloses } from './output';

/** Runs a command and returns the exit code. Modules are loaded on demand. */
async function run(invocation: Invocation): Promise<number> {
  switch (invocation.command) {
    case 'start':
      return (await import('../start.js')).start();
    case 'backup':
      return (await import('./make-backup.js')).makeBackup(invocation.directory);
    case 'restore':
      return (await import('./restore-backup.js')).restoreBackup(invocation);
    case 'export':
      return (await import('./moving-commands.js')).exportInstance(
        invocation.file,
        invocation.passphrase,
      );
    case 'import':
      return (await import('./moving-commands.js')).importInstance(invocation);
    case 'import-released':
      return (await import('./import-released.js')).importReleased(invocation);
    case 'doctor':
      return (await import('./doctor/doctor.js')).examine(invocation);
    case 'processes':
      return (await import('./process-commands.js')).listProcesses(invocation.json);
    case 'user list':
      return (await import('./user-commands.js')).listUsers(invocation.json);
    case 'user create':
      return (await import('./user-commands.js')).createUser(invocation);
    case 'user reset-password':
      return (await import('./user-commands.js')).resetPassword(invocation);
    case 'user reset-2fa':
      return (await import('./user-commands.js')).resetSecondFactor(invocation.email);
    case 'user disable':
    case 'user enable':
      return (await import('./user-commands.js')).changeUserState(
        invocation.command === 'user disable' ? 'disable' : 'enable',
        invocation.email,
      );
    case 'token list':
      return (await import('./token-commands.js')).listTokens(invocation.json);
    case 'token create':
      return (await import('./token-commands.js')).createToken(invocation);
    case 'token revoke':
      return (await import('./token-commands.js')).revokeToken(invocation.id);
    case 'ldap test':
      return (await import('./ldap-commands.js')).testLdap(invocation.email);
    case 'files move':
      return (await import('./files-commands.js')).moveFiles(invocation);
    case 'online-services sync':
      return (await import('./online-commands.js')).synchronise(invocation);
    case 'secrets rekey':
      return (await import('./secrets-commands.js')).rekeySecrets(invocation.keyFile);
    case 'config check':
      return (await import('./config-commands.js')).checkConfig(invocation.json);
    case 'config show':
      return (await import('./config-commands.js')).showConfig(invocation.json);
  }
}

async function main(): Promise<void> {
  const parsed = parseArguments(process.argv.slice(2));
  // The service handles this itself: it continues when its output is closed.
  if ('exit' in parsed || parsed.invocation.command !== 'start') exitWhenReaderCloses();
  process.exit('exit' in parsed ? parsed.exit : await run(parsed.invocation));
}

void main();
