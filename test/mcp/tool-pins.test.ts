/** What a model reads of our tools is frozen: a change of a name, a description or a schema is a change of the product. */
import { readFileSync } from 'node:fs';
import t from 'tap';
import type { z } from 'zod';
import { packageFile } from '../../daemon/runtime/package-root.js';
import { listedTool, toolListDigest } from '../../mcp/shared/tool-schema.js';
import { drivemcp } from '../helpers/command.js';
import { realServers } from './real-servers.js';
import { sampleCalls } from './sample-calls.js';

const pinned = JSON.parse(readFileSync(packageFile('test', 'mcp', 'tool-pins.json'), 'utf8')) as Record<
  string,
  Record<string, string>
>;
const servers = await realServers(t.testdir());

t.test('every list of tools is the pinned one, and `tools list` tells the same', async (t) => {
  const now = Object.fromEntries(
    servers.map(({ name, tools }) => [
      name,
      Object.fromEntries(tools.map((tool) => [tool.name, toolListDigest([listedTool(tool)])])),
    ]),
  );
  t.strictSame(
    now,
    pinned,
    `a wanted change is pinned in test/mcp/tool-pins.json:\n${JSON.stringify(now, null, 2)}`,
  );
  const told = (await drivemcp(['tools', 'list', '--json'])).objects();
  t.same(
    told.map(({ server, sha256 }) => [server, sha256]),
    servers.map(({ name, tools }) => [name, toolListDigest(tools.map(listedTool))]),
  );
  t.match(
    (await drivemcp(['tools', 'list'])).stdout,
    /^rules {2}[0-9a-f]{64}\n {2}rules_lookup_limit +Speed limit/,
  );
});

t.test('tools say what they are and that they are no safety mechanism', async (t) => {
  for (const { name: server, tools, instructions } of servers) {
    t.match(instructions, /Research software/);
    for (const { name, title, description, input, output } of tools) {
      t.match(name, /^[a-z][a-z0-9_]{1,63}$/, name);
      t.ok(name.startsWith(`${server}_`), `${name} begins with its server`);
      t.ok(title.length > 3 && title.length < 60, `${name} has a title`);
      t.match(description, /^[\x20-\x7e]{20,499}$/, `${name}: ASCII, below 500 characters`);
      t.match(description, /[Rr]esearch software/, name);
      for (const schema of [input, output]) {
        t.equal(
          (schema.def.catchall as z.ZodType | undefined)?.def.type,
          'never',
          `${name}: no key that its schema does not name`,
        );
      }
      t.ok(sampleCalls[name], `${name} is called in the interoperability tests`);
    }
  }
});
