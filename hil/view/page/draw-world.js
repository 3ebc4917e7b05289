/** Draws the world from above onto a canvas: `scene` holds what is there and how one looks at it. */
{
  const pathOf = (points, isClosed) => {
    const path = new Path2D();
    for (let i = 0; i < points.length; i += 2)
      if (i === 0) path.moveTo(points[0], points[1]);
      else path.lineTo(points[i], points[i + 1]);
    if (isClosed) path.closePath();
    return path;
  };

  /** The map's surfaces and markings as paths, in metres. */
  globalThis.shapesOf = (drawing) => {
    const surfaces = { sidewalk: new Path2D(), shoulder: new Path2D(), driving: new Path2D() };
    for (const { kind, points } of drawing.surfaces) {
      const name =
        kind === 'sidewalk' || kind === 'border' || kind === 'none'
          ? 'sidewalk'
          : kind === 'shoulder'
            ? 'shoulder'
            : 'driving';
      surfaces[name].addPath(pathOf(points, true));
    }
    const marks = new Map();
    for (const { isBroken, widthM, points } of drawing.marks) {
      const key = `${isBroken}/${widthM}`;
      if (!marks.has(key)) marks.set(key, { isBroken, widthM, path: new Path2D() });
      marks.get(key).path.addPath(pathOf(points, false));
    }
    return { surfaces, marks: [...marks.values()] };
  };

  globalThis.drawWorld = (canvas, scene) => {
    const ctx = canvas.getContext('2d');
    const readColours = () => {
      const style = getComputedStyle(document.documentElement);
      for (const name of [
        'ground',
        'driving',
        'shoulder',
        'sidewalk',
        'mark',
        'ego',
        'car',
        'walker',
        'trail',
        'text',
        'panel',
      ])
        colours[name] = style.getPropertyValue(`--${name}`).trim();
    };
    const colours = {};
    readColours();
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', readColours);

    /** Between the last two states, one period late: ten states a second look like sixty. */
    const placed = (actor) => {
      const old = scene.before === null ? undefined : scene.before.byId.get(actor.id);
      if (old === undefined) return actor;
      const p = Math.min(
        1,
        (performance.now() - scene.now.atMs) / Math.max(50, scene.now.atMs - scene.before.atMs),
      );
      if (Math.hypot(actor.x - old.x, actor.y - old.y) > 15) return actor;
      const turn = Math.atan2(Math.sin(actor.h - old.h), Math.cos(actor.h - old.h));
      return {
        ...actor,
        x: old.x + (actor.x - old.x) * p,
        y: old.y + (actor.y - old.y) * p,
        h: old.h + turn * p,
      };
    };

    const resize = () => {
      const ratio = Math.min(2, devicePixelRatio || 1);
      const [width, height] = [
        Math.round(canvas.clientWidth * ratio),
        Math.round(canvas.clientHeight * ratio),
      ];
      if (canvas.width !== width || canvas.height !== height) {
        canvas.width = width;
        canvas.height = height;
      }
      return ratio;
    };

    const toWorld = (ratio) => {
      ctx.setTransform(1, 0, 0, 1, canvas.width / 2, canvas.height * (scene.view.isHeadingUp ? 0.62 : 0.5));
      ctx.rotate(scene.view.turn);
      ctx.scale(scene.view.scale * ratio, -scene.view.scale * ratio);
      ctx.translate(-scene.view.x, -scene.view.y);
    };

    const drawBox = (actor, colour) => {
      ctx.save();
      ctx.translate(actor.x, actor.y);
      ctx.rotate(actor.h);
      // Never smaller than a few pixels: a car on a whole map is a mark, not to scale.
      const grow = Math.max(1, 7 / (scene.view.scale * actor.l));
      const [length, width] = [actor.l * grow, actor.w * grow];
      ctx.fillStyle = colour;
      ctx.beginPath();
      ctx.roundRect(-length / 2, -width / 2, length, width, width * 0.22);
      ctx.fill();
      ctx.fillStyle = colours.panel;
      ctx.fillRect(length * 0.08, -width * 0.36, length * 0.14, width * 0.72);
      if (Math.abs(actor.v) > 0.3) {
        ctx.strokeStyle = colour;
        ctx.lineWidth = Math.max(0.15, 2 / scene.view.scale);
        ctx.beginPath();
        ctx.moveTo(length / 2, 0);
        ctx.lineTo(length / 2 + actor.v, 0);
        ctx.stroke();
      }
      ctx.restore();
    };

    /** Text and scene.signs stand upright whatever way the map is turned. */
    const upright = (x, y, draw) => {
      ctx.save();
      ctx.translate(x, y);
      ctx.scale(1, -1);
      ctx.rotate(-scene.view.turn);
      draw();
      ctx.restore();
    };

    const drawLabel = (actor, isEgo) => {
      const size = 12 / scene.view.scale;
      upright(actor.x, actor.y, () => {
        ctx.font = `${isEgo ? 600 : 400} ${size}px system-ui, sans-serif`;
        ctx.textAlign = 'left';
        ctx.lineWidth = 3 / scene.view.scale;
        ctx.strokeStyle = colours.ground;
        ctx.fillStyle = colours.text;
        const text = `${Math.round(Math.abs(actor.v) * 3.6)}`;
        ctx.strokeText(text, actor.w, -actor.w);
        ctx.fillText(text, actor.w, -actor.w);
      });
    };

    const lamps = ['#ff453a', '#ffc400', '#30c758'];
    const drawLight = (actor) => {
      const size = Math.max(0.9, 5 / scene.view.scale);
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
      const shown = sign.isDynamic
        ? scene.now === null || scene.now.displays === null
          ? undefined
          : scene.now.displays[sign.id]
        : { value: sign.value, wet: false };
      const radius = Math.max(1.1, 8 / scene.view.scale);
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
          ctx.fillRect(
            -radius * 1.15,
            -radius * 1.15,
            radius * 2.3,
            radius * 2.3 + (shown?.wet ? radius : 0),
          );
        }
        if (sign.isDynamic && shown === undefined) {
          ctx.font = `600 ${radius}px system-ui, sans-serif`;
          ctx.fillStyle = '#9aa3ab';
          ctx.fillText('?', 0, 0);
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
      const target = scene.followed();
      const at = target === null ? null : placed(target);
      if (scene.view.isFollowing && at !== null) {
        scene.view.x = at.x;
        scene.view.y = at.y;
      }
      scene.view.turn = scene.view.isHeadingUp && at !== null ? at.h - Math.PI / 2 : 0;
      ctx.setTransform(1, 0, 0, 1, 0, 0);
      ctx.fillStyle = colours.ground;
      ctx.fillRect(0, 0, canvas.width, canvas.height);
      toWorld(ratio);
      if (scene.shapes !== null) {
        for (const kind of ['sidewalk', 'shoulder', 'driving']) {
          ctx.fillStyle = colours[kind];
          ctx.fill(scene.shapes.surfaces[kind]);
        }
        ctx.strokeStyle = colours.mark;
        if (scene.view.scale > 0.6)
          for (const { isBroken, widthM, path } of scene.shapes.marks) {
            ctx.lineWidth = Math.max(widthM, 1 / scene.view.scale);
            ctx.setLineDash(isBroken ? [3, 6] : []);
            ctx.stroke(path);
          }
        ctx.setLineDash([]);
      }
      if (scene.trail.length > 1) {
        ctx.strokeStyle = colours.trail;
        ctx.lineWidth = Math.max(0.5, 2.5 / scene.view.scale);
        ctx.lineJoin = 'round';
        ctx.stroke(pathOf(scene.trail.flat(), false));
      }
      for (const sign of scene.signs) if (scene.view.scale > 0.8 || sign.isDynamic) drawSign(sign);
      if (scene.now === null) return;
      for (const actor of scene.now.actors) if (actor.k === 'l') drawLight(actor);
      for (const actor of scene.now.actors.filter(({ k }) => k !== 'l').map(placed)) {
        const isEgo = scene.now.ego !== null && actor.id === scene.now.ego.id;
        if (actor.k === 'w') {
          ctx.fillStyle = colours.walker;
          ctx.beginPath();
          ctx.arc(actor.x, actor.y, Math.max(0.5, 4 / scene.view.scale), 0, 7);
          ctx.fill();
        } else drawBox(actor, isEgo ? colours.ego : colours.car);
        if (scene.view.scale > 2 && actor.k === 'v') drawLabel(actor, isEgo);
      }
    };
    draw();
  };
}
