'use strict';
(() => {
  const byId = (id) => document.getElementById(id);
  const canvas = byId('map');
  const ctx = canvas.getContext('2d');
  const picture = byId('picture').getContext('2d');
  const view = { x: 0, y: 0, scale: 4, turn: 0, isFollowing: true, isHeadingUp: false, chosen: null };
  const trail = [];
  let shapes = null;
  let signs = [];
  let bounds = [-100, -100, 100, 100];
  let before = null;
  let now = null;
  let mapVersion = -1;
  let colours = {};

  const readColours = () => {
    const style = getComputedStyle(document.documentElement);
    for (const name of ['ground', 'driving', 'shoulder', 'sidewalk', 'mark', 'ego', 'car', 'walker', 'trail', 'text', 'panel'])
      colours[name] = style.getPropertyValue(`--${name}`).trim();
  };
  readColours();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', readColours);

  const pathOf = (points, isClosed) => {
    const path = new Path2D();
    for (let i = 0; i < points.length; i += 2)
      if (i === 0) path.moveTo(points[0], points[1]);
      else path.lineTo(points[i], points[i + 1]);
    if (isClosed) path.closePath();
    return path;
  };

  const loadMap = async (version) => {
    mapVersion = version;
    const { drawing } = await (await fetch('/map')).json();
    shapes = null;
    signs = [];
    trail.length = 0;
    if (drawing === null) return;
    const surfaces = { sidewalk: new Path2D(), shoulder: new Path2D(), driving: new Path2D() };
    for (const { kind, points } of drawing.surfaces) {
      const name = kind === 'sidewalk' || kind === 'border' || kind === 'none' ? 'sidewalk' : kind === 'shoulder' ? 'shoulder' : 'driving';
      surfaces[name].addPath(pathOf(points, true));
    }
    const marks = new Map();
    for (const { isBroken, widthM, points } of drawing.marks) {
      const key = `${isBroken}/${widthM}`;
      if (!marks.has(key)) marks.set(key, { isBroken, widthM, path: new Path2D() });
      marks.get(key).path.addPath(pathOf(points, false));
    }
    shapes = { surfaces, marks: [...marks.values()] };
    signs = drawing.signs;
    bounds = drawing.bounds;
    if (now === null || now.ego === null) wholeMap();
  };

  const wholeMap = () => {
    const [minX, minY, maxX, maxY] = bounds;
    setFollowing(false);
    view.x = (minX + maxX) / 2;
    view.y = (minY + maxY) / 2;
    view.scale = 0.9 * Math.min(canvas.clientWidth / (maxX - minX + 1), canvas.clientHeight / (maxY - minY + 1));
  };

  const followed = () => {
    if (now === null) return null;
    const id = view.chosen ?? (now.ego === null ? null : now.ego.id);
    return now.actors.find((actor) => actor.id === id) ?? null;
  };

  /** Between the last two states, one period late: ten states a second look like sixty. */
  const placed = (actor) => {
    const old = before === null ? undefined : before.byId.get(actor.id);
    if (old === undefined) return actor;
    const p = Math.min(1, (performance.now() - now.atMs) / Math.max(50, now.atMs - before.atMs));
    if (Math.hypot(actor.x - old.x, actor.y - old.y) > 15) return actor;
    const turn = Math.atan2(Math.sin(actor.h - old.h), Math.cos(actor.h - old.h));
    return { ...actor, x: old.x + (actor.x - old.x) * p, y: old.y + (actor.y - old.y) * p, h: old.h + turn * p };
  };

  const resize = () => {
    const ratio = Math.min(2, devicePixelRatio || 1);
    const [width, height] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    return ratio;
  };

  const toWorld = (ratio) => {
    ctx.setTransform(1, 0, 0, 1, canvas.width / 2, canvas.height * (view.isHeadingUp ? 0.62 : 0.5));
    ctx.rotate(view.turn);
    ctx.scale(view.scale * ratio, -view.scale * ratio);
    ctx.translate(-view.x, -view.y);
  };

  const drawBox = (actor, colour) => {
    ctx.save();
    ctx.translate(actor.x, actor.y);
    ctx.rotate(actor.h);
    // Never smaller than a few pixels: a car on a whole map is a mark, not to scale.
    const grow = Math.max(1, 7 / (view.scale * actor.l));
    const [length, width] = [actor.l * grow, actor.w * grow];
    ctx.fillStyle = colour;
    ctx.beginPath();
    ctx.roundRect(-length / 2, -width / 2, length, width, width * 0.22);
    ctx.fill();
    ctx.fillStyle = colours.panel;
    ctx.fillRect(length * 0.08, -width * 0.36, length * 0.14, width * 0.72);
    if (Math.abs(actor.v) > 0.3) {
      ctx.strokeStyle = colour;
      ctx.lineWidth = Math.max(0.15, 2 / view.scale);
      ctx.beginPath();
      ctx.moveTo(length / 2, 0);
      ctx.lineTo(length / 2 + actor.v, 0);
      ctx.stroke();
    }
    ctx.restore();
  };

  /** Text and signs stand upright whatever way the map is turned. */
  const upright = (x, y, draw) => {
    ctx.save();
    ctx.translate(x, y);
    ctx.scale(1, -1);
    ctx.rotate(-view.turn);
    draw();
    ctx.restore();
  };

  const drawLabel = (actor, isEgo) => {
    const size = 12 / view.scale;
    upright(actor.x, actor.y, () => {
      ctx.font = `${isEgo ? 600 : 400} ${size}px system-ui, sans-serif`;
      ctx.textAlign = 'left';
      ctx.lineWidth = 3 / view.scale;
      ctx.strokeStyle = colours.ground;
      ctx.fillStyle = colours.text;
      const text = `${Math.round(Math.abs(actor.v) * 3.6)}`;
      ctx.strokeText(text, actor.w, -actor.w);
      ctx.fillText(text, actor.w, -actor.w);
    });
  };

  const lamps = ['#ff453a', '#ffc400', '#30c758'];
  const drawLight = (actor) => {
    const size = Math.max(0.9, 5 / view.scale);
    upright(actor.x, actor.y, () => {
      ctx.fillStyle = '#15181b';
      ctx.beginPath();
      ctx.roundRect(-size * 0.75, -size * 2, size * 1.5, size * 4, size * 0.4);
      ctx.fill();
      for (const [i, lamp] of lamps.entries()) {
        ctx.fillStyle = actor.s === i ? lamp : '#3a4046';
        ctx.beginPath();
        ctx.arc(0, (i - 1) * size * 1.2, size * 0.5, 0, 7);
        ctx.fill();
      }
    });
  };

  const drawSign = (sign) => {
    const shown = sign.isDynamic ? (now === null || now.displays === null ? undefined : now.displays[sign.id]) : { value: sign.value, wet: false };
    const radius = Math.max(1.1, 8 / view.scale);
    const value = shown === undefined ? null : shown.value;
    if (!sign.isDynamic && value === null && sign.text === '') return;
    upright(sign.x, sign.y, () => {
      ctx.textAlign = 'center';
      ctx.textBaseline = 'middle';
      if (!sign.isDynamic && value === null) {
        ctx.font = `600 ${radius * 0.9}px system-ui, sans-serif`;
        const width = ctx.measureText(sign.text).width + radius;
        ctx.fillStyle = '#ffd84d';
        ctx.fillRect(-width / 2, -radius * 0.75, width, radius * 1.5);
        ctx.fillStyle = '#111';
        ctx.fillText(sign.text.slice(0, 40), 0, 0);
        return;
      }
      if (sign.isDynamic) {
        ctx.fillStyle = '#101214';
        ctx.fillRect(-radius * 1.15, -radius * 1.15, radius * 2.3, radius * 2.3 + (shown !== undefined && shown.wet ? radius : 0));
      }
      if (value === null) return;
      ctx.fillStyle = sign.isDynamic ? '#101214' : '#fff';
      ctx.strokeStyle = '#e0162b';
      ctx.lineWidth = radius * 0.24;
      ctx.beginPath();
      ctx.arc(0, 0, radius * 0.86, 0, 7);
      ctx.fill();
      ctx.stroke();
      ctx.fillStyle = sign.isDynamic ? '#fff' : '#111';
      ctx.font = `700 ${radius * 0.78}px system-ui, sans-serif`;
      ctx.fillText(String(value), 0, radius * 0.04);
      if (!shown.wet) return;
      ctx.font = `600 ${radius * 0.62}px system-ui, sans-serif`;
      ctx.fillText('wet', 0, radius * 1.55);
    });
  };

  const draw = () => {
    requestAnimationFrame(draw);
    const ratio = resize();
    const target = followed();
    const at = target === null ? null : placed(target);
    if (view.isFollowing && at !== null) {
      view.x = at.x;
      view.y = at.y;
    }
    view.turn = view.isHeadingUp && at !== null ? at.h - Math.PI / 2 : 0;
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.fillStyle = colours.ground;
    ctx.fillRect(0, 0, canvas.width, canvas.height);
    toWorld(ratio);
    if (shapes !== null) {
      for (const kind of ['sidewalk', 'shoulder', 'driving']) {
        ctx.fillStyle = colours[kind];
        ctx.fill(shapes.surfaces[kind]);
      }
      ctx.strokeStyle = colours.mark;
      if (view.scale > 0.6)
        for (const { isBroken, widthM, path } of shapes.marks) {
          ctx.lineWidth = Math.max(widthM, 1 / view.scale);
          ctx.setLineDash(isBroken ? [3, 6] : []);
          ctx.stroke(path);
        }
      ctx.setLineDash([]);
    }
    if (trail.length > 1) {
      ctx.strokeStyle = colours.trail;
      ctx.lineWidth = Math.max(0.5, 2.5 / view.scale);
      ctx.lineJoin = 'round';
      ctx.stroke(pathOf(trail.flat(), false));
    }
    for (const sign of signs) if (view.scale > 0.8 || sign.isDynamic) drawSign(sign);
    if (now === null) return;
    for (const actor of now.actors) if (actor.k === 'l') drawLight(actor);
    for (const actor of now.actors.filter(({ k }) => k !== 'l').map(placed)) {
      const isEgo = now.ego !== null && actor.id === now.ego.id;
      if (actor.k === 'w') {
        ctx.fillStyle = colours.walker;
        ctx.beginPath();
        ctx.arc(actor.x, actor.y, Math.max(0.5, 4 / view.scale), 0, 7);
        ctx.fill();
      } else drawBox(actor, isEgo ? colours.ego : colours.car);
      if (view.scale > 2 && actor.k === 'v') drawLabel(actor, isEgo);
    }
  };

  const weatherText = (weather) => {
    if (weather === null) return '–';
    const parts = [];
    const { precipitation, wetness, fogDensity, sunAltitudeDeg, cloudiness } = weather;
    parts.push(sunAltitudeDeg < -6 ? 'night' : sunAltitudeDeg < 6 ? 'dusk' : cloudiness > 60 ? 'overcast' : 'day');
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
    byId('place').textContent = (state.ego && state.ego.place) || '–';
    byId('weather').textContent = weatherText(state.weather);
    byId('time').textContent = `${state.t_s.toFixed(1)} s, frame ${state.frame}`;
    byId('pace').textContent = `${state.real_time_factor.toFixed(2)} × real time`;
  };

  const take = (state) => {
    if (state.map_version !== mapVersion && state.status === 'live') void loadMap(state.map_version);
    state.byId = new Map(state.actors.map((actor) => [actor.id, actor]));
    state.atMs = performance.now();
    if (now === null || state.frame !== now.frame) {
      before = now;
      now = state;
    }
    const target = followed();
    const last = trail.at(-1);
    if (target !== null && (last === undefined || Math.hypot(target.x - last[0], target.y - last[1]) > 1)) {
      if (last !== undefined && Math.hypot(target.x - last[0], target.y - last[1]) > 30) trail.length = 0;
      trail.push([target.x, target.y]);
      if (trail.length > 400) trail.shift();
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
          byId('note').textContent = `camera: ${decodeURIComponent(response.headers.get('X-Note') ?? 'none')}`;
          byId('camera').classList.toggle('none', after === -1);
        }
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 1000));
      }
    }
  };

  const setFollowing = (isOn) => {
    view.isFollowing = isOn;
    byId('follow').setAttribute('aria-pressed', String(isOn));
  };
  const zoom = (by) => {
    view.scale = Math.min(40, Math.max(0.02, view.scale * by));
  };
  const pan = (right, up) => {
    setFollowing(false);
    const [cos, sin] = [Math.cos(view.turn), Math.sin(view.turn)];
    view.x += (right * cos - up * sin) / view.scale;
    view.y += (up * cos + right * sin) / view.scale;
  };
  const actions = {
    follow: () => setFollowing(!view.isFollowing),
    turn: () => {
      view.isHeadingUp = !view.isHeadingUp;
      byId('turn').setAttribute('aria-pressed', String(view.isHeadingUp));
    },
    next: () => {
      const cars = now === null ? [] : now.actors.filter(({ k }) => k === 'v');
      const at = cars.findIndex(({ id }) => id === (followed() ?? {}).id);
      view.chosen = cars.length === 0 ? null : cars[(at + 1) % cars.length].id;
      trail.length = 0;
      setFollowing(true);
    },
    whole: wholeMap,
    out: () => zoom(1 / 1.4),
    in: () => zoom(1.4),
  };
  for (const [id, run] of Object.entries(actions)) byId(id).addEventListener('click', run);
  const keys = {
    f: actions.follow, r: actions.turn, n: actions.next, 0: actions.whole, '+': actions.in, '=': actions.in, '-': actions.out,
    ArrowLeft: () => pan(-60, 0), ArrowRight: () => pan(60, 0), ArrowUp: () => pan(0, 60), ArrowDown: () => pan(0, -60),
  };
  addEventListener('keydown', (event) => {
    const run = keys[event.key];
    if (run === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    run();
  });
  canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY / 500));
  }, { passive: false });
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
  for (const name of ['pointerup', 'pointercancel']) canvas.addEventListener(name, () => { drag = null; });

  draw();
  listen();
  void look();
})();
