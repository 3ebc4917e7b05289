/** Who takes part: vehicles by their category, people on foot. */
import type { XmlElement } from '../../opendrive/xml-element.js';
import { blueprints } from '../../sim/world/blueprint.js';
import type { XoscReader } from './xosc-reader.js';

export interface Entity {
  readonly name: string;
  readonly element: XmlElement;
  readonly kind: 'ego' | 'vehicle' | 'walker';
  /** of vehicles: one of the simulator's */
  readonly vehicle: string;
  /** Properties of the entity; our own export has some */
  readonly properties: ReadonlyMap<string, string>;
}

const ownPrefix = 'vehicle.drivemcp.';
const own = blueprints.flatMap(({ id }) => (id.startsWith(ownPrefix) ? [id.slice(ownPrefix.length)] : []));

/** The simulator has four kinds of vehicles; the nearest stands for a category. */
const byCategory: Readonly<Record<string, string>> = { car: 'hatchback', van: 'van', truck: 'lorry' };
const egoNames = /^(hero|ego|ego_vehicle)$/i;

export function readEntities(reader: XoscReader): ReadonlyMap<string, Entity> {
  const entities = new Map<string, Entity>();
  const list = reader.must(reader.root, 'Entities');
  reader.only(list, ['ScenarioObject']);
  const objects = reader.children(list, 'ScenarioObject');
  const marked = objects.find(
    (one) => reader.properties(reader.child(one, 'Vehicle')).get('type') === 'ego_vehicle',
  );
  const ego = marked ?? objects.find((one) => egoNames.test(reader.text(one, 'name')));
  for (const object of objects) {
    const name = reader.text(object, 'name');
    if (entities.has(name)) throw reader.fault(object, `there are two of the name ${name}`);
    reader.only(object, ['Vehicle', 'Pedestrian']);
    const vehicle = reader.child(object, 'Vehicle');
    const pedestrian = reader.child(object, 'Pedestrian');
    if (vehicle === undefined && pedestrian === undefined) {
      reader.leaveOut(object, `${name} is neither a vehicle nor a pedestrian here`);
      continue;
    }
    const kind = pedestrian !== undefined ? 'walker' : object === ego ? 'ego' : 'vehicle';
    entities.set(name, {
      name,
      element: object,
      kind,
      vehicle: vehicle === undefined ? '' : vehicleOf(vehicle, kind === 'ego', reader),
      properties: reader.properties(vehicle ?? pedestrian),
    });
  }
  return entities;
}

function vehicleOf(vehicle: XmlElement, isEgo: boolean, reader: XoscReader): string {
  const model = reader.text(vehicle, 'name', '');
  const named = model.startsWith(ownPrefix) ? model.slice(ownPrefix.length) : '';
  if (own.includes(named)) return named;
  const category = reader.text(vehicle, 'vehicleCategory', 'car');
  if (isEgo && category === 'car') return 'estate';
  const nearest = byCategory[category];
  if (nearest === undefined)
    reader.leaveOut(vehicle, `vehicleCategory ${category}: a hatchback stands for it`);
  return nearest ?? 'hatchback';
}
