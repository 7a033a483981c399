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
    </>
  );
}
