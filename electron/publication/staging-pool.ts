import { STAGING_POOL } from '../../shared/governed/limits.ts';
import { FileError } from '../governed/ports.ts';

/** Stagings at one time and the bytes that they may come to hold together (F6). */
export class StagingPool {
  #stagings = 0;
  #bytes = 0;

  /** Throws FileError when full; otherwise what gives the place back, once. */
  reserve(bytes: number): () => void {
    if (this.#stagings >= STAGING_POOL.stagings || this.#bytes + bytes > STAGING_POOL.bytes)
      throw new FileError('F6', 'shared staging capacity exhausted');
    this.#stagings += 1;
    this.#bytes += bytes;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#stagings -= 1;
      this.#bytes -= bytes;
    };
  }
}
