/** A fogged windscreen lowers the contrast of a camera behind it, and the defroster brings it back; one on the roof sees on. */
import t from 'tap';
import { WindscreenOverlay } from '../../hil/bridge/camera/windscreen-overlay.js';
import type { CarlaSession } from '../../hil/carla/session/carla-session.js';
import { type CameraImage, readImage } from '../../hil/carla/stream/sensor-data.js';
import { noRotation, type Transform } from '../../hil/carla/wire/geometry.js';
import { clearWeather } from '../../hil/carla/wire/weather.js';
import { EgoCockpit } from '../../hil/cockpit/port/ego-cockpit.js';
import { ServedEgoCockpit } from '../../hil/cockpit/served-ego.js';
import { isBehindWindscreen } from '../../hil/sim/server/behind-windscreen.js';
import type { WorldScenario } from '../../hil/sim/world/world-scenario.js';
import { busyTown, serveWorld } from './serve-world.js';

const at = (x: number, z: number, yawDeg = 0): Transform => ({
  location: { x, y: 0, z },
  rotation: { ...noRotation, yawDeg },
});
const inside = at(1.2, 1.3);
const onRoof = at(1.2, 1.9);

const [car] = busyTown.vehicles;
const coldTown: WorldScenario = {
  ...busyTown,
  weather: [{ tS: 0, weather: { ...clearWeather, sunAltitudeDeg: 40 }, ambientC: 3 }],
  vehicles: busyTown.vehicles.slice(4),
  ego: car === undefined ? null : { ...car, roleName: 'hero', brain: 'client', vMps: 0 },
};

/** Spread of the picture's brightness, 0 to 255. */
function contrast({ bgra }: CameraImage): number {
  let sum = 0;
  let squares = 0;
  const count = bgra.length / 4;
  for (let i = 0; i < bgra.length; i += 4) {
    const grey = 0.114 * (bgra[i] ?? 0) + 0.587 * (bgra[i + 1] ?? 0) + 0.299 * (bgra[i + 2] ?? 0);
    sum += grey;
    squares += grey * grey;
  }
  const mean = sum / count;
  return Math.sqrt(squares / count - mean * mean);
}

async function photograph(session: CarlaSession, egoId: number, transform: Transform): Promise<CameraImage> {
  const feed = await session.addSensor({
    typeId: 'sensor.camera.rgb',
    attributes: { image_size_x: '160', image_size_y: '90' },
    transform,
    parentId: egoId,
  });
  for (;;) {
    await session.step();
    for (let i = 0; i < 100; i++) {
      const message = feed.take();
      if (message !== null) {
        feed.close();
        return readImage(message.payload);
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

t.test('which cameras sit behind a windscreen', (t) => {
  const car = { lengthM: 4.7, widthM: 1.85, heightM: 1.48 };
  t.ok(isBehindWindscreen(inside, car));
  t.ok(isBehindWindscreen(at(-0.5, 1.2, 360 - 20), car), 'turned a little');
  t.notOk(isBehindWindscreen(onRoof, car), 'on the roof');
  t.notOk(isBehindWindscreen(at(2.2, 0.7), car), 'at the grille');
  t.notOk(isBehindWindscreen(at(0.2, 1.3, 180), car), 'looks back');
  t.notOk(isBehindWindscreen(at(0.2, 1.3, -90), car), 'looks aside');
  t.end();
});

t.test('fog takes contrast, the defroster brings it back', async (t) => {
  const { server, open } = await serveWorld(t, '0.9.15', coldTown, '0.9.15', true);
  const cockpit = new EgoCockpit({ people: 5, humidityPercent: 95 });
  const ego = new ServedEgoCockpit(cockpit);
  server.stepped = ({ world }) => ego.step(world);
  const session = await open();
  const hero = await session.findVehicle(['hero'], await session.step());
  if (hero === null) throw new Error('no ego');
  const set = (prop: string, value: unknown): void => {
    for (const area of cockpit.port.config(prop)?.areas ?? [])
      t.equal(cockpit.port.set(prop, area, value), null);
  };
  const run = async (seconds: number): Promise<void> => {
    for (let i = 0; i < seconds * 20; i++) await server.tick();
  };
  const fog = (): number => server.episode.world.ego?.windscreen?.fog ?? -1;

  const clear = await photograph(session, hero.id, inside);
  t.equal(fog(), 0);
  set('HVAC_AUTO_ON', false);
  set('HVAC_AC_ON', false);
  set('HVAC_RECIRC_ON', true);
  set('HVAC_FAN_SPEED', 1);
  await run(330);
  t.ok(fog() > 0.7, `fogged: ${fog().toFixed(2)}`);
  const fogged = await photograph(session, hero.id, inside);
  const roof = await photograph(session, hero.id, onRoof);
  set('HVAC_MAX_DEFROST_ON', true);
  await run(240);
  t.equal(fog(), 0, 'defrosted');
  const defrosted = await photograph(session, hero.id, inside);
  const [before, during, above, after] = [clear, fogged, roof, defrosted].map(contrast) as [
    number,
    number,
    number,
    number,
  ];
  t.comment(
    `contrast ${before.toFixed(1)}, fogged ${during.toFixed(1)}, on the roof ${above.toFixed(1)}, then ${after.toFixed(1)}`,
  );
  t.ok(during < 0.5 * before, 'less than half of the contrast behind fogged glass');
  t.ok(above > 0.7 * before, 'a camera on the roof is not behind it');
  t.ok(after > 0.8 * before, 'and it is back');
});

t.test(
  "over a picture that is not the simulator's: the more fog the less contrast, clear glass changes nothing",
  (t) => {
    const overlay = new WindscreenOverlay();
    const [widthPx, heightPx] = [96, 54];
    // Unaligned, as a payload behind its header is.
    const bgra = Buffer.alloc(4 * widthPx * heightPx + 1).subarray(1);
    for (let i = 0; i < widthPx * heightPx; i++)
      bgra.fill((((i >> 3) & 1) * 200 + 20) & 255, 4 * i, 4 * i + 4);
    const image = { widthPx, heightPx, fovDeg: 90, bgra };
    t.equal(overlay.over(image, null, 0), image);
    t.equal(overlay.over(image, { fog: 0, drops: 0 }, 0), image);
    let before = contrast(image);
    for (const fog of [0.2, 0.4, 0.6, 0.8, 1]) {
      const now = contrast(overlay.over(image, { fog, drops: 0 }, 0));
      t.ok(now < before, `fog ${fog}: ${now.toFixed(1)} after ${before.toFixed(1)}`);
      before = now;
    }
    const drops = overlay.over(image, { fog: 0, drops: 0.6 }, 1);
    t.notSame(drops.bgra, bgra);
    t.same(overlay.over(image, { fog: 0, drops: 0.6 }, 1).bgra, drops.bgra, 'the same twice');
    t.end();
  },
);
