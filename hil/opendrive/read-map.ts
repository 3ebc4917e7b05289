/**
 * Reads OpenDRIVE 1.4–1.7 as far as it is used: plan view, elevation, lanes with widths, marks, speeds and links, road
 * types, signals, junctions. What a road cannot do without is an error with its line; what is read over is noted.
 */
import { DriveMcpError } from '../../daemon/core/errors.js';
import type { JunctionConnection, MapJunction, MapRoad, OpenDriveMap, RoadLink, RoadType } from './map.js';
import { readCubics, readLaneSections, speedMps } from './read-lanes.js';
import { readPlanView } from './read-plan-view.js';
import { readSignals } from './read-signals.js';
import { Attributes, childOf, childrenOf, readXml, type XmlElement } from './xml-element.js';

/** Less is numerical noise, and a step of a vehicle would be through millions of them. */
const shortestRoadM = 1e-4;
/** Roads are sampled every few metres; all of a large city are 2,000 km. */
const longestRoadM = 200_000;
const longestRoadsM = 5_000_000;
/** A pose on a spiral is integrated from its begin: all of one cost its length squared. 50,000 of 100 m are this much. */
const mostSpiralsM2 = 5e8;

/** `file` stands in errors. Throws MAP_INVALID. */
export function readOpenDrive(text: string, file: string): OpenDriveMap {
  const root = readXml(text, file);
  if (root.name !== 'OpenDRIVE')
    throw new DriveMcpError(
      'MAP_INVALID',
      `the root element is <${root.name.slice(0, 80)}>, not <OpenDRIVE>`,
      {
        location: { file, line: root.line },
      },
    );
  const notes: string[] = [];
  const roads = new Map<string, MapRoad>();
  let allM = 0;
  let spiralsM2 = 0;
  for (const element of childrenOf(root, 'road')) {
    const road = readRoad(element, file, notes);
    allM += road.lengthM;
    if (allM > longestRoadsM)
      throw new Attributes(element, file).error(`more than ${longestRoadsM / 1000} km of roads`);
    for (const { shape, lengthM } of road.planView)
      if (shape.kind === 'spiral') spiralsM2 += lengthM * lengthM;
    if (spiralsM2 > mostSpiralsM2)
      throw new Attributes(element, file).error('more and longer spirals than are read');
    if (roads.has(road.id)) throw new Attributes(element, file).error(`a second road ${road.id}`);
    roads.set(road.id, road);
  }
  if (roads.size === 0) throw new Attributes(root, file).error('no road');
  const junctions = new Map<string, MapJunction>();
  for (const element of childrenOf(root, 'junction')) {
    const junction = readJunction(element, file);
    junctions.set(junction.id, junction);
  }
  noteLooseEnds(roads, junctions, notes);
  return { name: childOf(root, 'header')?.attributes['name'] ?? '', roads, junctions, notes };
}

function readRoad(element: XmlElement, file: string, notes: string[]): MapRoad {
  const attributes = new Attributes(element, file);
  const id = attributes.text('id');
  const lengthM = attributes.number('length');
  if (lengthM < shortestRoadM || lengthM > longestRoadM) throw attributes.error(`a road of ${lengthM} m`);
  const junction = attributes.text('junction', '-1');
  const lanes = childOf(element, 'lanes');
  return {
    id,
    name: attributes.text('name', ''),
    lengthM,
    junction: junction === '-1' || junction === '' ? null : junction,
    isLeftHand: attributes.text('rule', 'RHT').toUpperCase() === 'LHT',
    types: childrenOf(element, 'type').map((type) => readType(type, file)),
    planView: readPlanView(element, lengthM, file),
    elevations: readCubics(childrenOf(childOf(element, 'elevationProfile'), 'elevation'), 's', file),
    laneOffsets: readCubics(childrenOf(lanes, 'laneOffset'), 's', file),
    sections: readLaneSections(element, lengthM, file),
    signals: readSignals(element, id, lengthM, file, notes),
    predecessor: readLink(childOf(childOf(element, 'link'), 'predecessor'), file),
    successor: readLink(childOf(childOf(element, 'link'), 'successor'), file),
  };
}

function readType(element: XmlElement, file: string): RoadType {
  const attributes = new Attributes(element, file);
  const speed = childOf(element, 'speed');
  return {
    fromM: attributes.number('s'),
    type: attributes.text('type', 'unknown'),
    country: attributes.text('country', '').toUpperCase(),
    maxMps: speed === undefined ? undefined : speedMps(speed, file),
  };
}

function readLink(element: XmlElement | undefined, file: string): RoadLink | null {
  if (element === undefined) return null;
  const attributes = new Attributes(element, file);
  const kind = attributes.text('elementType', 'road');
  if (kind !== 'road' && kind !== 'junction') throw attributes.error(`elementType ${JSON.stringify(kind)}`);
  return { kind, id: attributes.text('elementId'), contact: readContact(attributes, 'start') };
}

function readContact(attributes: Attributes, fallback: 'start' | 'end'): 'start' | 'end' {
  const contact = attributes.text('contactPoint', fallback);
  if (contact !== 'start' && contact !== 'end')
    throw attributes.error(`contactPoint ${JSON.stringify(contact)}`);
  return contact;
}

function readJunction(element: XmlElement, file: string): MapJunction {
  return {
    id: new Attributes(element, file).text('id'),
    connections: childrenOf(element, 'connection').map((connection) => readConnection(connection, file)),
  };
}

function readConnection(element: XmlElement, file: string): JunctionConnection {
  const attributes = new Attributes(element, file);
  const links = childrenOf(element, 'laneLink').map((link) => new Attributes(link, file));
  return {
    incomingRoad: attributes.text('incomingRoad'),
    connectingRoad: attributes.text('connectingRoad'),
    contact: readContact(attributes, 'start'),
    lanes: new Map(links.map((link) => [link.lane('from'), link.lane('to')])),
  };
}

/** A link to nothing ends the road there; traffic that gets that far leaves the map. */
function noteLooseEnds(
  roads: ReadonlyMap<string, MapRoad>,
  junctions: ReadonlyMap<string, MapJunction>,
  notes: string[],
): void {
  for (const road of roads.values())
    for (const link of [road.predecessor, road.successor])
      if (link !== null && !(link.kind === 'road' ? roads : junctions).has(link.id))
        notes.push(`road ${road.id} links to ${link.kind} ${link.id}, which is not there`);
  for (const junction of junctions.values())
    for (const { incomingRoad, connectingRoad } of junction.connections)
      for (const id of [incomingRoad, connectingRoad])
        if (!roads.has(id)) notes.push(`junction ${junction.id} names road ${id}, which is not there`);
}
