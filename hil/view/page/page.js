/** Feeds the page from /map, /state and /camera, and takes buttons, keys, wheel and drag. */
{
  const byId = (id) => document.getElementById(id);
  const canvas = byId('map');
  const picture = byId('picture').getContext('2d');
  const scene = {
    view: { x: 0, y: 0, scale: 4, turn: 0, isFollowing: true, isHeadingUp: false, chosen: null },
    trail: [],
    shapes: null,
    signs: [],
    before: null,
    now: null,
    followed: () => followed(),
  };
  let bounds = [-100, -100, 100, 100];
  let mapVersion = -1;

  const loadMap = async (version) => {
    mapVersion = version;
    const { drawing } = await (await fetch('/map')).json();
    scene.shapes = null;
    scene.signs = [];
    scene.trail.length = 0;
    if (drawing === null) return;
    scene.shapes = globalThis.shapesOf(drawing);
    scene.signs = drawing.signs;
    bounds = drawing.bounds;
    if (scene.now === null || scene.now.ego === null) wholeMap();
  };

  const wholeMap = () => {
    const [minX, minY, maxX, maxY] = bounds;
    setFollowing(false);
    scene.view.x = (minX + maxX) / 2;
    scene.view.y = (minY + maxY) / 2;
    scene.view.scale =
      0.9 * Math.min(canvas.clientWidth / (maxX - minX + 1), canvas.clientHeight / (maxY - minY + 1));
  };

  const followed = () => {
    if (scene.now === null) return null;
    const id = scene.view.chosen ?? (scene.now.ego === null ? null : scene.now.ego.id);
    return scene.now.actors.find((actor) => actor.id === id) ?? null;
  };

  const weatherText = (weather) => {
    if (weather === null) return '–';
    const parts = [];
    const { precipitation, wetness, fogDensity, sunAltitudeDeg, cloudiness } = weather;
    parts.push(
      sunAltitudeDeg < -6 ? 'night' : sunAltitudeDeg < 6 ? 'dusk' : cloudiness > 60 ? 'overcast' : 'day',
    );
    if (precipitation > 0) parts.push(`rain ${Math.round(precipitation)} %`);
    if (wetness > 0) parts.push(`wet ${Math.round(wetness)} %`);
    if (fogDensity > 0) parts.push(`fog ${Math.round(fogDensity)} %`);
    return parts.join(', ');
  };

  const show = (state) => {
    document.body.dataset.status = state.status;
    byId('status').textContent = [state.server, state.message].filter(Boolean).join(' · ');
    const ego = state.ego === null ? null : state.actors.find(({ id }) => id === state.ego.id);
    const perMps = state.ego !== null && state.ego.unit === 'mph' ? 2.236936 : 3.6;
    byId('speed').textContent = ego ? String(Math.round(Math.abs(ego.v) * perMps)) : '–';
    byId('unit').textContent = state.ego === null ? 'no ego' : state.ego.unit;
    const limit = state.ego === null ? null : state.ego.limit;
    byId('limit').textContent = limit === null ? '–' : String(limit);
    byId('limit').classList.toggle('none', limit === null);
    byId('place').textContent = state.ego?.place || '–';
    byId('weather').textContent = weatherText(state.weather);
    byId('time').textContent = `${state.t_s.toFixed(1)} s, frame ${state.frame}`;
    byId('pace').textContent = `${state.real_time_factor.toFixed(2)} × real time`;
  };

  const take = (state) => {
    if (state.map_version !== mapVersion && state.status === 'live') void loadMap(state.map_version);
    state.byId = new Map(state.actors.map((actor) => [actor.id, actor]));
    state.atMs = performance.now();
    if (scene.now === null || state.frame !== scene.now.frame) {
      scene.before = scene.now;
      scene.now = state;
    }
    const target = followed();
    const last = scene.trail.at(-1);
    if (target !== null && (last === undefined || Math.hypot(target.x - last[0], target.y - last[1]) > 1)) {
      if (last !== undefined && Math.hypot(target.x - last[0], target.y - last[1]) > 30)
        scene.trail.length = 0;
      scene.trail.push([target.x, target.y]);
      if (scene.trail.length > 400) scene.trail.shift();
    }
    show(state);
  };

  const listen = () => {
    const source = new EventSource('/state');
    source.onmessage = ({ data }) => take(JSON.parse(data));
    source.onerror = () => {
      document.body.dataset.status = 'connecting';
      byId('status').textContent = 'hil view has ended, or is out of reach';
    };
  };

  const look = async () => {
    let after = -1;
    for (;;) {
      try {
        const response = await fetch(`/camera?after=${after}`);
        if (response.status === 200) {
          const [width, height] = ['X-Width', 'X-Height'].map((name) => Number(response.headers.get(name)));
          after = Number(response.headers.get('X-Frame'));
          const bgra = new Uint8ClampedArray(await response.arrayBuffer());
          for (let i = 0; i < bgra.length; i += 4) {
            const blue = bgra[i];
            bgra[i] = bgra[i + 2];
            bgra[i + 2] = blue;
            bgra[i + 3] = 255;
          }
          if (picture.canvas.width !== width) Object.assign(picture.canvas, { width, height });
          picture.putImageData(new ImageData(bgra, width, height), 0, 0);
          byId('note').textContent = `camera on the ego, frame ${after}`;
          byId('camera').classList.remove('none');
        } else {
          byId('note').textContent =
            `camera: ${decodeURIComponent(response.headers.get('X-Note') ?? 'none')}`;
          byId('camera').classList.toggle('none', after === -1);
        }
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 1000));
      }
    }
  };

  const setFollowing = (isOn) => {
    scene.view.isFollowing = isOn;
    byId('follow').setAttribute('aria-pressed', String(isOn));
  };
  const zoom = (by) => {
    scene.view.scale = Math.min(40, Math.max(0.02, scene.view.scale * by));
  };
  const pan = (right, up) => {
    setFollowing(false);
    const [cos, sin] = [Math.cos(scene.view.turn), Math.sin(scene.view.turn)];
    scene.view.x += (right * cos - up * sin) / scene.view.scale;
    scene.view.y += (up * cos + right * sin) / scene.view.scale;
  };
  const actions = {
    follow: () => setFollowing(!scene.view.isFollowing),
    turn: () => {
      scene.view.isHeadingUp = !scene.view.isHeadingUp;
      byId('turn').setAttribute('aria-pressed', String(scene.view.isHeadingUp));
    },
    next: () => {
      const cars = scene.now === null ? [] : scene.now.actors.filter(({ k }) => k === 'v');
      const at = cars.findIndex(({ id }) => id === followed()?.id);
      scene.view.chosen = cars.length === 0 ? null : cars[(at + 1) % cars.length].id;
      scene.trail.length = 0;
      setFollowing(true);
    },
    whole: wholeMap,
    out: () => zoom(1 / 1.4),
    in: () => zoom(1.4),
  };
  for (const [id, run] of Object.entries(actions)) byId(id).addEventListener('click', run);
  const keys = {
    f: actions.follow,
    r: actions.turn,
    n: actions.next,
    0: actions.whole,
    '+': actions.in,
    '=': actions.in,
    '-': actions.out,
    ArrowLeft: () => pan(-60, 0),
    ArrowRight: () => pan(60, 0),
    ArrowUp: () => pan(0, 60),
    ArrowDown: () => pan(0, -60),
  };
  addEventListener('keydown', (event) => {
    const run = keys[event.key];
    if (run === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    run();
  });
  canvas.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      zoom(Math.exp(-event.deltaY / 500));
    },
    { passive: false },
  );
  let drag = null;
  canvas.addEventListener('pointerdown', (event) => {
    drag = [event.clientX, event.clientY];
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener('pointermove', (event) => {
    if (drag === null) return;
    if (Math.hypot(event.clientX - drag[0], event.clientY - drag[1]) < 2) return;
    pan(drag[0] - event.clientX, event.clientY - drag[1]);
    drag = [event.clientX, event.clientY];
  });
  for (const name of ['pointerup', 'pointercancel'])
    canvas.addEventListener(name, () => {
      drag = null;
    });

  globalThis.drawWorld(canvas, scene);
  listen();
  void look();
}
