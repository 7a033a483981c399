import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '../support/process';

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
const withSystemd = hasSystemd ? it : it.skip;

const UNIT = readFileSync(join(ROOT, 'deploy/hypha.service'), 'utf8');

withSystemd('systemd-analyze accepts the unit and rates it as well protected', () => {
  const dir = mkdtempSync(join(tmpdir(), 'hypha-unit-'));
  try {
    const file = join(dir, 'hypha.service');
    // The path of Node differs between machines.
    writeFileSync(file, UNIT.replace('/usr/bin/node', process.execPath));
    execFileSync('systemd-analyze', ['verify', file], { stdio: 'pipe' });
    const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', file], {
      encoding: 'utf8',
    });
    const [, exposure] = /Overall exposure level for \S+: ([\d.]+)/.exec(stdout) ?? [];
    expect(Number(exposure)).toBeLessThan(2);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});

it('the unit restarts after failures except those of the configuration, and keeps its data private', () => {
  for (const line of [
    'ExecStart=/usr/bin/node dist/main.js',
    'Restart=on-failure',
    'RestartPreventExitStatus=65 69 78',
    'StateDirectoryMode=0700',
    'NoNewPrivileges=yes',
    'Environment=CONFIG_FILE=/var/lib/hypha/application.yml',
    'Environment=HYPHA_CONFIG_BACKUP_DIRECTORY=/var/lib/hypha/backup/application',
  ])
    expect(UNIT.split('\n')).toContain(line);
});
