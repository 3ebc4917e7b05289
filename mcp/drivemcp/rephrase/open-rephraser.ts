/**
 * Rephrasing by an OpenAI-compatible endpoint. It gets the text of level 2 and nothing else, as data; what comes back is
 * bounded in size and time and is checked before anybody hears it.
 */
import { isIP } from 'node:net';
import { z } from 'zod';
import { DriveMcpError } from '../../../daemon/core/errors.js';
import { quotedData } from '../../shared/quoted-data.js';

export interface RephraseSettings {
  /** base address, such as http://127.0.0.1:8080/v1 */
  readonly endpoint: string;
  readonly model: string;
  readonly timeoutMs: number;
  readonly answerMaxBytes: number;
  /** false: only loopback addresses, written as numbers */
  readonly allowRemote: boolean;
  /** sent as a bearer token; null = none */
  readonly apiKey: string | null;
}

/** @throws DriveMcpError REPHRASE_FAILED */
export type Rephraser = (text: string, language: string, signal: AbortSignal) => Promise<string>;

const completion = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).min(1),
});

/** @throws DriveMcpError CONFIG_INVALID for an address that may not be asked */
export function openRephraser(settings: RephraseSettings): Rephraser {
  const base = checkedAddress(settings);
  const url = new URL(`${base.pathname.replace(/\/$/, '')}/chat/completions`, base);
  const { model, timeoutMs, answerMaxBytes, apiKey } = settings;
  return async (text, language, signal) => {
    const withTimeout = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const body = JSON.stringify({
      model,
      temperature: 0,
      max_tokens: 200,
      stream: false,
      messages: [
        {
          role: 'system',
          content: `Say the text again in plain spoken ${language}, in at most three sentences. Keep every number with its unit and every citation as it is, add none, add nothing.`,
        },
        { role: 'user', content: quotedData('the text', text) },
      ],
    });
    try {
      const response = await fetch(url, {
        method: 'POST',
        signal: withTimeout,
        redirect: 'error',
        headers: {
          'content-type': 'application/json',
          ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }),
        },
        body,
      });
      if (!response.ok || response.body === null) {
        await response.body?.cancel();
        throw failure(`it answers with status ${response.status}`);
      }
      return contentOf(await bounded(response.body, answerMaxBytes));
    } catch (cause) {
      signal.throwIfAborted();
      if (cause instanceof DriveMcpError) throw cause;
      throw failure(withTimeout.aborted ? `no answer within ${timeoutMs} ms` : 'it cannot be reached', cause);
    }
  };
}

function checkedAddress({ endpoint, allowRemote }: RephraseSettings): URL {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : null;
  const host = url?.hostname.replace(/^\[|\]$/g, '') ?? '';
  const isLoopback = host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
  const isWeb = url !== null && (url.protocol === 'http:' || url.protocol === 'https:');
  const isRemoteFit = allowRemote && url?.protocol === 'https:';
  if (url === null || !isWeb || url.username !== '' || url.password !== '' || !(isLoopback || isRemoteFit)) {
    throw new DriveMcpError('CONFIG_INVALID', 'the endpoint for rephrasing may not be asked', {
      location: { key: 'ask.endpoint' },
      hint: 'an address on 127.0.0.1 or [::1]; with ask.allow_remote = true also https:// elsewhere; never with a password in it',
    });
  }
  return url;
}

async function bounded(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop cancels the stream.
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw failure(`it sends more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function contentOf(text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw failure('its answer is no JSON', cause);
  }
  const parsed = completion.safeParse(value);
  if (!parsed.success) throw failure('its answer has no text');
  return parsed.data.choices[0]?.message.content ?? '';
}

function failure(why: string, cause?: unknown): DriveMcpError {
  return new DriveMcpError('REPHRASE_FAILED', `not rephrased: ${why}`, cause === undefined ? {} : { cause });
}
