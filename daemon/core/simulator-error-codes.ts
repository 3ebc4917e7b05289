/** Codes about simulators, CARLA servers and simulated cars on a bus; a part of the table in errors.ts, which checks its shape. */
export const simulatorErrorCodes = {
  MAP_INVALID: {
    class: 'input',
    reaction: 'refuse',
    exit: 78,
    hint: 'the map is no OpenDRIVE, or uses a part of it that is not read; the message names the line',
  },
  SIM_PORT_TAKEN: {
    class: 'operational',
    reaction: 'refuse',
    exit: 69,
    hint: 'another simulator may be running there; choose another port',
  },
  SIM_REFUSED: {
    class: 'input',
    reaction: 'refuse',
    exit: 78,
    hint: 'the simulator cannot do that; its reason is in the message',
  },
  SCENARIO_INVALID: {
    class: 'input',
    reaction: 'refuse',
    exit: 78,
    hint: 'mend the scenario at the place that the message names',
  },
  CARLA_UNREACHABLE: {
    class: 'operational',
    reaction: 'retry',
    exit: 69,
    hint: 'start CARLA or drivemcp hil serve there; its ports are 2000 (RPC) and 2001 (streams)',
  },
  CALIBRATION_FAILED: {
    class: 'operational',
    reaction: 'refuse',
    exit: 1,
    hint: 'give it a straight, empty road: another spawn point, another map',
  },
  CARLA_EPISODE: {
    class: 'operational',
    reaction: 'retry',
    exit: 69,
    hint: 'somebody loaded a map; connect again',
  },
  EGO_GONE: {
    class: 'operational',
    reaction: 'refuse',
    exit: 69,
    hint: 'the vehicle with the role hero was destroyed by another client; start again when there is one',
  },
  CARLA_GONE: {
    class: 'operational',
    reaction: 'retry',
    exit: 69,
    hint: 'the simulator closed the connection or died; start it again',
  },
  CARLA_TIMEOUT: {
    class: 'operational',
    reaction: 'retry',
    exit: 69,
    hint: 'a simulator that loads a map answers late: wait, or give a longer timeout; in synchronous mode somebody must tick',
  },
  CARLA_REFUSED: {
    class: 'operational',
    reaction: 'refuse',
    exit: 69,
    hint: 'the simulator said no; its words are in the message',
  },
  CARLA_WIRE: {
    class: 'operational',
    reaction: 'refuse',
    exit: 69,
    hint: 'the peer speaks another version of the protocol or is no CARLA; hil doctor HOST:PORT prints what it says',
  },
  BUS_REFUSED: {
    class: 'operational',
    reaction: 'refuse',
    exit: 69,
    hint: 'simulated frames go onto virtual interfaces, and onto a real one only where it is a bench',
  },
  BUS_OCCUPIED: {
    class: 'operational',
    reaction: 'refuse',
    exit: 69,
    hint: 'a simulated car has its bus for itself: unplug whoever sends there; on a virtual bus --share-bus lets it be',
  },
  COCKPIT_ABSENT: {
    class: 'operational',
    reaction: 'refuse',
    exit: 69,
    hint: 'start drivemcp hil serve --cockpit-socket PATH there',
  },
  COCKPIT_REFUSED: {
    class: 'input',
    reaction: 'refuse',
    exit: 78,
    hint: 'drivemcp hil cockpit list --socket PATH shows properties, areas, types and ranges',
  },
} as const;
