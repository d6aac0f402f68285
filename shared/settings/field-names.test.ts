import { expect, it } from 'vitest';
import { fieldName } from './field-names.ts';

it('calls a field as the editor and as the file do, and once where they agree', () => {
  expect(fieldName('container.image')).toBe('Image (container.image)');
  expect(fieldName('attach.endpoint')).toBe('Docker endpoint (attach.endpoint)');
  expect(fieldName('limits.memoryMiB')).toBe('Memory (limits.memoryMiB)');
  expect(fieldName('scratch')).toBe('Scratch folder (scratch)');
  expect(fieldName('network')).toBe('Network');
});
