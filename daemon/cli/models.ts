/** `models …`: encoders of dense retrieval on this machine. Nothing here touches a network. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { DriveMcpError } from '../core/errors.js';
import { createStateDir, resolveStateDir } from '../runtime/state-dir.js';
import { booleanOption, type CommandSpec, type Invocation, stringOption } from './command.js';
import { columns } from './table.js';

const downloadStep =
  'Nothing is downloaded here. To use a published encoder: fetch model.onnx and tokenizer.json of the publisher that models list\n' +
  'names into a folder, put the list of their SHA-256 digests beside them as SHA256SUMS (lines as sha256sum prints them; publishers\n' +
  'show the digest of each large file), and install that folder.';

export const commands: readonly CommandSpec[] = [
  {
    path: ['models', 'install'],
    summary: 'install a sentence encoder: checked by digest, whole or not at all',
    positionals: 'NAME|FILE|DIR',
    arity: [1, 1],
    options: {
      as: {
        type: 'string',
        value: 'NAME',
        help: 'which published encoder it is, where it has no model.json',
      },
      pin: {
        type: 'boolean',
        help: 'take the files as they are: their digests are noted and held from now on',
      },
    },
    details: `A folder or a tar with model.onnx, tokenizer.json and model.json; without model.json the name of the folder or --as says which\npublished encoder it is. It goes to $STATE/models/NAME.\n\n${downloadStep}`,
    examples: [
      ['drivemcp models install multilingual-e5-small', 'a folder of that name here, or what to fetch'],
      ['drivemcp models install e5.tar.gz --as multilingual-e5-small', 'a tar, with SHA256SUMS inside'],
    ],
    run: install,
  },
  {
    path: ['models', 'list'],
    summary: 'encoders: built in, installed, and published ones that are known',
    arity: [0, 0],
    options: {},
    details: downloadStep,
    examples: [['drivemcp models list', 'a table; the default is marked']],
    run: list,
  },
  {
    path: ['models', 'check'],
    summary: 'compare the files of a model with its digests, then load and run it',
    positionals: 'NAME',
    arity: [1, 1],
    options: {},
    details: 'Exit code 69 where the optional runtime is absent: the digests are compared all the same.',
    examples: [['drivemcp models check road-words', 'digests, shapes, a first vector']],
    run: check,
  },
  {
    path: ['models', 'remove'],
    summary: 'take an installed model away',
    positionals: 'NAME',
    arity: [1, 1],
    options: {},
    examples: [
      ['drivemcp models remove multilingual-e5-small', 'a built-in model of this name is used again'],
    ],
    run: remove,
  },
];

async function install({ values, positionals, terminal }: Invocation): Promise<number> {
  const { installModel } = await import('../../mcp/rules/retrieval/install-model.js');
  const wanted = positionals[0] ?? '';
  const from = resolve(wanted);
  if (!existsSync(from)) throw await notHere(wanted, from);
  const stateDir = resolveStateDir(stringOption(values, 'state'));
  createStateDir(stateDir);
  const as = stringOption(values, 'as');
  const pin = booleanOption(values, 'pin');
  const { id, manifest, folder, bytes } = await installModel({
    from,
    stateDir,
    pin,
    ...(as === undefined ? {} : { as }),
  });
  const isPinned = manifest.pinned_here === true;
  if (terminal.json) {
    terminal.object({
      id,
      name: manifest.name,
      licence: manifest.licence,
      folder,
      bytes,
      pinned_here: isPinned,
    });
  } else {
    terminal.line(`installed ${id} (${manifest.licence}, ${(bytes / 1e6).toFixed(1)} MB) in ${folder}`);
    if (isPinned) terminal.message('nobody gave its digests: those of these files are held from now on');
    terminal.line(
      `drivemcp models check ${manifest.name} loads and runs it; [rules] encoder = "${manifest.name}" uses it`,
    );
  }
  return 0;
}

/** Why there is nothing to install, with the step that a person has to take. */
async function notHere(wanted: string, from: string): Promise<DriveMcpError> {
  const { bundledModels, knownEncoders } = await import('../../mcp/rules/retrieval/bundled-encoders.js');
  const known = knownEncoders().get(wanted);
  if (known) {
    return new DriveMcpError('FILE_MISSING', `${known.title}: its files are not here`, {
      location: { file: from },
      context: { name: wanted, source: known.source, licence: known.licence },
      hint:
        `fetch model.onnx and tokenizer.json of ${known.source} (${known.licence}) into a folder ${wanted}, ` +
        'with their digests as SHA256SUMS, then run this again beside it',
    });
  }
  if (existsSync(resolve(bundledModels, wanted, 'model.json')))
    return new DriveMcpError('USAGE', `${wanted} is built in`, { hint: `drivemcp models check ${wanted}` });
  return new DriveMcpError('FILE_MISSING', 'there is no such folder or file', {
    location: { file: from },
    hint: 'drivemcp models list names published encoders that are known here',
  });
}

async function list({ values, terminal }: Invocation): Promise<number> {
  const { listModels } = await import('../../mcp/rules/retrieval/list-models.js');
  const models = listModels(resolveStateDir(stringOption(values, 'state')));
  const rows: string[][] = [];
  for (const model of models) {
    if (terminal.json) terminal.object(model);
    const { name, state, licence, dimensions, title, is_default: isDefault } = model;
    rows.push([isDefault ? `${name} (default)` : name, state, licence, String(dimensions ?? ''), title]);
  }
  if (terminal.json) return 0;
  const heads = ['name', 'state', 'licence', 'numbers', 'what'];
  const align = ['left', 'left', 'left', 'right', 'left'] as const;
  for (const line of columns([heads, ...rows], align, terminal.tableWidth)) terminal.line(line);
  return 0;
}

async function check({ values, positionals, terminal }: Invocation): Promise<number> {
  const { modelFolderOf } = await import('../../mcp/rules/retrieval/open-encoder.js');
  const { readModelFolder } = await import('../../mcp/rules/retrieval/model-folder.js');
  const { OnnxEncoder } = await import('../../mcp/rules/retrieval/onnx-encoder.js');
  const name = positionals[0] ?? '';
  const folder = modelFolderOf(name, resolveStateDir(stringOption(values, 'state')));
  const { id, manifest } = readModelFolder(folder);
  if (!terminal.json)
    terminal.line(`${id}: model.onnx and tokenizer.json are those of the manifest (${manifest.licence})`);
  const began = performance.now();
  const encoder = await OnnxEncoder.open({ folder });
  const loadMs = Math.round(performance.now() - began);
  await encoder.close();
  const { dimensions, randomCosine } = encoder;
  if (terminal.json) {
    terminal.object({ id, name, folder, dimensions, random_cosine: randomCosine, load_ms: loadMs, ok: true });
  } else {
    terminal.line(
      `loads and runs: ${dimensions} numbers, unrelated texts at ${randomCosine.toFixed(2)}, ready in ${loadMs} ms`,
    );
  }
  return 0;
}

async function remove({ values, positionals, terminal }: Invocation): Promise<number> {
  const { removeModel } = await import('../../mcp/rules/retrieval/install-model.js');
  const name = positionals[0] ?? '';
  const isRemoved = removeModel(resolveStateDir(stringOption(values, 'state')), name);
  if (terminal.json) terminal.object({ name, removed: isRemoved });
  else terminal.line(isRemoved ? `removed ${name}` : `no model '${name}' is installed`);
  return isRemoved ? 0 : 1;
}
