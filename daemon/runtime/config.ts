/** Reads the one TOML file, checks it against the schema, says exactly what is wrong where. */
import { createHash } from 'node:crypto';
import { dirname, resolve } from 'node:path';
import { parse, TomlError } from 'smol-toml';
import type { z } from 'zod';
import { canonicalJson } from '../core/canonical.js';
import { DriveMcpError } from '../core/errors.js';
import { configKeyLine } from './config-key-line.js';
import { type Config, configSchema, unitSuffixes } from './config-schema.js';
import { readBounded } from './read-bounded.js';

/** Larger ones are not configuration; no more than this is read. */
const maxBytes = 1_048_576;
/** Findings told one by one; of more there is the number. */
const maxFindings = 20;
/** of a refused value */
const maxShownChars = 80;

/** Values given on the command line, by section; they win over the file. */
export type ConfigOverrides = { readonly [Section in keyof Config]?: Partial<Config[Section]> };

/** By `section.key`: the option of the command line that sets it, for messages. */
export type OptionNames = Readonly<Record<string, string>>;

export interface LoadedConfig {
  readonly config: Config;
  /** file it came from; null = defaults */
  readonly file: string | null;
  /** SHA-256 over canonical JSON of the effective configuration, paths absolute */
  readonly digest: string;
}

/**
 * @param file path of a TOML file, or null for the defaults
 * @throws DriveMcpError FILE_MISSING, CONFIG_INVALID with file, line and key of every finding, or USAGE with the
 *   option whose value is refused
 */
export function loadConfig(
  file: string | null,
  overrides: ConfigOverrides = {},
  optionNames: OptionNames = {},
): LoadedConfig {
  const fromFile = parseConfig(file === null ? '' : readConfigFile(file), file ?? '(defaults)');
  const config = withOverrides(
    anchored(fromFile, file === null ? '.' : dirname(file)),
    overrides,
    optionNames,
  );
  return { config: anchored(config, '.'), file, digest: configDigest(config) };
}

/** Relative paths start at `folder`; a profile without a slash is the name of a shipped one. */
function anchored(config: Config, folder: string): Config {
  const { vehicle } = config;
  const dbc = vehicle.dbc.map((path) => resolve(folder, path));
  const profile = /[/\\]|^\.+$/.test(vehicle.profile) ? resolve(folder, vehicle.profile) : vehicle.profile;
  const { act } = config;
  const hil_key_file = act.hil_key_file === '' ? '' : resolve(folder, act.hil_key_file);
  return { ...config, vehicle: { ...vehicle, dbc, profile }, act: { ...act, hil_key_file } };
}

export function configDigest(config: Config): string {
  return createHash('sha256').update(canonicalJson(config), 'utf8').digest('hex');
}

function readConfigFile(file: string): string {
  const bytes = readBounded(file, { maxBytes, tooLarge: 'CONFIG_INVALID', what: 'a configuration' });
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
  const { issues } = result.error;
  const findings = issues.slice(0, maxFindings).flatMap((issue) => describe(issue, raw));
  const located = findings
    .slice(0, maxFindings)
    .map((finding) => ({ ...finding, line: configKeyLine(toml, finding.path) }));
  const [first, ...rest] = located;
  if (!first) throw new DriveMcpError('INVARIANT', 'a refused configuration without a finding');
  const more = issues.reduce((sum, issue) => sum + findingCount(issue), 0) - located.length;
  const also = rest.map((finding) => {
    const where = `${file}${finding.line === undefined ? '' : `:${finding.line}`}`;
    return `\n  also: ${where}: ${finding.path.join('.')}: ${finding.message}`;
  });
  if (more > 0) also.push(`\n  and ${more} more finding${more === 1 ? '' : 's'}`);
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

function findingCount(issue: z.core.$ZodIssue): number {
  return issue.code === 'unrecognized_keys' ? issue.keys.length : 1;
}

function describe(issue: z.core.$ZodIssue, raw: unknown): Finding[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys
      .slice(0, maxFindings)
      .map((key) => ({ path: [...path, key], message: unknownKey(path, key) }));
  }
  const given = JSON.stringify(valueAt(raw, path))?.slice(0, maxShownChars) ?? 'nothing';
  return [{ path, message: `${allowed(issue)}; got ${given}` }];
}

function unknownKey(section: readonly string[], key: string): string {
  const known = knownKeys(section);
  const withUnit = known.find((name) => unitSuffixes.some((suffix) => name === `${key}${suffix}`));
  if (withUnit) return `unknown key; a number carries its unit in the key: write ${withUnit}`;
  const stem = known.find((name) => name.replace(/_[a-z0-9]+$/, '') === key.replace(/_[a-z0-9]+$/, ''));
  if (stem) return `unknown key; did you mean ${stem}?`;
  return `unknown key; known here: ${known.join(', ')}`;
}

const defaultConfig: Config = configSchema.parse({});

function knownKeys(section: readonly string[]): string[] {
  const at = valueAt(defaultConfig, section);
  return typeof at === 'object' && at !== null ? Object.keys(at) : [];
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? text;
}

function withOverrides(config: Config, overrides: ConfigOverrides, optionNames: OptionNames): Config {
  const merged: Record<string, unknown> = {};
  for (const [section, values] of Object.entries(config)) {
    merged[section] = { ...values, ...overrides[section as keyof Config] };
  }
  const result = configSchema.safeParse(merged);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const path = issue?.path.map(String) ?? [];
  const option = optionNames[path.slice(0, 2).join('.')] ?? path.join('.');
  const given = valueAt(merged, path);
  throw new DriveMcpError(
    'USAGE',
    `${option} ${typeof given === 'string' ? given : JSON.stringify(given)}: ${issue ? allowed(issue) : 'refused'}`,
    { hint: 'run the command with --help for what its options take' },
  );
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], value);
}

/** What would have been accepted. */
function allowed(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') return `one of ${issue.values.map(String).join(', ')}`;
  return firstLine(issue.message);
}
