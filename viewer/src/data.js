// What report/packing.py has packed, unpacked again. The host is little-endian, as all that run browsers are.

const WEIGHTS = [5, -10, 10, -5, 1];

function fromBase64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const characters = atob(text), bytes = new Uint8Array(characters.length);
  for (let i = 0; i < characters.length; i++) bytes[i] = characters.charCodeAt(i);
  return bytes;
}

// Reads the text of the page once and takes it out of the document: 10 MB of text would stay in memory.
export function readBlobs(places) {
  const element = document.getElementById("data");
  const bytes = fromBase64(element.textContent.trim());
  element.remove();
  return async (number) => {
    const [start, size] = places[number];
    const stream = new Blob([bytes.subarray(start, start + size)]).stream();
    return new Uint8Array(await new Response(stream.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
  };
}

// A lossless curve: bytes of equal weight side by side, XORed with the bits of a prediction.
export function lossless(bytes, n) {
  const x = new Float64Array(n), bits = new Uint32Array(x.buffer);
  const guess = new Float64Array(1), guessed = new Uint32Array(guess.buffer);
  for (let i = 0; i < n; i++) {
    let s = 0;
    if (i >= 5) for (let j = 0; j < 5; j++) s += WEIGHTS[j] * x[i - 1 - j];
    guess[0] = Number.isFinite(s) ? s : 0;
    bits[2 * i] = (bytes[i] | (bytes[n + i] << 8) | (bytes[2 * n + i] << 16) | (bytes[3 * n + i] << 24)) ^ guessed[0];
    bits[2 * i + 1] = (bytes[4 * n + i] | (bytes[5 * n + i] << 8) | (bytes[6 * n + i] << 16) | (bytes[7 * n + i] << 24)) ^ guessed[1];
  }
  return x;
}

// A curve in multiples of a quantum: fourth differences in five bytes.
export function rounded(bytes, n, low, quantum) {
  const x = new Float64Array(n), sums = [0, 0, 0, 0];
  for (let i = 0; i < n; i++) {
    let z = 0;
    for (let k = 4; k >= 0; k--) z = z * 256 + bytes[k * n + i];
    let d = z % 2 ? -(z + 1) / 2 : z / 2;
    for (let k = 0; k < 4; k++) d = sums[k] += d;
    x[i] = low + quantum * d;
  }
  return x;
}

// Columns of whole numbers, one after the other; x = low[column] + quantum * number.
export class Columns {
  constructor(bytes, entry, n) {
    const m = entry.low.length, size = entry.bytes;
    Object.assign(this, { n, m, low: entry.low, quantum: entry.quantum });
    const total = n * m;
    this.numbers = size > 4 ? new Float64Array(total) : size > 2 ? new Uint32Array(total) : new Uint16Array(total);
    if (size > 4) this.long(bytes, entry, total);
    else this.short(bytes, entry, total);
  }

  short(bytes, { bytes: size, order }, total) {
    const mask = size === 4 ? 0xffffffff : 2 ** (8 * size) - 1, { n, m, numbers } = this;
    const sums = new Int32Array(order);
    for (let c = 0, at = 0; c < m; c++) {
      sums.fill(0);
      for (let i = 0; i < n; i++, at++) {
        let z = 0;
        for (let k = size - 1; k >= 0; k--) z = (z << 8) | bytes[k * total + at];
        let d = (z >>> 1) ^ -(z & 1);
        for (let k = 0; k < order; k++) d = sums[k] = (sums[k] + d) | 0;
        numbers[at] = (d & mask) >>> 0;
      }
    }
  }

  // Six bytes, for paths of thousands of kilometres: sums modulo 2^48 in doubles.
  long(bytes, { bytes: size, order }, total) {
    const turn = 2 ** (8 * size), { n, m, numbers } = this;
    for (let c = 0, at = 0; c < m; c++) {
      const sums = new Array(order).fill(0);
      for (let i = 0; i < n; i++, at++) {
        let z = 0;
        for (let k = size - 1; k >= 0; k--) z = z * 256 + bytes[k * total + at];
        let d = z % 2 ? -(z + 1) / 2 : z / 2;
        for (let k = 0; k < order; k++) d = sums[k] = (((sums[k] + d) % turn) + turn) % turn;
        numbers[at] = d;
      }
    }
  }

  // The value at frame i, or between it and the next one by the part s.
  at(column, i, s) {
    const k = column * this.n + i, a = this.numbers[k];
    return this.low[column] + this.quantum * (s > 0 ? a + s * (this.numbers[k + 1] - a) : a);
  }
}

// Index of the last of ascending numbers at or before x.
export function lastBefore(numbers, x) {
  let low = 0, high = numbers.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (numbers[middle] <= x) low = middle; else high = middle - 1;
  }
  return low;
}

// Quantities of the run: instants at once, curves when somebody asks for them.
export class Quantities {
  constructor(header, blob) {
    this.list = header.quantities;
    this.byName = new Map(this.list.map((one) => [one.name, one]));
    this.header = header;
    this.blob = blob;
    this.loading = new Map();
  }

  async loadClocks() {
    this.clocks = await Promise.all(this.header.clocks.map(async ({ blob, n }) => {
      const t = lossless(await this.blob(blob), n);
      const direction = n > 1 && t[n - 1] < t[0] ? -1 : 1;
      return { t, direction, along: t.map((x) => direction * x) };
    }));
  }

  // The rows of a quantity, as Float64Arrays; the entry remembers them.
  load(entry) {
    if (!this.loading.has(entry)) {
      const { n } = this.header.clocks[entry.clock];
      this.loading.set(entry, Promise.all(entry.curves.map(async (curve) => {
        const bytes = await this.blob(curve.blob);
        return curve.quantum === undefined ? lossless(bytes, n) : rounded(bytes, n, curve.low, curve.quantum);
      })).then((rows) => (entry.rows = rows)));
    }
    return this.loading.get(entry);
  }

  // A quantity by its name, or a component of one, and the number of that; −1 means all of them.
  find(name) {
    const entry = this.byName.get(name);
    if (entry) return [entry, -1];
    const dot = name.lastIndexOf("."), vector = this.byName.get(name.slice(0, dot)), row = vector ? vector.labels.indexOf(name.slice(dot + 1)) : -1;
    if (row < 0) throw new Error(`there is no quantity ${name}`);
    return [vector, row];
  }

  // Number of the stored instant at or before a time, in the direction of the run.
  indexAt(entry, t) {
    const clock = this.clocks[entry.clock];
    return lastBefore(clock.along, clock.direction * t);
  }

  valuesAt(entry, t) {
    const i = this.indexAt(entry, t);
    return entry.rows.map((row) => row[i]);
  }
}
