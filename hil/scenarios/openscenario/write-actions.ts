/** What is done, in OpenSCENARIO's elements. */
import type { FaultEvent } from '../../sim/scenario.js';
import type { VehicleSpawn } from '../../sim/world/world-scenario.js';
import { toFaultData } from '../fault-event.js';
import { faultCommand } from './own-words.js';
import { type XmlNode, xml, xmlText } from './xml-text.js';

export const privately = (action: XmlNode): XmlNode => xml('PrivateAction', {}, action);
export const longitudinally = (action: XmlNode): XmlNode => privately(xml('LongitudinalAction', {}, action));

export function speed(toMps: number, dynamicsShape: 'step' | 'linear', rateMps2: number): XmlNode {
  return xml(
    'SpeedAction',
    {},
    xml('SpeedActionDynamics', { dynamicsShape, value: rateMps2, dynamicsDimension: 'rate' }),
    xml('SpeedActionTarget', {}, xml('AbsoluteTargetSpeed', { value: toMps })),
  );
}

export function begins(name: string, { place, vMps }: VehicleSpawn, isExternal: boolean): XmlNode {
  const controller = xml(
    'Controller',
    { name: 'driver' },
    xml(
      'Properties',
      {},
      xml('Property', { name: 'module', value: isExternal ? 'external_control' : 'npc_vehicle_control' }),
    ),
  );
  return xml(
    'Private',
    { entityRef: name },
    privately(
      xml(
        'TeleportAction',
        {},
        xml(
          'Position',
          {},
          xml('LanePosition', { roadId: place.road, laneId: place.lane, offset: 0, s: place.sM }),
        ),
      ),
    ),
    privately(xml('ControllerAction', {}, xml('AssignControllerAction', {}, controller))),
    privately(xml('LongitudinalAction', {}, speed(vMps, 'step', 0))),
  );
}

export function signal(
  name: string,
  { value, plate }: { readonly value: number | null; readonly plate: 'wet' | null },
): XmlNode {
  const state = value === null ? 'off' : plate === null ? String(value) : `${value} ${plate}`;
  return xml(
    'InfrastructureAction',
    {},
    xml('TrafficSignalAction', {}, xml('TrafficSignalStateAction', { name, state })),
  );
}

export function faultAction(fault: FaultEvent): XmlNode {
  return xml(
    'UserDefinedAction',
    {},
    xmlText('CustomCommandAction', { type: faultCommand }, JSON.stringify(toFaultData(fault))),
  );
}

export function group(name: string, actors: readonly string[], events: readonly XmlNode[]): XmlNode {
  return xml(
    'ManeuverGroup',
    { maximumExecutionCount: 1, name },
    xml(
      'Actors',
      { selectTriggeringEntities: false },
      ...actors.map((entityRef) => xml('EntityRef', { entityRef })),
    ),
    xml('Maneuver', { name }, ...events),
  );
}
