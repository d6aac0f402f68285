import { safeStorage } from 'electron';
import type { KeyWrapper } from '../audit/key-store.ts';

/**
 * Keeps the signing key of the audit log in the system's keychain, where there is a real one: null where Electron would
 * only scramble it with a password that everybody knows.
 */
export function systemKeyWrapper(): KeyWrapper | null {
  if (!safeStorage.isEncryptionAvailable()) return null;
  if (process.platform === 'linux' && safeStorage.getSelectedStorageBackend() === 'basic_text') return null;
  return {
    wrap: (bytes) => safeStorage.encryptString(Buffer.from(bytes).toString('base64')),
    unwrap: (bytes) => Buffer.from(safeStorage.decryptString(Buffer.from(bytes)), 'base64'),
  };
}
