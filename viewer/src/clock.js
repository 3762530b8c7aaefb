// Time: where the page stands in the run, playing, and who is told.
import { lastBefore } from "./data.js";

export class Clock {
  constructor(t) {
    this.t = t;
    this.direction = t.length > 1 && t[t.length - 1] < t[0] ? -1 : 1;
    // The position runs from 0 to the length of the run, also where time itself runs backwards.
    this.positions = t.map((x) => this.direction * (x - t[0]));
    this.span = t.length > 1 ? this.positions[t.length - 1] : 0;
    this.position = 0;
    this.range = [0, this.span];
    this.playing = false;
    this.repeat = true;
    this.listeners = [];
    this.rates = [];
    for (let k = -12; k <= 12; k++) for (const m of [1, 2, 5]) this.rates.push(Number(`${m}e${k}`));
    // Real time if that can be watched, else the run in about eight seconds.
    const wanted = this.span >= 2 && this.span <= 40 ? 1 : Math.max(this.span, 1e-12) / 8;
    this.usual = this.rate = this.rates.reduce((a, b) => (Math.abs(Math.log(b / wanted)) < Math.abs(Math.log(a / wanted)) ? b : a));
  }

  get time() { return this.t[0] + this.direction * this.position; }
  get frame() { return lastBefore(this.positions, this.position); }

  // Frame and part of the way to the next one.
  get place() {
    const i = this.frame, gap = i + 1 < this.positions.length ? this.positions[i + 1] - this.positions[i] : 0;
    return [i, gap > 0 ? Math.min(1, (this.position - this.positions[i]) / gap) : 0];
  }

  tell(what) { for (const listener of this.listeners) listener(what); }

  go(position) {
    this.position = Math.min(Math.max(position, 0), this.span);
    this.tell("moved");
  }

  goTime(t) { this.go(this.direction * (t - this.t[0])); }

  step(frames) {
    this.play(false);
    const last = this.positions.length - 1;
    this.go(this.positions[Math.min(Math.max(this.frame + frames, 0), last)]);
  }

  // After some seconds of the wall.
  advance(seconds) {
    const [from, to] = this.range;
    let next = this.position + seconds * this.rate;
    if (next >= to) {
      if (this.repeat && to > from) next = from + ((next - from) % (to - from));
      else { this.play(false); next = to; }
    }
    this.go(next);
  }

  play(on) {
    on = on && this.span > 0;
    if (on && this.position >= this.range[1]) this.position = this.range[0];
    if (on === this.playing) return;
    this.playing = on;
    this.tell("playing");
  }

  setRate(rate) { this.rate = rate; this.tell("rate"); }

  faster(by) {
    const k = this.rates.indexOf(this.rate) + by;
    if (k >= 0 && k < this.rates.length) this.setRate(this.rates[k]);
  }

  setRange(from, to) {
    this.range = from < to ? [from, to] : [0, this.span];
    this.tell("range");
  }
}
