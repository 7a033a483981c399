/** The only module that opens outgoing sockets. */
export { createOutbound } from './outbound';
export type { Outbound, OutboundConfig, OutboundRequest, OutboundResponse } from './outbound';
export { OutboundError } from './outbound-error';
export type { OutboundErrorCode } from './outbound-error';
export { createAddressPolicy } from './address-policy';
export { Cookies } from './cookies';
export { isProxyUrl } from './proxies';
export type { ProxyConfig } from './proxies';
export type { AddressPolicy } from './address-policy';
export { GrpcFailure, openGrpc } from './grpc';
export type { GrpcService } from './grpc';
