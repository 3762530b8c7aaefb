"use strict";
(() => {
  const text = document.getElementById("data").textContent.trim();
  if (!text) return; // the run stored no drawing
  const data = JSON.parse(text);
  const canvas = document.getElementById("canvas"), pen = canvas.getContext("2d");
  const button = document.getElementById("play"), slider = document.getElementById("time");
  const clock = document.getElementById("clock"), speed = document.getElementById("speed");
  const repeat = document.getElementById("repeat");
  const plots = [...document.querySelectorAll(".plot")].map((svg) => ({ data: svg.dataset, cursor: svg.querySelector(".cursor") }));

  // The position p runs from 0 to the length of the run, also where time itself runs backwards.
  const direction = data.t[data.t.length - 1] < data.t[0] ? -1 : 1;
  const positions = data.t.map((t) => direction * (t - data.t[0]));
  const span = positions[positions.length - 1];
  let p = 0, playing = false, last = null;

  slider.max = span > 0 ? span : 1;
  slider.disabled = button.disabled = !(span > 0);

  // Speeds 1, 2, 5, … times powers of ten around the one that plays the run in about eight seconds;
  // real time if that is watchable.
  const rates = [];
  for (let k = -12; k <= 12; k++) for (const m of [1, 2, 5]) rates.push(Number(`${m}e${k}`));
  const wanted = span >= 3 && span <= 30 ? 1 : Math.max(span, 1e-12) / 8;
  const best = rates.reduce((a, b) => (Math.abs(Math.log(b / wanted)) < Math.abs(Math.log(a / wanted)) ? b : a));
  const around = rates.indexOf(best);
  for (const rate of rates.slice(Math.max(around - 5, 0), around + 6)) {
    speed.add(new Option(rate === 1 ? "real time" : `× ${rate}`, rate, rate === best, rate === best));
  }

  // Index of the last frame at or before the position.
  function frameAt(position) {
    let low = 0, high = positions.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (positions[middle] <= position) low = middle; else high = middle - 1;
    }
    return low;
  }

  let colours = [], ink = "";
  function readColours() {
    const style = getComputedStyle(document.documentElement);
    colours = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => style.getPropertyValue(`--c${i}`).trim());
    ink = style.getPropertyValue("--soft").trim();
  }

  function draw() {
    const ratio = window.devicePixelRatio || 1;
    const width = canvas.clientWidth, height = canvas.clientHeight;
    if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);

    // One scale for x and y, the whole run in view, y upwards.
    const margin = 30, [w, h] = data.box;
    const scale = Math.min((width - 2 * margin) / Math.max(w, 1), (height - 2 * margin) / Math.max(h, 1));
    const left = (width - scale * w) / 2, bottom = (height + scale * h) / 2;

    const i = frameAt(p), j = Math.min(i + 1, positions.length - 1);
    const gap = positions[j] - positions[i], s = gap > 0 ? (p - positions[i]) / gap : 0;
    pen.lineJoin = pen.lineCap = "round";
    data.lines.forEach((line, number) => {
      const fixed = line.frames.length === 1;
      const a = line.frames[fixed ? 0 : i], b = line.frames[fixed ? 0 : j];
      pen.strokeStyle = pen.fillStyle = colours[number % colours.length];
      pen.lineWidth = 2.5;
      pen.setLineDash(number % 16 < 8 ? [] : [7, 5]);
      pen.beginPath();
      const points = [];
      let down = false;
      for (let k = 0; k < a.length; k += 2) {
        const here = [a[k], a[k + 1], b[k], b[k + 1]];
        if (here.includes(null)) { down = false; continue; }
        const x = left + scale * (a[k] + s * (b[k] - a[k]));
        const y = bottom - scale * (a[k + 1] + s * (b[k + 1] - a[k + 1]));
        if (down) pen.lineTo(x, y); else pen.moveTo(x, y);
        down = true;
        points.push([x, y]);
      }
      pen.stroke();
      if (a.length > 24) return; // a curve; the corners of anything simpler are joints
      for (const [x, y] of points) {
        pen.beginPath();
        pen.arc(x, y, 3.5, 0, 2 * Math.PI);
        pen.fill();
      }
    });
    pen.setLineDash([]);
    drawScale(scale * 1e6 / data.size, height);
  }

  // A bar of round length in the lower left corner; ``perUnit`` is pixels per metre.
  function drawScale(perUnit, height) {
    const length = rates.reduce((a, b) => (b * perUnit <= 110 ? b : a));
    pen.strokeStyle = pen.fillStyle = ink;
    pen.lineWidth = 1;
    const x = 12.5, y = height - 10.5, end = x + length * perUnit;
    pen.beginPath();
    pen.moveTo(x, y - 4); pen.lineTo(x, y); pen.lineTo(end, y); pen.lineTo(end, y - 4);
    pen.stroke();
    pen.font = "11px system-ui, sans-serif";
    pen.fillText(`${length} m`, end + 6, y);
  }

  function show() {
    const t = data.t[0] + direction * p;
    slider.value = p;
    clock.textContent = `t = ${t.toPrecision(6)} s`;
    slider.setAttribute("aria-valuetext", clock.textContent);
    for (const plot of plots) {
      const { from, to, left, right } = plot.data;
      const x = Number(left) + (t - from) / (to - from) * (right - left);
      plot.cursor.setAttribute("visibility", x >= left - 1 && x <= Number(right) + 1 ? "visible" : "hidden");
      plot.cursor.setAttribute("transform", `translate(${x.toFixed(1)} 0)`);
    }
    draw();
  }

  function go(position) {
    p = Math.min(Math.max(position, 0), span);
    show();
  }

  function play(on) {
    playing = on && span > 0;
    last = null;
    button.textContent = playing ? "❚❚" : "▶";
    button.setAttribute("aria-label", playing ? "Pause" : "Play");
    if (!playing) return;
    if (p >= span) p = 0;
    requestAnimationFrame(tick);
  }

  function tick(now) {
    if (!playing) return;
    if (last !== null) {
      let next = p + (now - last) / 1000 * Number(speed.value);
      if (next >= span && repeat.checked) next %= span;
      go(next);
      if (p >= span) { play(false); return; }
    }
    last = now;
    requestAnimationFrame(tick);
  }

  function step(frames) {
    play(false);
    const i = frameAt(p);
    // From between two frames, one step back leads to the earlier of them.
    const from = frames < 0 && p > positions[i] ? i + 1 : i;
    go(positions[Math.min(Math.max(from + frames, 0), positions.length - 1)]);
  }

  button.addEventListener("click", () => play(!playing));
  slider.addEventListener("input", () => { play(false); go(Number(slider.value)); });
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target === speed) return;
    const stride = event.shiftKey ? 10 : 1;
    const actions = {
      " ": () => play(!playing),
      ArrowLeft: () => step(-stride),
      ArrowRight: () => step(stride),
      Home: () => { play(false); go(0); },
      End: () => { play(false); go(span); },
    };
    // Space on the check box or on a summary is theirs.
    const own = event.key === " " && (event.target === repeat || event.target.tagName === "SUMMARY");
    if (!(event.key in actions) || own) return;
    event.preventDefault();
    actions[event.key]();
  });
  // A button is clicked when space is released; keydown has done its work already.
  button.addEventListener("keyup", (event) => { if (event.key === " ") event.preventDefault(); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { readColours(); draw(); });
  new ResizeObserver(draw).observe(canvas);

  readColours();
  show();
})();
