import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';

interface FrontendValues {
  readonly port: number;
  readonly additionalPort: number | null;
  readonly frontendDirectory: string | null;
}

const isFile = (path: string): boolean =>
  statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** Returns why a built client cannot be served, or its port cannot be opened. */
export function frontendProblems(
  { port, additionalPort, frontendDirectory }: FrontendValues,
  product: string,
  cwd: string,
): string[] {
  const problems: string[] = [];
  if (frontendDirectory !== null) {
    const directory = resolve(cwd, frontendDirectory);
    if (!hasIndex(directory))
      problems.push(
        `${product}.frontend.directory = ${JSON.stringify(frontendDirectory)}: must be the directory of a built client, and there is no index.html in ${directory}`,
      );
  }
  if (additionalPort !== null && additionalPort !== 0 && additionalPort === port)
    problems.push(
      `${product}.server.additional-port = ${additionalPort}: must differ from server.port, which is the same`,
    );
  return problems;
}

/** A directory that cannot be read has none. */
function hasIndex(directory: string): boolean {
  try {
    return isFile(join(directory, 'index.html'));
  } catch {
    return false;
  }
}
