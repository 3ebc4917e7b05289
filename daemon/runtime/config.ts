/** Reads the one TOML file, checks it against the schema, says exactly what is wrong where. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import type { z } from 'zod';
import { canonicalJson } from '../core/canonical.js';
import { DriveMcpError } from '../core/errors.js';
import { configKeyLine } from './config-key-line.js';
import { type Config, configSchema, unitSuffixes } from './config-schema.js';

/** Larger ones are not configuration; checked before anything is parsed. */
const maxBytes = 1_048_576;

/** Values given on the command line, by section; they win over the file. */
export type ConfigOverrides = { readonly [Section in keyof Config]?: Partial<Config[Section]> };

export interface LoadedConfig {
  readonly config: Config;
  /** file it came from; null = defaults */
  readonly file: string | null;
  /** SHA-256 over canonical JSON of the effective configuration, paths absolute */
  readonly digest: string;
}

/**
 * @param file path of a TOML file, or null for the defaults
 * @throws DriveMcpError FILE_MISSING, or CONFIG_INVALID with file, line and key of every finding
 */
export function loadConfig(file: string | null, overrides: ConfigOverrides = {}): LoadedConfig {
  const fromFile = parseConfig(file === null ? '' : readConfigFile(file), file ?? '(defaults)');
  const config = withOverrides(anchored(fromFile, file === null ? '.' : dirname(file)), overrides);
  return { config: anchored(config, '.'), file, digest: configDigest(config) };
}

/** Relative paths start at `folder`; a profile without a slash is the name of a shipped one. */
function anchored(config: Config, folder: string): Config {
  const { vehicle } = config;
  const dbc = vehicle.dbc.map((path) => resolve(folder, path));
  const profile = /[/\\]|^\.+$/.test(vehicle.profile) ? resolve(folder, vehicle.profile) : vehicle.profile;
  return { ...config, vehicle: { ...vehicle, dbc, profile } };
}

export function configDigest(config: Config): string {
  return createHash('sha256').update(canonicalJson(config), 'utf8').digest('hex');
}

function readConfigFile(file: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw new DriveMcpError('FILE_MISSING', `cannot read the configuration: ${(error as Error).message}`, {
      location: { file },
      cause: error,
    });
  }
  if (bytes.length > maxBytes) {
    throw new DriveMcpError('CONFIG_INVALID', `${bytes.length} bytes are too many for a configuration`, {
      location: { file },
      hint: `at most ${maxBytes} bytes; check that the right file was given`,
    });
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new DriveMcpError('CONFIG_INVALID', 'not UTF-8 text', { location: { file }, cause: error });
  }
}

/** Parses and checks a TOML text; `file` is what messages call it. */
export function parseConfig(toml: string, file: string): Config {
  let raw: unknown;
  try {
    raw = parse(toml);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw new DriveMcpError('CONFIG_INVALID', firstLine(error.message), {
      location: { file, line: error.line, column: error.column },
      cause: error,
    });
  }
  const result = configSchema.safeParse(raw);
  if (result.success) return result.data;
  const findings = result.error.issues.flatMap((issue) => describe(issue, raw));
  const located = findings.map((finding) => ({ ...finding, line: configKeyLine(toml, finding.path) }));
  const [first, ...rest] = located;
  if (!first) throw new DriveMcpError('INVARIANT', 'a refused configuration without a finding');
  const also = rest.map((finding) => {
    const where = `${file}${finding.line === undefined ? '' : `:${finding.line}`}`;
    return `\n  also: ${where}: ${finding.path.join('.')}: ${finding.message}`;
  });
  throw new DriveMcpError('CONFIG_INVALID', first.message + also.join(''), {
    location: {
      file,
      ...(first.line === undefined ? {} : { line: first.line }),
      key: first.path.join('.'),
    },
  });
}

interface Finding {
  readonly path: string[];
  readonly message: string;
}

function describe(issue: z.core.$ZodIssue, raw: unknown): Finding[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, key], message: unknownKey(path, key) }));
  }
  const given = path.reduce<unknown>(
    (value, key) => (value as Record<string, unknown> | undefined)?.[key],
    raw,
  );
  return [{ path, message: `${firstLine(issue.message)}; got ${JSON.stringify(given) ?? 'nothing'}` }];
}

function unknownKey(section: readonly string[], key: string): string {
  const known = knownKeys(section);
  const withUnit = known.find((name) => unitSuffixes.some((suffix) => name === `${key}${suffix}`));
  if (withUnit) return `unknown key; a number carries its unit in the key: write ${withUnit}`;
  const stem = known.find((name) => name.replace(/_[a-z0-9]+$/, '') === key.replace(/_[a-z0-9]+$/, ''));
  if (stem) return `unknown key; did you mean ${stem}?`;
  return `unknown key; known here: ${known.join(', ')}`;
}

function knownKeys(section: readonly string[]): string[] {
  const defaults = configSchema.parse({}) as Record<string, unknown>;
  const at = section.reduce<unknown>(
    (value, key) => (value as Record<string, unknown> | undefined)?.[key],
    defaults,
  );
  return typeof at === 'object' && at !== null ? Object.keys(at) : [];
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? text;
}

function withOverrides(config: Config, overrides: ConfigOverrides): Config {
  const merged: Record<string, unknown> = {};
  for (const [section, values] of Object.entries(config)) {
    merged[section] = { ...values, ...overrides[section as keyof Config] };
  }
  const result = configSchema.safeParse(merged);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new DriveMcpError('USAGE', `${issue?.path.join('.')}: ${issue?.message}`, {
    hint: 'the value given on the command line is outside what the configuration allows',
  });
}
