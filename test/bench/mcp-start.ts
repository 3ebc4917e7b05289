/** How long an MCP host waits: from starting a server's process to its first answer, and for one call of a warm server. */
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { serverNames } from '../../mcp/shared/expert-server.js';
import { drivemcpScript } from '../helpers/paths.js';
import type { BenchRow } from './bench-row.js';

const starts = 7;
const calls = 300;

export async function mcpStart(): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const name of serverNames) {
    const tookMs: number[] = [];
    for (let i = 0; i < starts; i++) {
      const began = performance.now();
      const client = await connect(name);
      tookMs.push(performance.now() - began);
      await client.close();
    }
    rows.push({
      name: `${name}: process started to its first answer (server/discover), median`,
      unit: 'ms',
      value: middle(tookMs),
      target: 300,
    });
  }
  const client = await connect('rules');
  const call = { name: 'rules_lookup_limit', arguments: { jurisdiction: 'DEU', context: { road: 'rural' } } };
  const first = performance.now();
  await client.callTool(call);
  rows.push({ name: 'rules: first call, packs are read', unit: 'ms', value: performance.now() - first });
  const tookMs: number[] = [];
  for (let i = 0; i < calls; i++) {
    const began = performance.now();
    await client.callTool(call);
    tookMs.push(performance.now() - began);
  }
  await client.close();
  tookMs.sort((a, b) => a - b);
  rows.push({ name: 'rules_lookup_limit over stdio, median', unit: 'ms', value: middle(tookMs) });
  rows.push({
    name: 'rules_lookup_limit over stdio, p99',
    unit: 'ms',
    value: tookMs[Math.floor(calls * 0.99)] ?? Number.NaN,
  });
  return rows;
}

/** Pinned to the current revision, so that no probe of another one is counted. */
async function connect(name: string): Promise<Client> {
  const client = new Client(
    { name: 'bench', version: '0.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [drivemcpScript, 'mcp', name],
      stderr: 'ignore',
    }),
  );
  await client.getServerCapabilities();
  return client;
}

function middle(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
