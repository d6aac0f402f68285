const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** "1 GiB", "1.5 MiB", "900 bytes": binary units, at most one decimal. */
export function formatBytes(bytes: number): string {
  if (bytes === 1) return '1 byte';
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${Number(value.toFixed(1))} ${UNITS[unit]}`;
}

/** "1 line", "3 lines". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Time left as a clock shows it: "0:07", "9:12", "1:02:03". What is left of a second counts as one. */
export function formatLeft(milliseconds: number): string {
  const all = Math.max(0, Math.ceil(milliseconds / 1_000));
  const seconds = String(all % 60).padStart(2, '0');
  const minutes = Math.floor(all / 60) % 60;
  const hours = Math.floor(all / 3_600);
  return hours === 0 ? `${minutes}:${seconds}` : `${hours}:${String(minutes).padStart(2, '0')}:${seconds}`;
}

/** "12:41" today, "28 Nov 12:41" on another day; as it came when it is no time. `now` is a Unix time. */
export function formatMoment(iso: string, now: number = Date.now()): string {
  const moment = new Date(iso);
  if (Number.isNaN(moment.getTime())) return iso;
  const time = moment.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  if (moment.toDateString() === new Date(now).toDateString()) return time;
  const day = moment.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
  return `${day} ${time}`;
}

/** "80 ms", "0.4 s", "12 s". */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 100) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1_000;
  return seconds < 10 ? `${Number(seconds.toFixed(1))} s` : `${Math.round(seconds)} s`;
}

/** "4b1e…c09a": enough of a digest to tell two apart at a glance; the whole one is for copying. */
export function shortDigest(digest: string): string {
  const hex = digest.replace(/^sha256:/, '');
  return hex.length <= 12 ? hex : `${hex.slice(0, 4)}…${hex.slice(-4)}`;
}
