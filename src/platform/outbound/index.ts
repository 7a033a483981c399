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
export { LdapConnection, NO_ATTRIBUTES } from './ldap/ldap-connection';
export type { LdapFound } from './ldap/ldap-connection';
export { dnKey } from './ldap/distinguished-name';
export { anyEntry, isFilterTemplate, parseFilterTemplate } from './ldap/filter-template';
export type { FilterTemplate } from './ldap/filter-template';
export { describeResult, LDAP_RESULT, LdapFailure, REFUSED_BIND } from './ldap/ldap-failure';
export type { LdapEntry } from './ldap/ldap-answer';
