import type { CarlaMethods } from '../rpc/methods.js';
import type { RpcClient } from '../rpc/rpc-client.js';
import { readToken, type StreamToken } from '../stream/token.js';

/**
 * Where a stream is to be had now, each time it is subscribed to: asked of servers that give tokens, which also wakes the
 * sensor (0.9.14 and later), dialled as `told` (24 bytes, from the actor or the episode) of those that do not.
 */
export function streamToken(
  rpc: RpcClient,
  methods: CarlaMethods,
  isAsked: boolean,
  told: Uint8Array,
): () => Promise<StreamToken> {
  const token = readToken(told);
  return async () => {
    if (isAsked) return readToken((await rpc.call(methods.getSensorToken, token.streamId)).data);
    // Any answer says that there is still a server behind the streams.
    await rpc.call(methods.version);
    return token;
  };
}
