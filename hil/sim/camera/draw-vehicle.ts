/** A vehicle as a few solids with windows, wheels and lamps: enough to tell what it is, where it looks and that it brakes. */
import type { VehicleActor } from '../world/actor.js';
import type { Atmosphere, Rgb } from './atmosphere.js';
import type { LampGlow } from './lamp-glow.js';
import { material, paint } from './raster.js';
import { shadowGroup } from './scene-groups.js';
import type { Slab, SolidPainter } from './solid-painter.js';
import { type LitLamps, litLamps } from './vehicle-lamps.js';

const bodies = [
  [62, 92, 158],
  [178, 44, 34],
  [206, 206, 202],
  [46, 47, 52],
  [128, 132, 136],
  [232, 232, 228],
  [40, 84, 66],
  [150, 120, 70],
] as const;
const glass = paint(38, 45, 52, material.matte);
const rubber = paint(26, 26, 28, material.matte);
const rim = paint(120, 122, 126, material.matte);
const dark = paint(34, 35, 38, material.matte);
const tailOff = paint(112, 22, 22, material.matte);
const tailOn = paint(176, 18, 16, material.lamp);
const brakeOn = paint(255, 52, 40, material.lamp);
const headOff = paint(206, 210, 214, material.matte);
const headOn = paint(255, 252, 240, material.lamp);
const amber = paint(255, 160, 30, material.lamp);
const reverseOn = paint(250, 250, 250, material.lamp);
const plateWhite = paint(226, 226, 222, material.sheeting);
/** smaller than this rims and plates are not drawn */
const smallPxPerM = 8;
const red: Rgb = [255, 46, 34];
const white: Rgb = [255, 246, 226];
const orange: Rgb = [255, 150, 30];

interface Look {
  /** height of the lower edge of the windows and of the roof, shares of the height */
  readonly waist: number;
  /** from the front of the vehicle to the foot and the top of the windscreen, metres */
  readonly screenFootM: number;
  readonly screenTopM: number;
  /** how far the rear window leans, metres */
  readonly rearLeanM: number;
  readonly wheelRadiusM: number;
  /** behind it the box of a lorry or van without windows begins, from the front; null: a car */
  readonly cargoFromM: number | null;
}

const looks: Readonly<Record<string, Look>> = {
  estate: {
    waist: 0.6,
    screenFootM: 1.15,
    screenTopM: 1.95,
    rearLeanM: 0.35,
    wheelRadiusM: 0.33,
    cargoFromM: null,
  },
  hatchback: {
    waist: 0.6,
    screenFootM: 0.95,
    screenTopM: 1.7,
    rearLeanM: 0.5,
    wheelRadiusM: 0.31,
    cargoFromM: null,
  },
  van: {
    waist: 0.52,
    screenFootM: 0.75,
    screenTopM: 1.5,
    rearLeanM: 0.05,
    wheelRadiusM: 0.35,
    cargoFromM: 2.3,
  },
  lorry: { waist: 0.5, screenFootM: 0.05, screenTopM: 0.2, rearLeanM: 0, wheelRadiusM: 0.5, cargoFromM: 2.3 },
};

export function drawVehicle(
  painter: SolidPainter,
  actor: VehicleActor,
  group: number,
  air: Atmosphere,
  tS: number,
  glow: LampGlow,
): void {
  const { lengthM, widthM, heightM } = actor.size;
  const name = actor.typeId.split('.').at(-1) ?? '';
  const look = looks[name] ?? (looks['estate'] as Look);
  const color = paint(...(bodies[actor.id % bodies.length] as Rgb), material.matte);
  painter.stand(actor.pose, group);
  shadow(painter, lengthM, widthM);
  painter.painter.group = group;
  const front = lengthM / 2;
  const half = widthM / 2;
  const floorM = look.wheelRadiusM * 0.75;
  const waistM = heightM * look.waist;
  const slab = (rear: number, ahead: number, side: number, z: number): Slab => ({
    rear,
    front: ahead,
    right: -side,
    left: side,
    z,
  });
  for (const along of [front - 0.85, -front + 0.85])
    for (const side of [-1, 1]) wheel(painter, along, side * (half + 0.01), look.wheelRadiusM);
  if (look.cargoFromM !== null && name === 'lorry') {
    const cabEnd = front - look.cargoFromM;
    painter.solid({
      below: slab(-front, front, half * 0.7, floorM),
      above: slab(-front, front, half * 0.7, floorM + 0.5),
      color: dark,
    });
    painter.solid({
      below: slab(-front, cabEnd - 0.25, half, 0.95),
      above: slab(-front, cabEnd - 0.25, half, heightM),
      color: paint(214, 214, 208, material.matte),
    });
    painter.solid({
      below: slab(cabEnd, front, half, floorM),
      above: slab(cabEnd, front - 0.1, half, heightM * 0.86),
      color,
    });
    // The lamps at the rear hang on a beam.
    painter.solid({
      below: slab(-front, -front + 0.12, half, 0.5),
      above: slab(-front, -front + 0.12, half, 0.8),
      color: dark,
    });
    painter.painter.lift = 1.01;
    painter.painter.color = glass;
    painter.plate(front + 0.005, -half * 0.9, half * 0.9, heightM * 0.48, heightM * 0.78, 1);
    painter.painter.lift = 1;
  } else {
    painter.solid({
      below: slab(-front, front, half, floorM),
      above: slab(-front + 0.04, front - (look.cargoFromM === null ? 0.16 : 0.3), half * 0.98, waistM),
      color,
    });
    const roof = slab(-front + 0.05 + look.rearLeanM, front - look.screenTopM, half * 0.8, heightM * 0.985);
    painter.solid({
      below: slab(-front + 0.05, front - look.screenFootM, half * 0.96, waistM),
      above: roof,
      color,
      sides: glass,
    });
    if (look.cargoFromM !== null)
      painter.solid({
        below: slab(-front, front - look.cargoFromM, half, waistM),
        above: slab(-front, front - look.cargoFromM, half * 0.95, heightM),
        color,
      });
  }
  lamps(
    painter,
    actor,
    litLamps(actor, air, tS),
    name === 'lorry' ? 0.75 : waistM * 0.86,
    floorM,
    air,
    glow,
    group,
  );
}

