import { readFileSync } from 'node:fs';
import { deviceAccess } from './process.ts';

/** What makes QEMU's machines run: the processor itself, or QEMU's emulation of one, and then why. */
export type Accelerator =
  | { readonly kind: 'kvm' }
  | {
      readonly kind: 'tcg';
      readonly reason: string;
      /** Of the host's time-stamp counter, in kHz; see `clockArguments`. */
      readonly tscKhz: number;
    };

/** Which accelerator to try first, by what can be seen without starting anything. */
export function likelyAccelerator(): Accelerator {
  if (deviceAccess('/dev/kvm').usable) return { kind: 'kvm' };
  return emulation('/dev/kvm is not there, or the monitor may not use it');
}

/** Emulation, which works everywhere and is ten times as slow. */
export function emulation(reason: string): Accelerator {
  return { kind: 'tcg', reason, tscKhz: timeStampKhz() };
}

/** Where nothing says: most processors count between 2 and 4 GHz. */
const UNKNOWN_KHZ = 2_500_000;

/**
 * How fast this machine's time-stamp counter counts, in kHz, as far as the kernel tells: by the nominal frequency, else by
 * what it runs at now. The guest's clocks are wrong by as much as this is.
 */
function timeStampKhz(): number {
  const nominal = Number(read('/sys/devices/system/cpu/cpu0/cpufreq/base_frequency'));
  if (nominal > 0) return nominal;
  const processors = read('/proc/cpuinfo');
  const named = Number(/^model name.*@ ([\d.]+)GHz/m.exec(processors)?.[1]);
  if (named > 0) return Math.round(named * 1_000_000);
  const now = Number(/^cpu MHz\s*: ([\d.]+)/m.exec(processors)?.[1]);
  return now > 0 ? Math.round(now * 1_000) : UNKNOWN_KHZ;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
