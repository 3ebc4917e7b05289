/** Allowed import directions (ARCHITECTURE.md, "Folder map"). */
const only = (name, from, to, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { path: '^(daemon|native|mcp|hil|test|scripts)/', pathNot: to },
});

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'core-is-pure', comment: 'the core imports the core and nothing else, no package, no Node module', severity: 'error', from: { path: '^daemon/core/' }, to: { pathNot: '^daemon/core/' } },
    only('native-stands-alone', '^native/', '^native/'),
    only('ports-see-core', '^daemon/ports\\.ts$', '^daemon/core/'),
    only('inner-ring', '^daemon/(runtime|vehicles|record)/', '^daemon/(core|runtime|vehicles|record)/|^daemon/ports\\.ts$|^native/index', 'runtime, vehicles and record see core and ports'),
    { name: 'inner-ring-apart', severity: 'error', from: { path: '^daemon/(vehicles|record)/' }, to: { path: '^(daemon/runtime|native)/' } },
    only('sources', '^daemon/sources/', '^daemon/(core|runtime|vehicles|record|sources)/|^daemon/ports\\.ts$|^native/index'),
    only('outer-ring', '^daemon/(perception|store|sinks|rpc|headunit)/', '^daemon/(core|runtime|vehicles|record|perception|store|sinks|rpc|headunit)/|^daemon/ports\\.ts$'),
    { name: 'outer-ring-apart', comment: 'no deep imports across siblings', severity: 'error', from: { path: '^daemon/(perception|store|sinks|rpc|headunit)/' }, to: { path: '^daemon/(perception|store|sinks|rpc|headunit)/', pathNot: '^daemon/$1/|^daemon/rpc/lines/' } },
    only('tools', '^daemon/tools/', '^daemon/(core|runtime|vehicles|record|tools)/|^daemon/ports\\.ts$|^mcp/', 'inline experts: the one place in the daemon besides cli that loads mcp'),
    only('mcp', '^mcp/', '^mcp/|^daemon/(core|vehicles)/|^daemon/ports\\.ts$|^daemon/store/reader|^daemon/rpc/client', 'experts never see the runtime'),
    only('mcp-packages-apart', '^mcp/(rules|weather|can|drivemcp)/', '^mcp/shared/|^mcp/$1/|^daemon/(core|vehicles)/|^daemon/ports\\.ts$|^daemon/store/reader|^daemon/rpc/client'),
    only('hil', '^hil/', '^hil/|^mcp/|^daemon/(core|record|vehicles|headunit)/|^daemon/ports\\.ts$|^daemon/store/reader|^daemon/rpc/lines/', 'rpc/lines: bounded lines of JSON over a local socket, for services of the simulator too'),
    { name: 'daemon-without-hil', comment: 'only the command line loads hil and mcp, and only by dynamic import', severity: 'error', from: { path: '^daemon/', pathNot: '^daemon/(tools|cli)/' }, to: { path: '^(hil|mcp)/' } },
    { name: 'cli-loads-lazily', severity: 'error', from: { path: '^daemon/cli/' }, to: { path: '^(hil|mcp)/', dependencyTypesNot: ['dynamic-import'] } },
    { name: 'gpl-stays-out', comment: 'obd-parser is GPL-3.0: an oracle in tests, and a process of its own for those who install it', severity: 'error', from: { path: '^(daemon|native|mcp|hil)/' }, to: { path: '(^|/)obd-parser(/|$)' } },
    { name: 'no-tests-in-product', severity: 'error', from: { pathNot: '^(test|scripts)/' }, to: { path: '^test/' } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,

  },
};
