import { blueprintOf } from '../../sim/world/blueprint.js';
import type { VehicleSpawn } from '../../sim/world/world-scenario.js';
import { type XmlNode, xml } from './xml-text.js';

const categories: Readonly<Record<string, string>> = {
  estate: 'car',
  hatchback: 'car',
  van: 'van',
  lorry: 'truck',
};

/** A vehicle with what OpenSCENARIO wants to know of it; what only our simulator knows are properties. */
export function writeVehicle(
  name: string,
  spawn: VehicleSpawn,
  own: Readonly<Record<string, string>>,
): XmlNode {
  const { typeId, speedFactor } = spawn;
  const blueprint = blueprintOf(typeId);
  const { lengthM, widthM, heightM } = blueprint?.size ?? { lengthM: 4.5, widthM: 1.8, heightM: 1.5 };
  const wheelbaseM = blueprint?.model?.wheelbaseM ?? 2.8;
  const wheelM = 0.64;
  const axle = {
    wheelDiameter: wheelM,
    trackWidth: Math.round((widthM - 0.2) * 100) / 100,
    positionZ: wheelM / 2,
  };
  return xml(
    'ScenarioObject',
    { name },
    xml(
      'Vehicle',
      { name: typeId, vehicleCategory: categories[typeId.split('.').at(-1) ?? ''] ?? 'car' },
      xml('ParameterDeclarations'),
      xml(
        'BoundingBox',
        {},
        xml('Center', { x: 0, y: 0, z: heightM / 2 }),
        xml('Dimensions', { width: widthM, length: lengthM, height: heightM }),
      ),
      xml('Performance', { maxSpeed: 60, maxAcceleration: 12, maxDeceleration: 12 }),
      xml(
        'Axles',
        {},
        xml('FrontAxle', { maxSteering: 1.22, positionX: wheelbaseM, ...axle }),
        xml('RearAxle', { maxSteering: 0, positionX: 0, ...axle }),
      ),
      xml(
        'Properties',
        {},
        ...Object.entries({ ...own, speed_factor: String(speedFactor) }).map(([key, value]) =>
          xml('Property', { name: key, value }),
        ),
      ),
    ),
  );
}

export function writePedestrian(name: string): XmlNode {
  const typeId = 'walker.pedestrian.0001';
  const { lengthM, widthM, heightM } = blueprintOf(typeId)?.size ?? {
    lengthM: 0.4,
    widthM: 0.6,
    heightM: 1.75,
  };
  return xml(
    'ScenarioObject',
    { name },
    xml(
      'Pedestrian',
      { name: typeId, model: typeId, mass: 75, pedestrianCategory: 'pedestrian' },
      xml('ParameterDeclarations'),
      xml(
        'BoundingBox',
        {},
        xml('Center', { x: 0, y: 0, z: heightM / 2 }),
        xml('Dimensions', { width: widthM, length: lengthM, height: heightM }),
      ),
      xml('Properties'),
    ),
  );
}
