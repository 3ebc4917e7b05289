import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type ServerContext,
} from '@modelcontextprotocol/server';

/** What the client of this request declares; every request of 2026-07-28 says it anew. */
export function capabilitiesOf({ envelope }: ServerContext['mcpReq']): ClientCapabilities {
  const declared = (envelope as Readonly<Record<string, unknown>> | undefined)?.[
    CLIENT_CAPABILITIES_META_KEY
  ];
  return (declared ?? {}) as ClientCapabilities;
}
