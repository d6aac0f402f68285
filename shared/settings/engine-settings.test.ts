import { expect, it } from 'vitest';
import { SMOLVM_PIECE_MAX_BYTES, smolvmSettingsSchema } from './engine-settings.ts';

it('a piece of input is 1 KiB at most; what files of earlier versions say means that', () => {
  const pieceOf = (maxInputBytes?: number) => smolvmSettingsSchema.safeParse({ maxInputBytes });
  expect(pieceOf().data?.maxInputBytes).toBe(SMOLVM_PIECE_MAX_BYTES);
  expect(pieceOf(3).data?.maxInputBytes).toBe(3);
  for (const former of [16_384, 65_536])
    expect(pieceOf(former).data?.maxInputBytes).toBe(SMOLVM_PIECE_MAX_BYTES);
  for (const wrong of [0, 1.5, 65_537]) expect(pieceOf(wrong).success).toBe(false);
});
