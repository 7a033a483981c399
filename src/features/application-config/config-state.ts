import { createHash } from 'node:crypto';
import type { Config } from '../../config/config';
import type { FlatKeys } from '../../config/setting';
import { readConfigText } from '../../platform/config-file/config-text';
import type { ConfigText } from '../../platform/config-file/config-node';
import { Refused } from '../../platform/errors/errors';
import { requireSize } from './config-files';
import type { ConfigFiles } from './config-files';

/** The configuration file at one moment. */
export interface FileState {
  /** Null: there is no file. */
  readonly content: Buffer | null;
  /** Changes with every change of the file. */
  readonly revision: string;
  readonly text: ConfigText;
  readonly keys: FlatKeys;
  /** Why the service would not start with it. */
  readonly problems: readonly string[];
}

const MAX_PROBLEMS = 10;

/** Reads the configuration file, and parses it only if it has changed. */
export class ConfigStates {
  private latest: FileState | null = null;

  constructor(
    private readonly files: ConfigFiles,
    private readonly checkFile: Config['file']['check'],
    private readonly isKnown: (path: string) => boolean,
  ) {}

  /** @throws Refused CONFIG_INVALID if the file cannot be parsed */
  async load(): Promise<FileState> {
    const content = await this.files.read();
    if (this.latest?.revision === revisionOf(content)) return this.latest;
    return this.remember(this.stateOf(content));
  }

  remember<S extends FileState>(state: S): S {
    this.latest = state;
    return state;
  }

  /**
   * @param text the content if it is parsed already
   * @throws Refused CONFIG_INVALID if it cannot be parsed
   */
  stateOf<C extends Buffer | null>(content: C, text?: ConfigText): FileState & { content: C } {
    // Without a file nothing is parsed, and the parser is not loaded.
    const { problems, keys } =
      content === null ? { problems: [], keys: new Map() as FlatKeys } : this.checkFile(content);
    const revision = revisionOf(content);
    return { content, revision, text: text ?? this.parse(content), keys, problems };
  }

  private parse(content: Buffer | null): ConfigText {
    requireSize(content?.length ?? 0);
    const source = content?.toString('utf8') ?? '';
    if (content !== null && !Buffer.from(source, 'utf8').equals(content))
      throw new Refused(
        'CONFIG_INVALID',
        'The configuration file is not encoded in UTF-8. Convert it, and load it again.',
      );
    try {
      return readConfigText(source, this.isKnown);
    } catch (error) {
      throw new Refused(
        'CONFIG_INVALID',
        `The configuration file cannot be read: ${(error as Error).message}.`,
      );
    }
  }
}

const revisionOf = (content: Buffer | null): string =>
  content === null ? 'none' : createHash('sha256').update(content).digest('hex').slice(0, 32);

/** @throws Refused CONFIG_INVALID the service could not start with the file */
export function requireNoProblems({ problems }: FileState, result: string): void {
  if (problems.length > 0)
    throw new Refused(
      'CONFIG_INVALID',
      `The service could not start with this configuration, so ${result}. ${problems.slice(0, MAX_PROBLEMS).join('. ')}.`,
    );
}

/** @throws Refused CONFIG_FILE_CHANGED the client has read another revision */
export function requireRevision(
  { revision }: FileState,
  expectedRevision: string | null | undefined,
): void {
  if (expectedRevision !== undefined && expectedRevision !== null && expectedRevision !== revision)
    throw new Refused(
      'CONFIG_FILE_CHANGED',
      'The configuration file has changed since it was loaded. Load it again.',
    );
}
