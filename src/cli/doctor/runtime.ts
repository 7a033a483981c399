import { findingsAbout } from './finding';
import type { Finding } from './finding';

const OLDEST_NODE = [20, 19] as const;
const OLDEST_GLIBC = [2, 34] as const;
const { well, wrong } = findingsAbout('runtime');

export function runtimeFindings(): Finding[] {
  const { node } = process.versions;
  const findings = [
    reaches(node, OLDEST_NODE)
      ? well(`Node ${node}`)
      : wrong(
          `Node ${node} is older than ${OLDEST_NODE.join('.')}, the oldest that runs the service.`,
        ),
  ];
  if (process.platform !== 'linux') return findings;
  const glibc = glibcVersion();
  if (glibc === undefined)
    return [
      ...findings,
      wrong('This Linux has no glibc, which the embedded store needs (2.34 or newer).'),
    ];
  return [
    ...findings,
    reaches(glibc, OLDEST_GLIBC)
      ? well(`glibc ${glibc}`)
      : wrong(
          `glibc ${glibc} is older than ${OLDEST_GLIBC.join('.')}, which the embedded store needs.`,
        ),
  ];
}

function reaches(version: string, [major, minor]: readonly [number, number]): boolean {
  const [ownMajor, ownMinor] = version.split('.').map(Number);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}

function glibcVersion(): string | undefined {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime;
}