function wheel(painter: SolidPainter, along: number, aside: number, radiusM: number): void {
  painter.painter.color = rubber;
  painter.disc(along, aside, radiusM, radiusM);
  if (painter.pxPerM < smallPxPerM) return;
  painter.painter.lift = 1.005;
  painter.painter.color = rim;
  painter.disc(along, aside, radiusM, radiusM * 0.58);
  painter.painter.lift = 1;
}

/** The ground below is darker, as under every car. */
function shadow(painter: SolidPainter, lengthM: number, widthM: number): void {
  const { painter: brush } = painter;
  const [along, aside] = [lengthM / 2 + 0.08, widthM / 2 + 0.08];
  brush.color = paint(22, 22, 24, material.road);
  brush.group = shadowGroup;
  brush.lift = 1.02;
  brush.opacity = 0.62;
  painter.see(-along, aside, 0.005, brush.corners, 0);
  painter.see(-along, -aside, 0.005, brush.corners, 3);
  painter.see(along, -aside, 0.005, brush.corners, 6);
  painter.see(along, aside, 0.005, brush.corners, 9);
  brush.polygon(4, true);
  brush.lift = 1;
  brush.opacity = 1;
}

function lamps(
  painter: SolidPainter,
  { size, id }: VehicleActor,
  lit: LitLamps,
  topM: number,
  floorM: number,
  air: Atmosphere,
  glow: LampGlow,
  group: number,
): void {
  const brush = painter.painter;
  const front = size.lengthM / 2;
  const half = size.widthM / 2;
  const bright = 0.25 + 0.75 * air.darkness;
  const point = new Float64Array(3);
  const plate = (
    color: number,
    facing: 1 | -1,
    right: number,
    left: number,
    low: number,
    high: number,
  ): void => {
    brush.color = color;
    painter.plate(facing * (front + 0.01), right, left, low, high, facing);
  };
  const halo = (facing: 1 | -1, aside: number, z: number, color: Rgb, strength: number): void => {
    painter.see(facing * (front + 0.02), aside, z, point, 0);
    // Only who is before a lamp sees it shine.
    glow.add(point, 0.1, color, strength * Math.max(0, cosineTo(painter, facing, aside, z)), group);
  };
  brush.lift = 1.01;
  for (const side of [-1, 1]) {
    const [inner, outer] = [side * half * 0.62, side * half * 0.94];
    const [right, left] = side < 0 ? [outer, inner] : [inner, outer];
    const middle = (inner + outer) / 2;
    plate(lit.isBraking ? brakeOn : lit.isLit ? tailOn : tailOff, -1, right, left, topM - 0.2, topM);
    if (lit.isBraking) halo(-1, middle, topM - 0.1, red, 0.9 * bright);
    else if (lit.isLit) halo(-1, middle, topM - 0.1, red, 0.4 * bright);
    plate(lit.isLit ? headOn : headOff, 1, right, left, topM - 0.22, topM - 0.06);
    if (lit.isLit) halo(1, middle, topM - 0.14, white, (lit.isHighBeam ? 1.6 : 1) * bright);
    const isBlinking = side < 0 ? lit.isRightOn : lit.isLeftOn;
    if (isBlinking)
      for (const facing of [-1, 1] as const) {
        plate(amber, facing, right, left, topM - 0.3, topM - 0.22);
        halo(facing, middle, topM - 0.26, orange, 0.5);
      }
    if (lit.isReversing) plate(reverseOn, -1, right * 0.9, left * 0.9, topM - 0.28, topM - 0.22);
  }
  if (lit.isBraking && id % 4 !== 3) plate(brakeOn, -1, -0.2, 0.2, topM + 0.06, topM + 0.1);
  if (painter.pxPerM > smallPxPerM) {
    plate(plateWhite, -1, -0.26, 0.26, floorM + 0.18, floorM + 0.3);
    plate(plateWhite, 1, -0.26, 0.26, floorM + 0.06, floorM + 0.18);
  }
  brush.lift = 1;
}

/** Cosine between where a lamp shines and where the camera is. */
function cosineTo(painter: SolidPainter, facing: 1 | -1, aside: number, z: number): number {
  const from = new Float64Array(6);
  painter.see(0, aside, z, from, 0);
  painter.see(facing, aside, z, from, 3);
  const [dx, dy, dz] = [0, 1, 2].map((k) => (from[3 + k] as number) - (from[k] as number)) as [
    number,
    number,
    number,
  ];
  const [x, y, zz] = [from[0] as number, from[1] as number, from[2] as number];
  return -(dx * x + dy * y + dz * zz) / Math.max(0.1, Math.hypot(x, y, zz));
}
