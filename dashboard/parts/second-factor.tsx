import { Button } from './button';
import { useCopy } from './copy-text';
import { Icon } from './icon';

export interface AppKeyProps {
  readonly secretKey: string;
  /** The key as a QR code, a data URL. */
  readonly qr: string;
}

/** The key for an authenticator app, as a QR code and as text. */
export function AppKey({ secretKey, qr }: AppKeyProps) {
  return (
    <>
      <img class="qr" src={qr} alt="QR code of the key" width={200} height={200} />
      <p>
        <code class="secret-key">{secretKey.replaceAll(/(.{4})/g, '$1 ')}</code>
      </p>
    </>
  );
}

/** Copies the codes, or saves them as a file. */
function KeepCodes({ text }: { text: string }) {
  const { copy, result } = useCopy(text, 'Select the codes and press Ctrl+C, or download them.');
  return (
    <div class="copy-text">
      <Button class="button" onClick={copy}>
        <Icon name="copy" size={14} />
        <span>Copy</span>
      </Button>
      <a
        class="button"
        href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
        download="hypha-recovery-codes.txt"
      >
        <Icon name="down" size={14} />
        <span>Download</span>
      </a>
      <span class="quiet" role="status">
        {result}
      </span>
    </div>
  );
}

/** New recovery codes, with what to do with them. */
export function RecoveryCodeList({ codes }: { codes: readonly string[] }) {
  return (
    <>
      <p>
        Keep these recovery codes in a safe place. Each replaces one code of your app. They are not
        shown again.
      </p>
      <ul class="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <KeepCodes text={`${codes.join('\n')}\n`} />
    </>
  );
}
