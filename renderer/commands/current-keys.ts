import { create } from 'zustand';
import { type Disposable, toDisposable } from '../../shared/disposable.ts';
import { useConnection } from '../state/connection-store.ts';
import { useSettings } from '../state/settings-store.ts';
import { standardKeys } from './catalogue.ts';
import { buildKeyMap, chordKeys, type KeyMap, type KeyPlatform } from './key-map.ts';

interface CurrentKeys {
  readonly platform: KeyPlatform;
  /** Whether a browser's own window frames the page and keeps some chords. */
  readonly inBrowser: boolean;
  readonly map: KeyMap;
}

/** The keyboard in front of the person, which need not be the host's. */
export const KEY_PLATFORM: KeyPlatform = platformOf(globalThis.navigator?.userAgent ?? '');

export const useKeys = create<CurrentKeys>(() => current());

/** Keeps the key map in step with the settings and the host. */
export function followKeys(): Disposable {
  const update = () => useKeys.setState(current());
  const ends = [
    useSettings.subscribe((state, before) => {
      if (state.settings.keys !== before.settings.keys) update();
    }),
    useConnection.subscribe((state, before) => {
      if (state.host !== before.host) update();
    }),
  ];
  update();
  return toDisposable(() => {
    for (const end of ends) end();
  });
}

/** The keycaps of a command, or null when it has no key. */
export function useCommandKeys(id: string): readonly string[] | null {
  const { map, platform } = useKeys();
  const chord = map.chordOf.get(id);
  return chord === undefined ? null : chordKeys(chord, platform);
}

function current(): CurrentKeys {
  const inBrowser = useConnection.getState().host?.host === 'headless';
  const overrides = useSettings.getState().settings.keys;
  return {
    platform: KEY_PLATFORM,
    inBrowser,
    map: buildKeyMap(standardKeys(KEY_PLATFORM, inBrowser), overrides, KEY_PLATFORM),
  };
}

function platformOf(userAgent: string): KeyPlatform {
  if (/Mac|iPhone|iPad/.test(userAgent)) return 'mac';
  return /Windows/.test(userAgent) ? 'windows' : 'linux';
}
