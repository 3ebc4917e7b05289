/** The plan view of a road: line, arc, spiral (clothoid), cubic and parametric cubic, each from its own start. */
export interface Pose {
  readonly x: number;
  readonly y: number;
  readonly headingRad: number;
}

interface RecordStart extends Pose {
  readonly fromM: number;
  readonly lengthM: number;
}

export type GeometryShape =
  | { readonly kind: 'line' }
  | { readonly kind: 'arc'; readonly curvaturePerM: number }
  | { readonly kind: 'spiral'; readonly startPerM: number; readonly endPerM: number }
  | { readonly kind: 'poly3'; readonly v: Polynomial }
  | { readonly kind: 'param-poly3'; readonly u: Polynomial; readonly v: Polynomial; readonly range: number };

export type Polynomial = readonly [a: number, b: number, c: number, d: number];

export interface GeometryRecord extends RecordStart {
  readonly shape: GeometryShape;
}

/** Pose at `ds` metres behind the record's start. */
export function poseAlong(record: GeometryRecord, ds: number): Pose {
  const { shape } = record;
  switch (shape.kind) {
    case 'line':
      return fromLocal(record, ds, 0, 0);
    case 'arc':
      return alongArc(record, ds, shape.curvaturePerM);
    case 'spiral':
      return alongSpiral(record, ds, shape.startPerM, (shape.endPerM - shape.startPerM) / record.lengthM);
    case 'poly3':
      return fromLocal(record, ds, polynomialAt(shape.v, ds), Math.atan(slopeOf(shape.v, ds)));
    case 'param-poly3': {
      const p = (ds / record.lengthM) * shape.range;
      const heading = Math.atan2(slopeOf(shape.v, p), slopeOf(shape.u, p));
      return fromLocal(record, polynomialAt(shape.u, p), polynomialAt(shape.v, p), heading);
    }
  }
}

/** Curvature at `ds`, 1/m, positive to the left. */
export function curvatureAlong(record: GeometryRecord, ds: number): number {
  const { shape } = record;
  switch (shape.kind) {
    case 'line':
      return 0;
    case 'arc':
      return shape.curvaturePerM;
    case 'spiral':
      return shape.startPerM + ((shape.endPerM - shape.startPerM) * ds) / record.lengthM;
    case 'poly3':
      return bendOf(1, slopeOf(shape.v, ds), 0, curveOf(shape.v, ds));
    case 'param-poly3': {
      const p = (ds / record.lengthM) * shape.range;
      return bendOf(slopeOf(shape.u, p), slopeOf(shape.v, p), curveOf(shape.u, p), curveOf(shape.v, p));
    }
  }
}

function fromLocal(start: Pose, u: number, v: number, turnRad: number): Pose {
  const cos = Math.cos(start.headingRad);
  const sin = Math.sin(start.headingRad);
  return {
    x: start.x + u * cos - v * sin,
    y: start.y + u * sin + v * cos,
    headingRad: start.headingRad + turnRad,
  };
}

function alongArc(start: Pose, ds: number, curvaturePerM: number): Pose {
  if (Math.abs(curvaturePerM) < 1e-12) return fromLocal(start, ds, 0, 0);
  const turn = curvaturePerM * ds;
  // 1 − cos(turn) would lose every digit where the bend is slight; 2·sin²(turn/2) is the same.
  const half = Math.sin(turn / 2);
  return fromLocal(start, Math.sin(turn) / curvaturePerM, (2 * half * half) / curvaturePerM, turn);
}

/** Gauss–Legendre, five points: exact for polynomials of degree nine. */
const gauss = [
  [-0.906179845938664, 0.236926885056189],
  [-0.538469310105683, 0.478628670499366],
  [0, 0.568888888888889],
  [0.538469310105683, 0.478628670499366],
  [0.906179845938664, 0.236926885056189],
] as const;

/** heading(s) = start + c·s + c'·s²/2, integrated in pieces of at most 5 m (error below 1e-9 m at road curvatures). */
function alongSpiral(start: Pose, ds: number, curvaturePerM: number, changePerM2: number): Pose {
  const pieces = Math.max(1, Math.ceil(Math.abs(ds) / 5));
  const half = ds / pieces / 2;
  let u = 0;
  let v = 0;
  for (let i = 0; i < pieces; i++) {
    const middle = (2 * i + 1) * half;
    for (const [place, weight] of gauss) {
      const s = middle + half * place;
      const turn = curvaturePerM * s + (changePerM2 * s * s) / 2;
      u += weight * half * Math.cos(turn);
      v += weight * half * Math.sin(turn);
    }
  }
  return fromLocal(start, u, v, curvaturePerM * ds + (changePerM2 * ds * ds) / 2);
}

const polynomialAt = ([a, b, c, d]: Polynomial, p: number): number => a + p * (b + p * (c + p * d));
const slopeOf = ([, b, c, d]: Polynomial, p: number): number => b + p * (2 * c + p * 3 * d);
const curveOf = ([, , c, d]: Polynomial, p: number): number => 2 * c + 6 * d * p;

function bendOf(du: number, dv: number, ddu: number, ddv: number): number {
  const speed2 = du * du + dv * dv;
  return speed2 === 0 ? 0 : (du * ddv - dv * ddu) / (speed2 * Math.sqrt(speed2));
}
