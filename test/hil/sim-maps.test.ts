/** The simulator's maps: read by our own reader without a note, closed, smooth, and the same text every time. */
import t from 'tap';
import { entrySM, exitsOf, isDriving } from '../../hil/opendrive/lane-network.js';
import { indexRoads } from '../../hil/opendrive/locate.js';
import { readOpenDrive } from '../../hil/opendrive/read-map.js';
import { lanePose, runsWithS, sectionAt } from '../../hil/opendrive/road-line.js';
import { mapNames, mapText } from '../../hil/sim/maps/map-catalogue.js';

for (const name of mapNames) {
  t.test(`map ${name}`, (t) => {
    const text = mapText(name);
    t.equal(mapText(name), text, 'the same text twice');
    const map = readOpenDrive(text, `${name}.xodr`);
    t.strictSame(map.notes, []);
    t.equal(map.name, name);
    const index = indexRoads(map);
    const ids = new Set<string>();
    let joints = 0;
    for (const road of map.roads.values()) {
      for (const signal of road.signals) {
        t.notOk(ids.has(signal.id), `signal ${signal.id} is there once`);
        ids.add(signal.id);
      }
      for (const lane of sectionAt(road, 0).lanes.filter(isDriving)) {
        const isWithS = runsWithS(road, lane.id);
        const middle = lanePose(road, lane.id, road.lengthM / 2);
        const found = index.locate(middle.x, middle.y);
        if (road.junction === null)
          t.match(found, { road: { id: road.id }, laneId: lane.id }, `road ${road.id} lane ${lane.id}`);
        const end = lanePose(road, lane.id, isWithS ? road.lengthM : 0);
        const exits = exitsOf(map, road, lane.id);
        for (const entry of exits) {
          const start = lanePose(entry.road, entry.laneId, entrySM(entry));
          const gapM = Math.hypot(start.x - end.x, start.y - end.y);
          const turn = start.headingRad - end.headingRad;
          t.ok(
            gapM < 0.01 && Math.cos(turn) > 0.9999,
            `road ${road.id} lane ${lane.id} meets road ${entry.road.id} lane ${entry.laneId}: ${gapM.toFixed(3)} m, ${turn.toFixed(3)} rad`,
          );
          joints++;
        }
        if (name.startsWith('town'))
          t.ok(exits.length > 0, `road ${road.id} lane ${lane.id} leads somewhere`);
      }
    }
    t.ok(joints > 0 || map.roads.size === 1);
    t.end();
  });
}

t.throws(() => mapText('atlantis'), { code: 'USAGE', message: /town-deu/ });
