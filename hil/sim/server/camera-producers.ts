/** The simulated cameras as sensors: the picture, its depths and its labels, from one raster. */
import type { CarlaProfile } from '../../carla/profile/profile.js';
import { imageHeaderBytes, writeImageHeader } from '../../carla/stream/sensor-data.js';
import { carlaLabels } from '../camera/label.js';
import { lensOf } from '../camera/pinhole.js';
import { CameraRenderer, type CameraView } from '../camera/render-camera.js';
import type { SeenFace } from '../camera/seen-faces.js';
import { writeDepths, writeLabels } from '../camera/truth-images.js';
import { SignFaces } from '../signs/sign-faces.js';
import type { WorldActor } from '../world/actor.js';
import { isBehindWindscreen } from './behind-windscreen.js';
import { bounded } from './bounded.js';
import type { SensorActor, SensorMoment, SensorProducer } from './sensor-actor.js';
import { sensorPose } from './sensor-transform.js';

const widest = 2048;
let faces: SignFaces | null = null;

/** Is told which sign faces a colour picture shows: the truth, for oracles alone. */
export type FacesSeen = (moment: SensorMoment, faces: readonly SeenFace[]) => void;

export function cameraProducers(
  seed: string,
  facesSeen: FacesSeen,
): readonly (readonly [typeId: string, SensorProducer])[] {
  const renderers = new WeakMap<SensorActor, CameraRenderer>();
  const rendererOf = ({ sensor, attribute }: SensorMoment): CameraRenderer => {
    const known = renderers.get(sensor);
    if (known !== undefined) return known;
    faces ??= SignFaces.load();
    const lens = lensOf(
      Math.round(bounded(attribute('image_size_x'), 8, widest)),
      Math.round(bounded(attribute('image_size_y'), 8, widest)),
      bounded(attribute('fov'), 5, 170),
    );
    const blur = bounded(attribute('motion_blur_intensity'), 0, 1);
    const made = new CameraRenderer(lens, `${seed} camera ${sensor.id}`, faces, blur);
    renderers.set(sensor, made);
    return made;
  };
  const viewOf = (moment: SensorMoment): CameraView => {
    const { world, sensor, frame, parent } = moment;
    return {
      world,
      pose: sensorPose(moment),
      carrierId: sensor.parentId === 0 ? null : sensor.parentId,
      frame,
      ...throughBody(sensor, parent),
    };
  };
  const camera =
    (fill: (renderer: CameraRenderer, moment: SensorMoment, bgra: Uint8Array) => void): SensorProducer =>
    (moment) => {
      const renderer = rendererOf(moment);
      const { lens } = renderer.raster;
      const payload = Buffer.allocUnsafe(imageHeaderBytes + 4 * lens.widthPx * lens.heightPx);
      writeImageHeader(payload, lens);
      fill(renderer, moment, payload.subarray(imageHeaderBytes));
      return payload;
    };
  const labels = (profile: CarlaProfile): Uint8Array => carlaLabels(profile.hasSensorToken);
  return [
    [
      'sensor.camera.rgb',
      camera((renderer, moment, bgra) => facesSeen(moment, renderer.photograph(viewOf(moment), bgra))),
    ],
    [
      'sensor.camera.depth',
      camera((renderer, moment, bgra) => {
        renderer.draw(viewOf(moment), true);
        writeDepths(renderer.raster, bgra);
      }),
    ],
    [
      'sensor.camera.semantic_segmentation',
      camera((renderer, moment, bgra) => {
        renderer.draw(viewOf(moment), true);
        writeLabels(renderer.raster, renderer.groups, labels(moment.profile), bgra);
      }),
    ],
  ];
}

/** What the cockpit of its carrier does to a camera: lamps light the road, a windscreen is in the way of who sits behind it. */
function throughBody(
  { relative }: SensorActor,
  carrier: WorldActor | null,
): Pick<CameraView, 'windscreen' | 'ownLamps'> {
  if (carrier?.kind !== 'vehicle') return {};
  const { windscreen, body, size } = carrier;
  return {
    ...(windscreen !== undefined && isBehindWindscreen(relative, size) ? { windscreen } : {}),
    ...(body === undefined
      ? {}
      : { ownLamps: { isLit: body.lowBeam || body.highBeam, isHighBeam: body.highBeam } }),
  };
}
