/**
 * One run of the simulator: fixed steps, no clock, the same scenario and seed give the same bytes.
 *
 * A step is 50 ms of traffic, weather, driver and sensors with five plant steps of 10 ms inside. The outputs
 * are what a daemon in this car would receive: CAN frames and facts, in the order of their arrival. What is
 * really so (the plant's state, the friction, the limit in force) goes to `truth` only, for metrics and tests.
 */

import type { FactInput } from '../../daemon/core/world/facts.js';
import type { DbcDatabase } from '../../daemon/vehicles/dbc/database.js';
import { actorLatencyUs, actorPeriodUs, createActorSensor, senseActors } from './actor-sensor.js';
import { applyFault } from './apply-fault.js';
import { createCanOutput, emitFrames } from './can-output.js';
import type { Observation } from './driver.js';
import { alertDriver, stepDriver } from './driver.js';
import type { LeadState } from './lead.js';
import { enterLead, stepLead } from './lead.js';
import { createMapSensor, mapPeriodUs, senseMap, weatherAgeUs } from './map-sensor.js';
import type { PlantState } from './plant.js';
import { restingPlant, soundFaults, stepPlant } from './plant.js';
import { stepPowertrain, warmPowertrain } from './powertrain.js';
import type { LimitInForce } from './road.js';
import { limitInForce, segmentAt } from './road.js';
import { type Scenario, seedOf } from './scenario.js';
import { plantMu, weatherAt } from './weather.js';

export const stepUs = 50_000;
const plantSteps = 5;
const plantStepUs = stepUs / plantSteps;

/** What is really so at the end of a step; never an input of anything that decides. */
export interface Truth {
  readonly tUs: number;
  readonly plant: Readonly<PlantState>;
  readonly mu: number;
  readonly limit: LimitInForce;
  readonly jurisdiction: string;
  /** the nearest vehicle in our lane */
  readonly lead: { readonly id: string; readonly gapM: number; readonly closingMps: number } | null;
  readonly hasCollided: boolean;
}

export interface SimulationOutputs {
  /** a frame as received; `data` is valid during the call only */
  frame(tUs: number, id: number, data: Uint8Array): void;
  fact(arrivedAtUs: number, fact: FactInput): void;
  /** the state behind it goes on changing: copy what is kept */
  truth?(truth: Truth): void;
}

/** Runs a scenario from its start to its end. The odometer starts at 18 204 km. */
export function simulate(scenario: Scenario, database: DbcDatabase, outputs: SimulationOutputs): void {
  const { road, ego } = scenario;
  const seed = seedOf(scenario);
  const plant = restingPlant(ego.startM, ego.vMps);
  const powertrain = warmPowertrain(ego.vMps);
  const faults = soundFaults(ego.car);
  const canOutput = createCanOutput(database, seed);
  const actorSensor = createActorSensor(seed);
  const mapSensor = createMapSensor(seed);
  const leads: LeadState[] = [];
  const inFlight: { arrivesAtUs: number; fact: FactInput }[] = [];
  let driver: ReturnType<typeof alertDriver> | undefined;
  let hasCollided = false;

  for (let tUs = 0; tUs < scenario.durationS * 1e6; tUs += stepUs) {
    const tS = tUs / 1e6;
    const weather = weatherAt(scenario.weather, tS);
    const mu = road.gripFactor * plantMu(weather, plant.vMps);
    moveTraffic(scenario, leads, plant.sM, tS);

    const nearest = nearestLead(leads, plant);
    const seen: Observation = {
      lead: nearest,
      limit: limitInForce(road, plant.sM, tS),
      weather,
      curvaturePerM: segmentAt(road, plant.sM).segment.curvaturePerM,
    };
    driver ??= alertDriver(seen);
    const controls = stepDriver(driver, ego.driver, ego.car, seen, plant.vMps, tS, stepUs / 1e6);

    if (tUs % mapPeriodUs === 0) {
      const published = weatherAt(scenario.weather, Math.max(0, (tUs - weatherAgeUs) / 1e6));
      for (const fact of senseMap(mapSensor, road, plant.sM, published, tUs)) outputs.fact(tUs, fact);
    }
    if (tUs % actorPeriodUs === 0) {
      const fact = senseActors(actorSensor, leads, plant.sM, plant.vMps, weather, tUs);
      inFlight.push({ arrivesAtUs: tUs + actorLatencyUs, fact });
    }

    for (let i = 0; i < plantSteps; i++) {
      const endUs = tUs + (i + 1) * plantStepUs;
      while (inFlight[0] !== undefined && inFlight[0].arrivesAtUs <= endUs - plantStepUs) {
        const arrived = inFlight.shift();
        if (arrived !== undefined) outputs.fact(arrived.arrivesAtUs, arrived.fact);
      }
      emitFrames(
        canOutput,
        { model: ego.car, plant, powertrain, faults, weather, isReversing: false, odometerM: 18_204_000 },
        endUs,
        outputs.frame,
      );
      for (const event of scenario.faults) applyFault(faults, event, endUs / 1e6, plantStepUs / 1e6);
      stepPlant(plant, ego.car, controls, faults, mu, plantStepUs / 1e6);
      stepPowertrain(powertrain, plant, plantStepUs / 1e6);
      for (const lead of leads) stepLead(lead, endUs / 1e6, mu, plantStepUs / 1e6);
      hasCollided = collide(leads, plant) || hasCollided;
    }
    outputs.truth?.({
      tUs: tUs + stepUs,
      plant,
      mu,
      limit: limitInForce(road, plant.sM, tS),
      jurisdiction: segmentAt(road, plant.sM).segment.jurisdiction,
      lead: nearestLead(leads, plant),
      hasCollided,
    });
  }
}

function moveTraffic(scenario: Scenario, leads: LeadState[], egoFrontM: number, tS: number): void {
  for (const script of scenario.leads) {
    const index = leads.findIndex((lead) => lead.script === script);
    if (index < 0 && tS >= script.entersS && tS < script.leavesS) leads.push(enterLead(script, egoFrontM));
    if (index >= 0 && tS >= script.leavesS) leads.splice(index, 1);
  }
}

function nearestLead(leads: readonly LeadState[], plant: PlantState): Truth['lead'] {
  let nearest: Truth['lead'] = null;
  for (const lead of leads) {
    const gapM = lead.rearM - plant.sM;
    if (lead.inLane < 0.5 || (nearest !== null && gapM >= nearest.gapM)) continue;
    nearest = { id: lead.script.id, gapM, closingMps: plant.vMps - lead.vMps };
  }
  return nearest;
}

/** A collision ends the relative motion: both go on at the slower speed, bumper to bumper. */
function collide(leads: readonly LeadState[], plant: PlantState): boolean {
  let hasCollided = false;
  for (const lead of leads) {
    if (lead.inLane < 0.5 || lead.rearM > plant.sM) continue;
    hasCollided = true;
    lead.rearM = plant.sM;
    plant.vMps = Math.min(plant.vMps, lead.vMps);
  }
  return hasCollided;
}
