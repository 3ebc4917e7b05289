/** OpenDRIVE 1.4 text of a map of ours: read back by our own reader, and by CARLA through copy_opendrive_to_file. */
import type { GeometryRecord } from '../../opendrive/geometry.js';
import {
  type LaneSpec,
  type LinkSpec,
  lengthOf,
  type MapSpec,
  planViewOf,
  type RoadSpec,
  type SignalSpec,
} from './road-spec.js';

export function writeOpenDrive(map: MapSpec): string {
  const lines = [
    '<?xml version="1.0" standalone="yes"?>',
    '<OpenDRIVE>',
    `  <header revMajor="1" revMinor="4" name="${escapeXml(map.name)}" version="1" vendor="drivemcp"/>`,
  ];
  for (const road of map.roads) writeRoad(road, lines);
  for (const { id, connections } of map.junctions) {
    lines.push(`  <junction id="${id}" name="junction ${id}">`);
    for (const [i, connection] of connections.entries()) {
      const { incomingRoad, connectingRoad, lanes } = connection;
      lines.push(
        `    <connection id="${i}" incomingRoad="${incomingRoad}" connectingRoad="${connectingRoad}" contactPoint="start">`,
        ...lanes.map(([from, to]) => `      <laneLink from="${from}" to="${to}"/>`),
        '    </connection>',
      );
    }
    lines.push('  </junction>');
  }
  lines.push('</OpenDRIVE>', '');
  return lines.join('\n');
}

function writeRoad(road: RoadSpec, lines: string[]): void {
  const rule = road.isLeftHand ? 'LHT' : 'RHT';
  const head = `name="${escapeXml(road.name)}" length="${number(lengthOf(road))}" id="${road.id}" junction="${road.junction ?? -1}" rule="${rule}"`;
  lines.push(`  <road ${head}>`, '    <link>');
  if (road.predecessor !== undefined) lines.push(`      ${link('predecessor', road.predecessor)}`);
  if (road.successor !== undefined) lines.push(`      ${link('successor', road.successor)}`);
  lines.push('    </link>');
  for (const { fromM, type, country, max, unit } of road.types) {
    const speed = max === null ? '<speed max="no limit"/>' : `<speed max="${max}" unit="${unit}"/>`;
    lines.push(`    <type s="${number(fromM)}" type="${type}" country="${country}">${speed}</type>`);
  }
  lines.push(
    '    <planView>',
    ...planViewOf(road).map((record) => `      ${geometry(record)}`),
    '    </planView>',
  );
  lines.push('    <elevationProfile><elevation s="0" a="0" b="0" c="0" d="0"/></elevationProfile>');
  writeLanes(road, lines);
  if (road.signals !== undefined && road.signals.length > 0)
    lines.push('    <signals>', ...road.signals.map((spec) => `      ${signal(spec)}`), '    </signals>');
  lines.push('  </road>');
}

function link(name: string, { kind, id, contact }: LinkSpec): string {
  return `<${name} elementType="${kind}" elementId="${id}"${contact === undefined ? '' : ` contactPoint="${contact}"`}/>`;
}

function geometry({ fromM, x, y, headingRad, lengthM, shape }: GeometryRecord): string {
  const place = `s="${number(fromM)}" x="${number(x)}" y="${number(y)}" hdg="${number(headingRad)}" length="${number(lengthM)}"`;
  switch (shape.kind) {
    case 'line':
      return `<geometry ${place}><line/></geometry>`;
    case 'arc':
      return `<geometry ${place}><arc curvature="${number(shape.curvaturePerM)}"/></geometry>`;
    case 'spiral':
      return `<geometry ${place}><spiral curvStart="${number(shape.startPerM)}" curvEnd="${number(shape.endPerM)}"/></geometry>`;
    case 'poly3':
      throw new RangeError('maps of ours have no poly3');
    case 'param-poly3': {
      const [[aU, bU, cU, dU], [aV, bV, cV, dV]] = [shape.u, shape.v];
      const u = `aU="${number(aU)}" bU="${number(bU)}" cU="${number(cU)}" dU="${number(dU)}"`;
      const v = `aV="${number(aV)}" bV="${number(bV)}" cV="${number(cV)}" dV="${number(dV)}"`;
      return `<geometry ${place}><paramPoly3 ${u} ${v} pRange="normalized"/></geometry>`;
    }
  }
}

function writeLanes(road: RoadSpec, lines: string[]): void {
  lines.push('    <lanes>', '      <laneSection s="0">');
  if (road.left.length > 0) {
    const lanes = road.left.map((spec, i) => lane(road, i + 1, spec)).reverse();
    lines.push('        <left>', ...lanes, '        </left>');
  }
  lines.push(
    '        <center>',
    `          <lane id="0" type="none" level="false">${mark(road.middleMark)}</lane>`,
    '        </center>',
  );
  if (road.right.length > 0)
    lines.push(
      '        <right>',
      ...road.right.map((spec, i) => lane(road, -i - 1, spec)),
      '        </right>',
    );
  lines.push('      </laneSection>', '    </lanes>');
}

function lane(road: RoadSpec, id: number, spec: LaneSpec): string {
  const behind = laneLink('predecessor', road.predecessor, road.laneBehind?.[id], id);
  const ahead = laneLink('successor', road.successor, road.laneAhead?.[id], id);
  const width = `<width sOffset="0" a="${number(spec.widthM)}" b="0" c="0" d="0"/>`;
  return `          <lane id="${id}" type="${spec.type}" level="false"><link>${behind}${ahead}</link>${width}${mark(spec.mark)}</lane>`;
}

function laneLink(
  name: string,
  road: LinkSpec | undefined,
  lane: number | null | undefined,
  id: number,
): string {
  return road?.kind !== 'road' || lane === null ? '' : `<${name} id="${lane ?? id}"/>`;
}

function mark(type: LaneSpec['mark']): string {
  return `<roadMark sOffset="0" type="${type}" weight="standard" color="standard" width="0.12"/>`;
}

function signal(spec: SignalSpec): string {
  const { id, sM, tM, orientation, country, type, subtype = '-1', value, unit, text, lanes } = spec;
  const place = `id="${escapeXml(id)}" s="${number(sM)}" t="${number(tM)}" zOffset="${number(spec.zOffsetM ?? 2)}" orientation="${orientation}"`;
  const kind = `dynamic="${spec.isDynamic === true ? 'yes' : 'no'}" country="${country}" type="${type}" subtype="${subtype}"`;
  const shown = `value="${value ?? -1}"${unit === undefined ? '' : ` unit="${unit}"`}${text === undefined ? '' : ` text="${escapeXml(text)}"`}`;
  const size = `width="${number(spec.widthM ?? 0.6)}" height="${number(spec.heightM ?? 0.6)}" hOffset="0"`;
  const validity = lanes === undefined ? '' : `<validity fromLane="${lanes[0]}" toLane="${lanes[1]}"/>`;
  return `<signal ${place} ${kind} ${shown} ${size}>${validity}</signal>`;
}

/** Nine decimals: a nanometre, and the same text on every machine. */
function number(value: number): string {
  const text = value.toFixed(9).replace(/\.?0+$/, '');
  return text === '-0' ? '0' : text;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
