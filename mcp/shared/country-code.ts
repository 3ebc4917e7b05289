/** `DE`, `DEU`, `GB-WLS`, `GBR/WLS`, `DEU-v1` → ISO 3166-1 alpha-2, under which sign tables are kept. */
export function countryCode(name: string): string {
  const first = name.toUpperCase().split(/[-/]/)[0] ?? '';
  return Object.hasOwn(alpha2, first) ? (alpha2[first] ?? first) : first;
}

const alpha2: Readonly<Record<string, string>> = {
  DEU: 'DE',
  GBR: 'GB',
  FRA: 'FR',
  AUT: 'AT',
  CHE: 'CH',
  NLD: 'NL',
  BEL: 'BE',
  ITA: 'IT',
  ESP: 'ES',
  POL: 'PL',
  CZE: 'CZ',
  IRL: 'IE',
  USA: 'US',
  UK: 'GB',
};
