import type { SeenFace } from './seen-faces.js';

/** A face of the ground truth as files and lines hold it. */
export function faceRecord(face: SeenFace): Readonly<Record<string, unknown>> {
  const { signId, class: meaning, value, unit, country, distanceM, occlusion, contrast, legible } = face;
  const { left, top, right, bottom } = face.bboxPx;
  return {
    sign_id: signId,
    class: meaning,
    value,
    unit,
    country,
    bbox_px: [left, top, right, bottom].map((edge) => rounded(edge, 100)),
    distance_m: rounded(distanceM, 1000),
    occlusion: rounded(occlusion, 1000),
    contrast: rounded(contrast, 1000),
    legible,
  };
}

const rounded = (value: number, by: number): number => Math.round(value * by) / by;
