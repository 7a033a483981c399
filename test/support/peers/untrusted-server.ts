import { createServer } from 'node:https';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A self-signed certificate for `localhost` and 127.0.0.1, made with openssl; valid until 2126. */
export const KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQggdSSRp0vy20D/AVa
DnvyruII64XqT+0/nqTWNtH/ZA2hRANCAART4PckOtfk3OCzp4QB2PTMLa43Otr2
WmbykgttPq3U49NkJxppxz27DsNt1Ot/a1XqZ4oQQenh48CxeDYOt9QO
-----END PRIVATE KEY-----`;
export const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBmjCCAUGgAwIBAgIUa3c5ez850B95eHghlgz3HMbCu4MwCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyMjAyNTY0MVoYDzIxMjYxMDI5
MDI1NjQxWjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAART4PckOtfk3OCzp4QB2PTMLa43Otr2WmbykgttPq3U49NkJxppxz27
DsNt1Ot/a1XqZ4oQQenh48CxeDYOt9QOo28wbTAdBgNVHQ4EFgQUlN5U++LB0jSa
rb1ZpiMnK8LffOEwHwYDVR0jBBgwFoAUlN5U++LB0jSarb1ZpiMnK8LffOEwDwYD
VR0TAQH/BAUwAwEB/zAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwCgYIKoZI
zj0EAwIDRwAwRAIgGZxNVSO/DFSIpIYpaUdRV35alWMhpl9WzqIEDp3OCg4CIGbw
0XzeO3oRpdMlHNh3qT/9UMJcgN5/Td9zNV3EqwZb
-----END CERTIFICATE-----`;

/** A TLS server with that certificate on a loopback port. */
export async function startUntrusted(
  listener: RequestListener,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer({ key: KEY, cert: CERTIFICATE }, listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
